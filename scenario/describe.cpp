// How reports name a fault: "pause a for 15s when a acquired".
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>

#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_syntax.h"
#include "scenario/faults/triggers.h"
#include "scenario/scenario.h"
#include "scenario/text/durations.h"

namespace lockstep::scenario {
namespace {

std::string describe_trigger(const FaultSpec& fault) {
  const Trigger& trigger = fault.trigger;
  const OpenDuration* const open = fault.find_open(OpenDuration::What::after);
  const std::string after = describe_duration(std::max(trigger.after_ns, -trigger.after_ns), open);
  if (trigger.when) {
    const std::string moment = write_when(*trigger.when);
    if (trigger.after_ns < 0) return fmt::format(" {} before {}", after, moment);
    return trigger.after_ns == 0 && open == nullptr ? fmt::format(" when {}", moment)
                                                    : fmt::format(" {} after {}", after, moment);
  }
  const bool lasts = form_of(fault.kind).onset == DefaultOnset::from_the_start;
  if (trigger.after_ns == 0 && open == nullptr) return lasts ? " from the start" : " at the start";
  return lasts ? fmt::format(" from {} on", after) : fmt::format(" at {}", after);
}

std::string describe_repetition(const Trigger& trigger) {
  std::string text;
  if (trigger.every_ns > 0) text += fmt::format(", every {}", format_duration(trigger.every_ns));
  if (trigger.times == Trigger::always && trigger.every_ns == 0) text += ", each time";
  if (trigger.times > 1 && trigger.times != Trigger::always) {
    text += fmt::format(", {} times", trigger.times);
  }
  return text;
}

}  // namespace

std::string_view to_string(FaultKind kind) { return form_of(kind).word; }

std::vector<std::string_view> FaultSpec::struck() const {
  std::vector<std::string_view> names;
  for (const std::string& name : {std::cref(target), std::cref(other)}) {
    if (!name.empty()) names.push_back(name);
  }
  for (const auto& group : groups) names.insert(names.end(), group.begin(), group.end());
  return names;
}

std::string FaultSpec::describe() const {
  std::string text;
  if (targets.empty()) {
    text = describe_fault(*this);
  } else {
    FaultSpec of_all = *this;
    of_all.target = fmt::format("{}", fmt::join(targets, " or "));
    text = describe_fault(of_all);
  }
  if (for_ns) {
    text +=
        fmt::format(" for {}", describe_duration(*for_ns, find_open(OpenDuration::What::lasting)));
  }
  text += describe_trigger(*this);
  return text + describe_repetition(trigger);
}

const OpenDuration* FaultSpec::find_open(OpenDuration::What what) const {
  const auto found = std::find_if(open.begin(), open.end(),
                                  [what](const OpenDuration& each) { return each.what == what; });
  return found == open.end() ? nullptr : &*found;
}

std::string describe_duration(sim::DurationNs duration_ns, const OpenDuration* open) {
  if (open == nullptr) return format_duration(duration_ns);
  return fmt::format("{} to {}", format_duration(open->min_ns), format_duration(open->max_ns));
}

std::string describe_by(const FaultSpec& fault) {
  return describe_duration(fault.by_ns, fault.find_open(OpenDuration::What::by));
}

}  // namespace lockstep::scenario
