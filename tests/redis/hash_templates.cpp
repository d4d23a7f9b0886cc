// Random commands on hashes.
#include <array>

#include "tests/redis/command_families.h"

namespace lockstep::redis::test {

std::span<const std::string_view> hash_templates() {
  static constexpr std::array<std::string_view, 17> templates{
      "HSET $key $field $text",
      "HSET $key $field $text $field $text",
      "HSET $key $field $text $field",
      "HMSET $key $field $text $field $text",
      "HSETNX $key $field $text",
      "HGET $key $field",
      "HMGET $key $field $field",
      "HGETALL $key",
      "HDEL $key $field",
      "HDEL $key $field $field",
      "HEXISTS $key $field",
      "HINCRBY $key $field $number",
      "hincrby $key $field $number",
      "HLEN $key",
      "HKEYS $key",
      "HVALS $key",
      "HSTRLEN $key $field",
  };
  return templates;
}

}  // namespace lockstep::redis::test
