#include "app/run/run_files.h"

#include <fmt/format.h>

#include <ostream>
#include <stdexcept>

#include "app/output_file.h"
#include "reports/trace/trace_file.h"

namespace lockstep::app {
namespace {

/// More than this many are written only where a folder for them was named.
constexpr std::size_t events_unasked_max = 50'000;
constexpr std::size_t bytes_an_event = 180;  // about

}  // namespace

std::string run_again_command(const search::ScenarioOutcome& outcome, const Context& context) {
  std::string command =
      fmt::format("{} run {}", context.program, shell_quoted(outcome.scenario.path));
  if (!outcome.scenario.row.empty()) {
    for (const scenario::ParameterSetting& each : outcome.scenario.parameters) {
      command +=
          fmt::format(" --set {}", shell_quoted(fmt::format("{}={}", each.name, each.value)));
    }
  }
  return fmt::format("{} --seed {}", command, outcome.example.seed);
}

std::string replay_command(const std::string& trace_path, const Context& context) {
  return fmt::format("{} replay {}", context.program, shell_quoted(trace_path));
}

void write_picture(const std::filesystem::path& path, const reports::Timeline& timeline,
                   reports::PictureFormat format) {
  write_file(path, [&](std::ostream& stream) {
    try {
      reports::render(timeline, format, stream);
    } catch (const std::runtime_error& error) {
      throw scenario::InputError({path.string(), 0, 0},
                                 fmt::format("cannot draw it: {}", error.what()));
    }
  });
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
    artifacts.replay_command = run_again_command(outcome, context);
  } else {
    artifacts.trace = (folder / (name + ".trace.jsonl")).string();
    artifacts.confirm_command =
        fmt::format("{} confirm {}", context.program, shell_quoted(artifacts.trace));
    artifacts.replay_command = replay_command(artifacts.trace, context);
    write_file(artifacts.trace, [&outcome](std::ostream& stream) {
      reports::write_trace(stream, outcome.scenario, outcome.example);
    });
  }
  const reports::Timeline timeline =
      reports::layout(reports::timeline_subject(outcome, artifacts.replay_command));
  write_picture(artifacts.timeline, timeline, reports::PictureFormat::svg);
  return artifacts;
}

}  // namespace lockstep::app
