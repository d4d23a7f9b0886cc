// The order in which a real program's threads go on, where several can: [[client]] thread_order.
//
// It is kept in the program's environment, so that the program can tell, too.
#pragma once

#include <string_view>

#include "scenario/program_spec.h"

namespace lockstep::scenario {

inline constexpr std::string_view thread_order_variable = "LOCKSTEP_THREAD_ORDER";
/// Drawn in each run. Otherwise they go on in turn.
inline constexpr std::string_view any_thread_order = "any";

[[nodiscard]] inline bool threads_run_in_any_order(const ProgramSpec& program) {
  const auto found = program.env.find(std::string(thread_order_variable));
  return found != program.env.end() && found->second == any_thread_order;
}

}  // namespace lockstep::scenario
