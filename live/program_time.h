// How a program's clocks stand to those of its host.
#pragma once

#include <cstdint>

#include "model/program/program.h"

namespace lockstep::live {

/// A program's monotonic clock is ahead of its host's, as that of a machine that has been up for a
/// while: none reads 0, which Go refuses.
inline constexpr std::int64_t up_before_ns = std::int64_t{7'200} * 1'000'000'000;

[[nodiscard]] inline model::ProgramClocks clocks_of_program(const model::ProgramClocks& host) {
  return {host.monotonic_ns + up_before_ns, host.wall_ns};
}

/// Of a fork server as it starts, which takes `start_ns` until it forks. `wall_ns` is what the
/// host's wall clock reads as a run begins: a client that starts later in the run sees it jump.
[[nodiscard]] inline model::ProgramClocks clocks_before_runs(std::int64_t wall_ns,
                                                             std::int64_t start_ns) {
  return {up_before_ns - start_ns, wall_ns - start_ns};
}

}  // namespace lockstep::live
