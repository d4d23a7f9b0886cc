// Random commands on keys of any type, and their expiry.
#include <array>

#include "tests/redis/command_families.h"

namespace lockstep::redis::test {

std::span<const std::string_view> key_templates() {
  static constexpr std::array<std::string_view, 25> templates{
      "EXISTS $key $key $key",
      "DEL $key",
      "DEL $key $key $key",
      "UNLINK $key $key",
      "TYPE $key",
      "EXPIRE $key $s",
      "PEXPIRE $key $ms",
      "pexpire $key $ms",
      "EXPIRE $key $s $condition",
      "PEXPIRE $key $ms $condition",
      "PEXPIRE $key $ms $condition $condition",
      "EXPIREAT $key $ats",
      "EXPIREAT $key $ats $condition",
      "PEXPIREAT $key $at",
      "pexpireat $key $at",
      "PEXPIREAT $key $at $condition",
      "TTL $key",
      "PTTL $key",
      "EXPIRETIME $key",
      "PEXPIRETIME $key",
      "PERSIST $key",
      "KEYS $glob",
      "DBSIZE",
      "FLUSHDB",
      "FLUSHALL ASYNC",
  };
  return templates;
}

}  // namespace lockstep::redis::test
