// A program of Lua 5.1, spelt so that Lua 5.4 runs it alike:
//   a .. b   where a number may be concatenated (5.4 prints 5.0 where 5.1 prints 5)
//   a % b    (5.1 computes a - floor(a/b)*b, 5.4 the exact remainder)
//   #a       where its integer could become a negative zero, or a __len, which 5.1 ignores, be
//   called numbers  all are floating-point in 5.1, so literals become floats where it shows for
//   with a step that may be zero (an error in 5.4) goto, _ENV, arg   as names
// Lines stay where they were.
#pragma once

#include <string>
#include <string_view>

#include "lua/source/value_kinds.h"

namespace lockstep::lua {

class ScriptTree;
class ScriptWarnings;

/// The names of the global functions that rewritten operators call.
inline constexpr const char* concatenation_name = "__concatenation";
inline constexpr const char* modulo_name = "__modulo";
inline constexpr const char* length_name = "__length";
inline constexpr const char* step_name = "__step";
inline constexpr const char* arg_name = "__arg";

/// Returns the program as Lua 5.4 has to read it. Warns where that moves the line of an error.
[[nodiscard]] std::string rewrite(std::string_view program, const ScriptTree& tree,
                                  const ScriptFacts& facts, ScriptWarnings& warnings);

}  // namespace lockstep::lua
