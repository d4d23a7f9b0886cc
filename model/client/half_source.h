// The text that a client half is compiled from: its source, made fit to be stopped and to be quick.
//
// - Every function body, loop body and `goto` begins with a call that counts, so that a half that
//   goes on for ever is stopped (rounds_max). Whatever does not end comes to one of these again and
//   again. Lua's own way, a hook, would slow down every single instruction.
// - The names that every half has (`client`, `pcall`, …) become upvalues, which are faster than the
//   environment that looks at each access; they can't be assigned to.
//
// No line moves: errors name the lines of the source.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lockstep::model {

/// More loops and calls than any client half goes through between two interactions.
inline constexpr int rounds_max = 100'000;
/// The name under which the text finds the function that counts.
inline constexpr const char* count_round_name = "__lockstep_round";

/// A chunk that returns the half's own chunk as a function. It must run with those of `names` in
/// reach that the source uses. Throws InputError where it can't be read to its end.
/// REQUIRES: the source compiles.
[[nodiscard]] std::string half_source(const std::string& path, std::string_view source,
                                      std::span<const std::string> names);

}  // namespace lockstep::model
