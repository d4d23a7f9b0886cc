// How a program's clocks stand to those of its host.
#pragma once

#include <cstdint>

#include "model/program/program.h"

namespace lockstep::live {

inline constexpr std::int64_t program_hour_ns = std::int64_t{3'600} * 1'000'000'000;
/// A program's monotonic clock is ahead of its host's, as that of a machine that has been up for a
/// while: none reads 0, which Go refuses.
inline constexpr std::int64_t up_before_ns = 2 * program_hour_ns;

[[nodiscard]] inline model::ProgramClocks clocks_of_program(const model::ProgramClocks& host) {
  return {host.monotonic_ns + up_before_ns, host.wall_ns};
}

/// Of a fork server, whose clocks may go on before it forks: an hour before all runs. `wall_ns` is
/// what the host's wall clock reads as a run begins.
[[nodiscard]] inline model::ProgramClocks clocks_before_runs(std::int64_t wall_ns) {
  return {up_before_ns - program_hour_ns, wall_ns - program_hour_ns};
}

}  // namespace lockstep::live
