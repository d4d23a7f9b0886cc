// Faults of clocks.
#include <fmt/format.h>

#include "model/scenario/durations.h"
#include "model/scenario/fault_texts.h"
#include "model/scenario/placed_numbers.h"

namespace lockstep::model {

void read_clock_fault(const FaultText& text) {
  FaultSpec& fault = text.fault;
  fault.target = text.cast.process(text.subject()).name;
  if (text.form.kind == FaultKind::clock_drift) {
    const auto rate = text.table.ppm("rate");
    if (!rate) text.table.complain_missing("rate", "rate = \"200ppm\"");
    fault.drift_ppm = *rate;
    return;
  }
  const auto by_ns = text.table.duration("by", DurationSign::any);
  if (!by_ns) text.table.complain_missing("by", "by = \"-3s\"");
  if (*by_ns == 0) text.table.text("by")->complain("a step by zero is none; expected as in '-3s'");
  fault.by_ns = *by_ns;
}

std::string tell_clock_fault(const FaultSpec& fault) {
  if (fault.kind == FaultKind::clock_drift) {
    return fmt::format("let the clocks of {} drift by {}ppm", fault.target, fault.drift_ppm);
  }
  return fmt::format("step the clock of {} by {}", fault.target, write_duration(fault.by_ns));
}

}  // namespace lockstep::model
