// A fault as a [[fault]] table: the inverse of faults.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "scenario/faults/fault_parts.h"
#include "scenario/faults/triggers.h"
#include "scenario/file/scenario_fields.h"
#include "scenario/steps.h"
#include "scenario/text/durations.h"
#include "scenario/text/toml_text.h"

namespace lockstep::scenario {
namespace {

std::optional<std::string> write_for(const FaultSpec& fault) {
  if (!fault.for_ns) return std::nullopt;
  return write_open_duration(fault, OpenDuration::What::lasting, *fault.for_ns);
}

void add_trigger(const FaultSpec& fault, TomlTable& table) {
  const Trigger& trigger = fault.trigger;
  const bool has_delay =
      trigger.after_ns != 0 || fault.find_open(OpenDuration::What::after) != nullptr;
  const std::string delay = write_open_duration(fault, OpenDuration::What::after,
                                                std::max(trigger.after_ns, -trigger.after_ns));
  if (trigger.when) {
    table.add_text("when", write_when(*trigger.when));
    if (has_delay) table.add(trigger.after_ns < 0 ? "before" : "after", delay);
    return;
  }
  const bool is_to_be_said = form_of(fault.kind).timing.onset == DefaultOnset::must_be_given;
  if (has_delay || (is_to_be_said && trigger.every_ns == 0)) table.add("at", delay);
}

void add_repetition(const FaultSpec& fault, TomlTable& table) {
  const Trigger& trigger = fault.trigger;
  if (trigger.every_ns > 0) table.add_text("every", format_duration(trigger.every_ns));
  const std::uint32_t by_default = trigger.every_ns > 0 ? Trigger::always : 1;
  if (fault.find_open(OpenDuration::What::strikes) != nullptr) {
    table.add("times", *write_open_count(fault, OpenDuration::What::strikes, trigger.times));
  } else if (trigger.times != by_default) {
    table.add("times", write_count(trigger.times));
  }
}

}  // namespace

std::string write_open_duration(const FaultSpec& fault, OpenDuration::What what,
                                sim::DurationNs duration_ns) {
  const OpenDuration* const open = fault.find_open(what);
  return toml_string(open == nullptr ? format_duration(duration_ns)
                                     : write_range(open->min_ns, open->max_ns));
}

std::optional<std::string> write_open_count(const FaultSpec& fault, OpenDuration::What what,
                                            std::uint32_t count) {
  if (const OpenDuration* const open = fault.find_open(what)) {
    return toml_string(fmt::format("{}..{}", open->min_ns, open->max_ns));
  }
  return count == 1 ? std::nullopt : std::optional(write_count(count));
}

std::string write_count(std::uint32_t times) {
  return times == unlimited_times ? toml_string("always") : std::to_string(times);
}

std::string write_fault(const FaultSpec& fault) {
  static_assert(Trigger::always == unlimited_times);
  const FaultForm& form = form_of(fault.kind);
  TomlTable table;
  table.add(form.word, write_target(fault));
  for (const std::string_view key : form.keys) {
    if (key == "for") continue;
    if (auto value = write_own_key(key, fault)) table.add(key, std::move(*value));
  }
  add_trigger(fault, table);
  add_repetition(fault, table);
  if (auto value = write_for(fault)) table.add("for", std::move(*value));
  if (fault.stays) table.add("stays", "true");
  return fmt::format("[[fault]]\n{}", table.lines());
}

}  // namespace lockstep::scenario
