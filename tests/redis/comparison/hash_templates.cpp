// Random commands on hashes.
#include <array>

#include "tests/redis/comparison/command_families.h"

namespace lockstep::redis::test {

std::span<const std::string_view> hash_templates() {
  static constexpr std::array<std::string_view, 29> templates{
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
      "HINCRBYFLOAT $key $field $score",
      "HINCRBYFLOAT $key $field 0.1",
      "HSCAN $key 0 COUNT 10000",
      "HSCAN $key 0 COUNT 1000 MATCH $glob",
      "HSCAN $key 0 COUNT 1000 $word $number COUNT 1000",
      "HSCAN $key x COUNT 1000",
      "HRANDFIELD $key 100",
      "HRANDFIELD $key $count",
      "HRANDFIELD $key -3 WITHVALUES",
      "HRANDFIELD $key 1000 $word",
      "HRANDFIELD $key $index WITHVALUES",
      "OBJECT ENCODING $key",
      "HLEN $key",
      "HKEYS $key",
      "HVALS $key",
      "HSTRLEN $key $field",
  };
  return templates;
}

}  // namespace lockstep::redis::test
