// Ctrl-C: the first asks a command to stop with what it has, the second ends the process.
#pragma once

namespace lockstep::app {

/// From now on SIGINT is noted instead of ending the process, once.
void catch_interruption();
/// Whether it came.
[[nodiscard]] bool is_interrupted();

}  // namespace lockstep::app
