// The text that a client model is compiled from: its source, made fit to be stopped and to be
// quick.
//
// - Every function body, loop body and `goto` begins with a call that counts, so that a client
// model that
//   goes on for ever is stopped (iterations_max). Whatever does not end comes to one of these again
//   and again. A function that calls nobody but `client` needs none. Lua's own way, a hook, would
//   slow down every single instruction.
// - The names that every client model has (`client`, `pcall`, …) become upvalues, which are faster
// than the
//   environment that looks at each access; they can't be assigned to. So do the functions of
//   `client` that it calls: `client.eval(` becomes `eval(`, where the client model has no `eval` of
//   its own.
//
// No line moves: errors name the lines of the source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::model {

/// More loops and calls than any client model goes through between two interactions.
inline constexpr int iterations_max = 100'000;
/// The name under which the text finds the function that counts.
inline constexpr const char* count_iteration_name = "__lockstep_round";

/// What a client model's text may use.
struct ClientModelNames {
  std::vector<std::string> common;            ///< the names that stay the same from run to run
  std::vector<std::string> client_functions;  ///< of `client`
  /// Some file of the client model may set metatables: then any operator may be a call.
  bool may_have_metatables = false;
};

/// A chunk that returns the client model's own chunk as a function. It must run with those names in
/// reach that the source uses. Throws InputError where it can't be read to its end. REQUIRES: the
/// source compiles, and check_interactions accepts it.
[[nodiscard]] std::string instrumented_source(const std::string& path, std::string_view source,
                                              const ClientModelNames& names);

}  // namespace lockstep::model
