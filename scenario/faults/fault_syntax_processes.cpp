// Faults of processes.
#include <fmt/format.h>

#include "scenario/faults/fault_syntax.h"

namespace lockstep::scenario {

void read_process_fault(const FaultParse& text) {
  switch (text.form.kind) {
    case FaultKind::pause:
    case FaultKind::crash:
      text.fault.target = text.participants.process(text.subject()).name;
      return;
    case FaultKind::restart:
      text.fault.target = text.participants.server(text.subject()).name;
      return;
    case FaultKind::slow:
      text.fault.target = text.participants.host(text.subject()).name;
      read_by(text, DurationSign::positive, "2s");
      return;
    default:
      text.fault.target = text.participants.node(text.subject()).name;
      return;
  }
}

std::string describe_process_fault(const FaultSpec& fault) {
  switch (fault.kind) {
    case FaultKind::shutdown:
      return fmt::format("shut down {}", fault.target);
    case FaultKind::power_loss:
      return fmt::format("cut the power of {}", fault.target);
    case FaultKind::slow:
      return fmt::format("slow {} by {}", fault.target, describe_by(fault));
    default:
      return fmt::format("{} {}", to_string(fault.kind), fault.target);
  }
}

}  // namespace lockstep::scenario
