#include "scenario/file/field.h"

#include "scenario/duration_range.h"
#include "scenario/located_numbers.h"
#include "scenario/steps.h"
#include "scenario/text/durations.h"
#include "sim/network.h"

namespace lockstep::scenario {

std::string counted(std::uint64_t number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

std::string Duration::words(sim::DurationNs value) { return format_duration(value); }

std::optional<sim::Latency> LatencyRange::read(const TableReader& table, std::string_view key,
                                               const ValueLimits&) {
  const auto text = table.text(key);
  if (!text) return std::nullopt;
  return latency_of(*text);
}

std::string LatencyRange::words(const sim::Latency& value) {
  return write_range(value.delay_ns_min, value.delay_ns_max);
}

std::string MillisecondRange::words(const DurationRange& value) {
  return write_range(value.min_ns, value.max_ns);
}

std::optional<std::string> Text::read(const TableReader& table, std::string_view key,
                                      const ValueLimits&) {
  const auto text = table.text(key);
  if (!text) return std::nullopt;
  return std::string(text->text);
}

}  // namespace lockstep::scenario
