#include "reports/timeline/clock_words.h"

#include <fmt/format.h>

#include "reports/text.h"
#include "scenario/scenario.h"

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

}  // namespace

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

}  // namespace lockstep::reports
