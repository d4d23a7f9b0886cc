// Random EVAL and SCRIPT, with small scripts.
#include <array>

#include "tests/redis/comparison/command_families.h"

namespace lockstep::redis::test {

std::span<const std::string_view> script_templates() {
  static constexpr std::array<std::string_view, 20> templates{
      "EVAL $script 2 $key $key $number $field",
      "SET $key $text",
      "EVAL $script 2 $key $key $ms $field",
      "HSET $key $field $text",
      "EVAL $script 2 $key $key $text $field",
      "SET $key $text PX $ms",
      "EVAL $script 2 $key $key $ms $field",
      "EVAL_RO $script 2 $key $key $text $field",
      "eval $script 2 $key $key $text $field",
      "EVAL $script $number $key $key",
      "SCRIPT LOAD $script",
      "SCRIPT EXISTS 4e6d8fc8bb01276962cce5371fa795a7763657ae",
      "SCRIPT EXISTS abc ''",
      "SCRIPT FLUSH",
      "SCRIPT KILL",
      "SCRIPT $option",
      "EVALSHA 4E6D8FC8BB01276962CCE5371FA795A7763657AE $number $key",
      "EVALSHA abc 3 $key",
      "MULTI",
      "EXEC",
  };
  return templates;
}

}  // namespace lockstep::redis::test
