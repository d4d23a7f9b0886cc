// The files that a scenario's run leaves: its trace and its timeline.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "reports/run_artifacts.h"

namespace lockstep::search {
struct ScenarioOutcome;
}

namespace lockstep::app {

struct Context;

enum class LongTraces : std::uint8_t {
  written,
  left_out,  ///< if nobody asked for them; the seed makes the run again
};

/// Writes "out/plain/gc-pause.trace.jsonl" and "….svg". Throws scenario::InputError if it can't.
[[nodiscard]] reports::RunArtifacts write_run_files(const search::ScenarioOutcome& outcome,
                                                    const std::filesystem::path& folder,
                                                    const std::string& name, LongTraces long_traces,
                                                    const Context& context);

/// The shell command that makes the run again if no trace was written.
[[nodiscard]] std::string run_again_command_line(const search::ScenarioOutcome& outcome,
                                                 const Context& context);
/// The shell command that replays a trace.
[[nodiscard]] std::string replay_command_line(const std::string& trace_path,
                                              const Context& context);
/// The same for a file that others get: without a path of this machine.
[[nodiscard]] std::string replay_command_in_file(const std::string& trace_path,
                                                 const Context& context);
/// The run's own command, for such a file.
[[nodiscard]] std::string command_in_file(const reports::RunArtifacts& artifacts,
                                          const Context& context);
/// All of a run's commands, for such a file.
[[nodiscard]] reports::RunArtifacts artifacts_in_file(reports::RunArtifacts artifacts,
                                                      const Context& context);

}  // namespace lockstep::app
