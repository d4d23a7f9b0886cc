// The grammar of Lua 5.1: checks a program against it and finds what Lua 5.4 would take otherwise.
//
// A program that passes is correct in 5.1; what is wrong is complained of in 5.1's own words. What
// is noted on the way:
//   a .. b   where a number may be concatenated (5.4 prints 5.0 where 5.1 prints 5)
//   a % b    (5.1 computes a - floor(a/b)*b, 5.4 the exact remainder)
//   #a       where its integer could become a negative zero, or __len (which 5.1 ignores) be asked
//   numbers  all are floating-point in 5.1, so literals are made floats where it could be seen
//   for      with a step that may be zero (an error in 5.4)
//   goto, _ENV, arg   as names
// Lines stay where they were.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lua/source/tokens.h"
#include "lua/source/warning.h"

namespace lockstep::lua {

struct ScriptParse {
  std::string code;  ///< the program for Lua 5.4
  std::vector<ScriptWarning> warnings;
};

struct ScriptFacts {
  bool arguments_are_text = true;  ///< nothing but strings can be in KEYS and ARGV
};

/// Parses a program, or gives a complaint as the compiler words it: `<chunk>:<line>: …`. A program
/// with an unfinished string is handed back as it is.
[[nodiscard]] std::variant<ScriptParse, std::string> parse_script(std::string_view program,
                                                                  const ScriptTokens& tokens,
                                                                  std::string_view chunk,
                                                                  const ScriptFacts& facts);

}  // namespace lockstep::lua
