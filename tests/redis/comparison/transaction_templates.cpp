// Random transactions.
#include <array>

#include "tests/redis/comparison/command_families.h"

namespace lockstep::redis::test {

std::span<const std::string_view> transaction_templates() {
  static constexpr std::array<std::string_view, 24> templates{
      "MULTI",
      "EXEC",
      "SET $key $text",
      "HINCRBY $key $field $number",
      "MULTI",
      "EXEC",
      "PEXPIRE $key $ms",
      "WATCH $key",
      "WATCH $key",
      "DISCARD",
      "SET $key $text PX $ms",
      "GET $key",
      "UNWATCH",
      "RENAME $key $key",
      "SWAPDB 0 1",
      "COPY $key $key DB 1 REPLACE",
      "MOVE $key 1",
      "NOSUCH",
      "DEL $key",
      "EXEC now",
      "SELECT $number",
      "PUBLISH news hi",
      "FLUSHDB",
      "GET",
  };
  return templates;
}

}  // namespace lockstep::redis::test
