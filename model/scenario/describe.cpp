// How reports name a fault: "pause a for 15s when a acquired".
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "model/scenario/durations.h"
#include "model/scenario/fault_forms.h"
#include "model/scenario/fault_texts.h"
#include "model/scenario/scenario.h"
#include "model/scenario/triggers.h"

namespace lockstep::model {
namespace {

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
  std::string text = tell_fault(*this);
  if (for_ns) text += fmt::format(" for {}", write_duration(*for_ns));
  return text + describe_trigger(*this);
}

}  // namespace lockstep::model
