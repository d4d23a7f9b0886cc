// How reports name a fault: "pause a for 15s when a acquired".
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "model/scenario/durations.h"
#include "model/scenario/fault_forms.h"
#include "model/scenario/scenario.h"
#include "model/scenario/triggers.h"

namespace lockstep::model {
namespace {

std::string describe_message(const FaultSpec& fault) {
  std::string text(to_string(fault.kind));
  text += " the ";
  if (fault.nth != 1) text += fmt::format("{} ", write_ordinal(fault.nth));
  text += fmt::format("'{}'", fault.message_label);
  if (!fault.message_from.empty()) text += fmt::format(" from {}", fault.message_from);
  if (!fault.message_to.empty()) text += fmt::format(" to {}", fault.message_to);
  if (fault.kind == FaultKind::delay) text += fmt::format(" by {}", write_duration(fault.by_ns));
  return text;
}

std::string describe_what(const FaultSpec& fault) {
  switch (fault.kind) {
    case FaultKind::pause:
    case FaultKind::crash:
    case FaultKind::restart:
    case FaultKind::promote:
      return fmt::format("{} {}", to_string(fault.kind), fault.target);
    case FaultKind::shutdown:
      return fmt::format("shut down {}", fault.target);
    case FaultKind::power_loss:
      return fmt::format("cut the power of {}", fault.target);
    case FaultKind::cut:
      return fmt::format("cut {} off from {}", fault.target, fault.other);
    case FaultKind::drop:
    case FaultKind::delay:
    case FaultKind::reset:
      return describe_message(fault);
    case FaultKind::clock_step:
      return fmt::format("step the clock of {} by {}", fault.target, write_duration(fault.by_ns));
    case FaultKind::clock_drift:
      return fmt::format("let the clocks of {} drift by {}ppm", fault.target, fault.drift_ppm);
    case FaultKind::delete_key:
      if (fault.key_pattern.empty()) {
        return fmt::format("delete '{}' on {}", fault.lock_name, fault.target);
      }
      return fmt::format("delete '{}' of '{}' on {}", fault.key_pattern, fault.lock_name,
                         fault.target);
  }
  return "unknown";
}

std::string describe_trigger(const FaultSpec& fault) {
  const Trigger& trigger = fault.trigger;
  const std::string after = write_duration(trigger.after_ns);
  if (trigger.when) {
    const std::string moment = write_when(*trigger.when);
    return trigger.after_ns == 0 ? fmt::format(" when {}", moment)
                                 : fmt::format(" {} after {}", after, moment);
  }
  const bool lasts = form_of(fault.kind).onset == Onset::from_the_start;
  if (trigger.after_ns == 0) return lasts ? " from the start" : " at the start";
  return lasts ? fmt::format(" from {} on", after) : fmt::format(" at {}", after);
}

}  // namespace

std::string_view to_string(FaultKind kind) { return form_of(kind).word; }

std::string FaultSpec::describe() const {
  std::string text = describe_what(*this);
  if (for_ns) text += fmt::format(" for {}", write_duration(*for_ns));
  return text + describe_trigger(*this);
}

}  // namespace lockstep::model
