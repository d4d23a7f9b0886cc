// Random commands on strings.
#include <array>

#include "tests/redis/comparison/command_families.h"

namespace lockstep::redis::test {

std::span<const std::string_view> string_templates() {
  static constexpr std::array<std::string_view, 50> templates{
      "GET $key",
      "SET $key $text",
      "SET $key $text PX $ms",
      "SET $key $text EX $s",
      "SET $key $text NX PX $ms",
      "SET $key $text PXAT $at",
      "SET $key $text EXAT $ats",
      "SET $key $text $option $option",
      "set $key $text px $ms $option",
      "SETNX $key $text",
      "SETEX $key $s $text",
      "PSETEX $key $ms $text",
      "GETSET $key $text",
      "GETDEL $key",
      "GETEX $key",
      "GETEX $key PX $ms",
      "GETEX $key EXAT $ats",
      "GETEX $key PXAT $at",
      "GETEX $key PERSIST",
      "GETEX $key EX $s $option",
      "INCR $key",
      "DECR $key",
      "INCRBY $key $number",
      "DECRBY $key $number",
      "APPEND $key $text",
      "INCRBYFLOAT $key $score",
      "INCRBYFLOAT $key 0.1",
      "INCRBYFLOAT $key $text",
      "GETRANGE $key $index $index",
      "SUBSTR $key $number $index",
      "SETRANGE $key $index $text",
      "SETRANGE $key $number ''",
      "LCS $key $key",
      "LCS $key $key LEN",
      "LCS $key $key IDX MINMATCHLEN $count WITHMATCHLEN",
      "LCS $key $key IDX $word",
      "SET $key abcxabcyabd",
      "SET $key yabcdxabc",
      "SET $key 1234567",
      "OBJECT ENCODING $key",
      "STRLEN $key",
      "MGET $key $key $key",
      "MSET $key $text $key $text",
      "MSET $key $text $key",
      "MSETNX $key $text $key $text",
      "MSETEX 1 $key $text PX $count NX",
      "MSETEX 2 $key $text $key $text EX $count",
      "MSETEX 2 $key $text $key $text XX KEEPTTL",
      "MSETEX $number $key $text $word",
      "GET $key $key",
  };
  return templates;
}

}  // namespace lockstep::redis::test
