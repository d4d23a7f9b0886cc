// Rewrites a client model's source before it is compiled, so that it can be stopped and runs fast.
//
// - Each function body, loop body and `goto` begins with a call that counts, so that a client model
//   that hangs is stopped after iterations_max. A function that calls nothing but `client` needs no
//   such call. A Lua hook would do the same and slow down every instruction.
// - The names that every client model has (`client`, `pcall`, …) become upvalues, which are faster
//   than an environment that checks each access. They can't be assigned to. The functions of
//   `client` that the source calls become upvalues too: `client.eval(` becomes `eval(`, unless the
//   client model has an `eval` of its own.
//
// No line moves, so errors name the lines of the source.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::model {

/// Above what any client model needs between two interactions, in loop rounds and calls.
inline constexpr int iterations_max = 100'000;
/// What it may copy meanwhile, freed or not: s = s .. s would go on for minutes otherwise.
inline constexpr std::size_t large_blocks_bytes_max = std::size_t{16} * 1024 * 1024;
/// The name of the counting function in the rewritten source.
inline constexpr const char* count_iteration_name = "__lockstep_round";

/// What a client model's text may use.
struct ClientModelNames {
  std::vector<std::string> common;            ///< the names that stay the same from run to run
  std::vector<std::string> client_functions;  ///< of `client`
  /// Some file of the client model may set metatables: then any operator may be a call.
  bool may_have_metatables = false;
};

/// Returns a chunk that returns the client model's own chunk as a function. Run it with an
/// environment that provides `names`. Throws InputError where the source ends too early.
/// REQUIRES: the source compiles, and check_interactions accepts it.
[[nodiscard]] std::string instrumented_source(const std::string& path, std::string_view source,
                                              const ClientModelNames& names);

}  // namespace lockstep::model
