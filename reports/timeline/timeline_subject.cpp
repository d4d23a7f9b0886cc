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

/// "200–400 ms"
std::string words_of(const sim::Latency& latency) {
  const auto number = [](sim::DurationNs time_ns) {
    return milliseconds_number(time_ns, time_ns % sim::millisecond_ns == 0 ? 0 : 1);
  };
  std::string words = number(latency.delay_ns_min);
  if (latency.delay_ns_max != latency.delay_ns_min) {
    words += "\u2013" + number(latency.delay_ns_max);
  }
  return words + " ms";
}

/// What differs in the scenario's hosts and network, which no event tells of.
void add_remarks(const scenario::Scenario& scenario, TimelineSubject& subject) {
  constexpr sim::DurationNs slow_ns = 10 * sim::millisecond_ns;
  const auto add = [&](const std::string& host, const std::string& words) {
    if (words.empty()) return;
    std::string& remark = subject.remarks[host];
    remark += (remark.empty() ? "" : "; ") + words;
  };
  const std::string each_hop = " a hop";
  for (const scenario::ClientSpec& client : scenario.clients) {
    add(client.name, words_of(client.wall_offset_ns, client.drift_ppm));
  }
  for (const scenario::NodeSpec& node : scenario.redis.nodes) {
    add(node.name, words_of(node.wall_offset_ns, node.drift_ppm));
    if (node.latency) add(node.name, words_of(*node.latency) + each_hop);
  }
  for (const scenario::LinkSpec& link : scenario.links) {
    add(link.from, words_of(link.latency) + " to " + link.to);
  }
  if (scenario.latency.delay_ns_max >= slow_ns) subject.hop = words_of(scenario.latency) + each_hop;
}

}  // namespace

TimelineSubject timeline_subject(const search::ScenarioOutcome& outcome,
                                 std::string replay_command) {
  TimelineSubject subject{outcome.scenario->title, std::move(replay_command), &outcome.example};
  add_remarks(*outcome.scenario, subject);
  return subject;
}

TimelineSubject timeline_subject(const TraceFile& file, std::string replay_command) {
  TimelineSubject subject{file.scenario_title, std::move(replay_command), &file.example};
  try {
    add_remarks(scenario_of(file), subject);
  } catch (const scenario::InputError&) {
    // Its lock is not at hand: everything but the heads' remarks is in the trace itself.
  }
  return subject;
}

}  // namespace lockstep::reports
