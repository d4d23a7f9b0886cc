// Functions: libraries that are loaded, replaced and called.
#include <array>

#include "tests/redis/comparison/command_families.h"

namespace lockstep::redis::test {

std::span<const std::string_view> function_templates() {
  static constexpr auto templates = std::to_array<std::string_view>({
      "FUNCTION LOAD $library",
      "FUNCTION LOAD $library",
      "FUNCTION LOAD REPLACE $library",
      "FUNCTION LOAD $word $library",
      "FCALL $function 2 $key $key $number $field",
      "FCALL $function 1 $key $number $field",
      "FCALL $function 0",
      "FCALL $function $count $key",
      "FCALL_RO $function 2 $key $key $number $field",
      "FUNCTION DELETE $libname",
      "FUNCTION LIST",
      "FUNCTION LIST LIBRARYNAME $libname",
      "FUNCTION LIST WITHCODE",
      "FUNCTION LIST $word",
      "FUNCTION STATS",
      "FUNCTION KILL",
      "FUNCTION FLUSH",
      "FUNCTION FLUSH $word",
      "FUNCTION RESTORE $text",
      "FUNCTION HELP",
      "FUNCTION $word",
      "SET $key $number",
      "GET $key",
      "MULTI",
      "EXEC",
      "EVAL return(redis.call('fcall','get',1,KEYS[1])) 1 $key",
      "EVAL return(redis.register_function) 0",
  });
  return templates;
}

}  // namespace lockstep::redis::test
