// Ctrl-C: the first asks a command to stop with the results so far, the second ends the process.
#pragma once

namespace lockstep::app {

/// From now on the first SIGINT is noted instead of ending the process.
void catch_interruption();
/// Whether a SIGINT was noted.
[[nodiscard]] bool is_interrupted();

}  // namespace lockstep::app
