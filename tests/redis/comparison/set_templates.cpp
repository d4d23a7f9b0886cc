// Random commands on sets.
#include <array>

#include "tests/redis/comparison/command_families.h"

namespace lockstep::redis::test {

std::span<const std::string_view> set_templates() {
  static constexpr std::array templates = std::to_array<std::string_view>({
      "SADD $key $field",
      "SADD $key $field $field $field",
      "SADD $key $number $number",
      "SADD $key $text",
      "SREM $key $field",
      "SREM $key $field $number $field",
      "SCARD $key",
      "SISMEMBER $key $field",
      "SISMEMBER $key $number",
      "SMISMEMBER $key $field $number $text",
      "SMEMBERS $key",
      "SMOVE $key $key $field",
      "SMOVE $key $key $number",
      "SRANDMEMBER $key",
      "SRANDMEMBER $key $count",
      "SRANDMEMBER $key -3",
      "SRANDMEMBER $key 100 $word",
      "SSCAN $key 0 COUNT 100",
      "SSCAN $key 0 COUNT 100 MATCH $glob",
      "SSCAN $key x COUNT 100",
      "SSCAN $key 0 COUNT 0",
      "SSCAN $key 0 COUNT 1000 $word 100",
      "SINTER $key",
      "SINTER $key $key",
      "SUNION $key $key $key",
      "SDIFF $key $key",
      "SDIFF $key $key $key",
      "SINTERSTORE $key $key $key",
      "SUNIONSTORE $key $key $key",
      "SDIFFSTORE $key $key $key",
      "SINTERCARD 2 $key $key",
      "SINTERCARD 2 $key $key LIMIT $count",
      "SINTERCARD $count $key $key $word",
      "PEXPIRE $key $ms",
  });
  return templates;
}

// What SPOP takes is Redis's choice: after each, both servers are made equal again.
std::span<const std::string_view> random_set_templates() {
  static constexpr std::array templates = std::to_array<std::string_view>({
      "SADD $key $field $field $field",
      "SADD $key $number $number $number",
      "SPOP $key",
      "SPOP $key $count",
      "SPOP $key 100",
      "SPOP $key 1 2",
      "SCARD $key",
      "EVAL return{redis.call('spop',KEYS[1],ARGV[1]),redis.call('scard',KEYS[1])} 1 $key $count",
  });
  return templates;
}

}  // namespace lockstep::redis::test
