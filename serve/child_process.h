// Child processes of a recording: programs that are recorded, and simulated servers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::serve {

/// Starts a program, with these variables over this process's own. It ends with this process.
/// Returns its process id. Throws StartError.
[[nodiscard]] int start_program(const std::vector<std::string>& command,
                                const std::map<std::string, std::string>& env);

/// Starts a child that serves a simulated Redis on a free port until this process ends. Throws
/// StartError.
struct ServingChild {
  int process;
  std::uint16_t port;
};
[[nodiscard]] ServingChild start_serving_child();

/// Whether it has ended; then its exit status, or minus the signal.
[[nodiscard]] std::optional<int> ended(int process);

/// Kills it and waits for its end.
void end_child(int process);

}  // namespace lockstep::serve
