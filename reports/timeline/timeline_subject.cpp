// What a timeline draws of a run, or of a trace file.
#include <fmt/format.h>

#include <map>
#include <utility>

#include "reports/text.h"
#include "reports/timeline/timeline.h"
#include "reports/trace/trace_file.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "search/runs/scenario_outcome.h"

namespace lockstep::reports {
namespace {

std::string words_of(sim::DurationNs offset_ns, std::int64_t drift_ppm) {
  std::string words;
  if (offset_ns != 0) {
    const sim::DurationNs size_ns = offset_ns < 0 ? -offset_ns : offset_ns;
    words = fmt::format("clock {}{} ms", offset_ns < 0 ? "\u2212" : "+",
                        milliseconds_number(size_ns, size_ns % sim::millisecond_ns == 0 ? 0 : 1));
  }
  if (drift_ppm != 0) {
    words += words.empty() ? "clock " : ", ";
    words += fmt::format("{:+} ppm", drift_ppm);
  }
  return words;
}

/// By host: "clock +3,000 ms", "clock -1,500 ms, +200 ppm"; only those whose clocks are wrong.
std::map<std::string, std::string> clock_words(const scenario::Scenario& scenario) {
  std::map<std::string, std::string> clocks;
  const auto add = [&](const std::string& host, sim::DurationNs offset_ns, std::int64_t drift_ppm) {
    const std::string words = words_of(offset_ns, drift_ppm);
    if (!words.empty()) clocks.emplace(host, words);
  };
  for (const scenario::ClientSpec& client : scenario.clients) {
    add(client.name, client.wall_offset_ns, client.drift_ppm);
  }
  for (const scenario::NodeSpec& node : scenario.redis.nodes) {
    add(node.name, node.wall_offset_ns, node.drift_ppm);
  }
  return clocks;
}

}  // namespace

TimelineSubject timeline_subject(const search::ScenarioOutcome& outcome,
                                 std::string replay_command) {
  return {outcome.scenario->title, std::move(replay_command), &outcome.example,
          clock_words(*outcome.scenario)};
}

TimelineSubject timeline_subject(const TraceFile& file, std::string replay_command) {
  TimelineSubject subject{file.scenario_title, std::move(replay_command), &file.example, {}};
  try {
    subject.clocks = clock_words(scenario_of(file));
  } catch (const scenario::InputError&) {
    // Its lock is not at hand: everything but the heads' remarks is in the trace itself.
  }
  return subject;
}

}  // namespace lockstep::reports
