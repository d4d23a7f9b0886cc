// Faults of processes.
#include <fmt/format.h>

#include "model/scenario/fault_texts.h"

namespace lockstep::model {

void read_process_fault(const FaultText& text) {
  switch (text.form.kind) {
    case FaultKind::pause:
    case FaultKind::crash:
      text.fault.target = text.cast.process(text.subject()).name;
      return;
    case FaultKind::restart:
      text.fault.target = text.cast.server(text.subject()).name;
      return;
    case FaultKind::slow:
      text.fault.target = text.cast.host(text.subject()).name;
      read_by(text, DurationSign::positive, "2s");
      return;
    default:
      text.fault.target = text.cast.node(text.subject()).name;
      return;
  }
}

std::string tell_process_fault(const FaultSpec& fault) {
  switch (fault.kind) {
    case FaultKind::shutdown:
      return fmt::format("shut down {}", fault.target);
    case FaultKind::power_loss:
      return fmt::format("cut the power of {}", fault.target);
    case FaultKind::slow:
      return fmt::format("slow {} by {}", fault.target, tell_by(fault));
    default:
      return fmt::format("{} {}", to_string(fault.kind), fault.target);
  }
}

}  // namespace lockstep::model
