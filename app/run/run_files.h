// The files that a scenario's run leaves: its trace and its timeline.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "app/context.h"
#include "reports/run_artifacts.h"
#include "reports/timeline/timeline.h"
#include "search/runs/seed_runs.h"

namespace lockstep::app {

enum class LongTraces : std::uint8_t {
  written,
  left_out,  ///< those that nobody asked for: the seed makes the run again
};

/// "out/plain/gc-pause.trace.jsonl" and "….svg". Throws model::InputError where they can't be
/// written.
[[nodiscard]] reports::RunArtifacts write_run_files(const search::ScenarioOutcome& outcome,
                                                    const std::filesystem::path& folder,
                                                    const std::string& name, LongTraces long_traces,
                                                    const Context& context);

/// Throws model::InputError where it can't be drawn or written.
void write_picture(const std::filesystem::path& path, const reports::Timeline& timeline,
                   reports::PictureFormat format);

/// The command that makes the run again where no trace was written.
[[nodiscard]] std::string run_again_command(const search::ScenarioOutcome& outcome,
                                            const Context& context);
/// The command that replays a trace.
[[nodiscard]] std::string replay_command(const std::string& trace_path, const Context& context);

}  // namespace lockstep::app
