#include "app/output/run_files.h"

#include <fmt/format.h>

#include <ostream>

#include "app/context.h"
#include "app/output/output_file.h"
#include "app/output/picture_file.h"
#include "redis/server/server_version.h"
#include "reports/timeline/timeline.h"
#include "reports/trace/trace_file.h"
#include "scenario/scenario.h"
#include "search/runs/seed_runs.h"

namespace lockstep::app {
namespace {

/// Longer traces are written only if the user named a folder for them.
constexpr std::size_t events_unasked_max = 50'000;
constexpr std::size_t bytes_an_event = 180;  // about

std::string program_in_file(const Context& context) {
  return context.program.starts_with('/') ? "lockstep" : context.program;
}

std::string with_program_in_file(const std::string& command, const Context& context) {
  if (!command.starts_with(context.program)) return command;
  return program_in_file(context) + command.substr(context.program.size());
}

}  // namespace

std::string run_again_command_line(const search::ScenarioOutcome& outcome, const Context& context) {
  std::string command =
      fmt::format("{} run {}", context.program, shell_quoted(outcome.scenario->path));
  if (!outcome.scenario->row.empty()) {
    for (const scenario::ParameterSetting& each : outcome.scenario->parameters) {
      command +=
          fmt::format(" --set {}", shell_quoted(fmt::format("{}={}", each.name, each.value)));
    }
  }
  const redis::ServerVersion version = outcome.scenario->redis.version;
  if (version != redis::default_version) {
    command += fmt::format(" --redis-version {}", redis::to_string(version));
  }
  return fmt::format("{} --seed {}", command, outcome.example.seed);
}

std::string replay_command_line(const std::string& trace_path, const Context& context) {
  return fmt::format("{} replay {}", context.program, shell_quoted(trace_path));
}

std::string replay_command_in_file(const std::string& trace_path, const Context& context) {
  const std::filesystem::path trace(trace_path);
  const bool is_from_here = trace.is_relative() && *trace.lexically_normal().begin() != "..";
  return fmt::format("{} replay {}", program_in_file(context),
                     shell_quoted(is_from_here ? trace_path : trace.filename().string()));
}

std::string command_in_file(const reports::RunArtifacts& artifacts, const Context& context) {
  if (!artifacts.trace.empty()) return replay_command_in_file(artifacts.trace, context);
  return with_program_in_file(artifacts.replay_command, context);
}

reports::RunArtifacts artifacts_in_file(reports::RunArtifacts artifacts, const Context& context) {
  artifacts.replay_command = command_in_file(artifacts, context);
  artifacts.confirm_command = with_program_in_file(artifacts.confirm_command, context);
  return artifacts;
}

reports::RunArtifacts write_run_files(const search::ScenarioOutcome& outcome,
                                      const std::filesystem::path& folder, const std::string& name,
                                      LongTraces long_traces, const Context& context) {
  reports::RunArtifacts artifacts;
  artifacts.timeline = (folder / (name + ".svg")).string();
  const std::size_t events = outcome.example.trace.events.size();
  if (events > events_unasked_max && long_traces == LongTraces::left_out) {
    artifacts.no_trace = fmt::format(
        "not written, for it has {} events (some {} MB); --out DIR writes it all the same", events,
        events * bytes_an_event / 1'000'000);
    artifacts.replay_command = run_again_command_line(outcome, context);
  } else {
    artifacts.trace = (folder / (name + ".trace.jsonl")).string();
    if (!scenario::has_program(*outcome.scenario))
      artifacts.confirm_command =
          fmt::format("{} confirm {}", context.program, shell_quoted(artifacts.trace));
    artifacts.replay_command = replay_command_line(artifacts.trace, context);
    write_file(artifacts.trace, [&outcome, &artifacts](std::ostream& stream) {
      reports::write_trace(stream, *outcome.scenario, outcome.example, artifacts.trace);
    });
  }
  const reports::Timeline timeline =
      reports::layout(reports::timeline_subject(outcome, command_in_file(artifacts, context)));
  artifacts.rows = timeline.rows;
  write_picture(artifacts.timeline, timeline, reports::PictureFormat::svg);
  return artifacts;
}

}  // namespace lockstep::app
