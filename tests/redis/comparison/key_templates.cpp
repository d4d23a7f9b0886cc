// Random commands on keys of any type, and their expiry.
#include <array>

#include "tests/redis/comparison/command_families.h"

namespace lockstep::redis::test {

std::span<const std::string_view> key_templates() {
  static constexpr std::array<std::string_view, 52> templates{
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
      "RENAME $key $key",
      "RENAMENX $key $key",
      "COPY $key $key",
      "COPY $key $key REPLACE",
      "COPY $key $key DB $number REPLACE",
      "COPY $key $key db 1",
      "COPY $key $key $option",
      "MOVE $key $number",
      "MOVE $key 1",
      "SWAPDB 0 1",
      "SWAPDB $number $index",
      "TOUCH $key $key",
      // Of several keys that are expired Redis deletes any first: so one key each.
      "SCAN 0 COUNT 1000 MATCH a",
      "SCAN 0 COUNT 1000 MATCH b TYPE string",
      "SCAN 0 COUNT 1000 type LIST match L",
      "SCAN 0 COUNT 1000 MATCH h TYPE $text",
      "SCAN $number COUNT 1000 MATCH nothing*",
      "SCAN $text COUNT 1000 MATCH nothing*",
      "SCAN 0 COUNT 1000 MATCH nothing* $word $number COUNT 1000",
      "SCAN 0 COUNT 0",
      "SCAN 0 COUNT 1000 FOO",
      "SELECT 1",
      "SELECT 0",
      "OBJECT ENCODING $key",
      "OBJECT FREQ $key",
      "OBJECT HELP",
      "OBJECT $word $key",
      "KEYS $glob",
      "DBSIZE",
      "FLUSHDB",
      "FLUSHALL ASYNC",
  };
  return templates;
}

}  // namespace lockstep::redis::test
