// Faults of the network.
#include <fmt/format.h>

#include "model/scenario/fault_texts.h"

namespace lockstep::model {

void read_network_fault(const FaultText& text) {
  const std::vector<PlacedText> ends = text.table.texts("cut");
  if (ends.size() != 2) {
    throw InputError(
        text.table.value_place("cut"),
        fmt::format("'cut' names {} hosts; expected the two that can't reach each other",
                    ends.size()));
  }
  const CastMember& one = text.cast.host(ends[0]);
  const CastMember& other = text.cast.host(ends[1]);
  require_talk(ends[1], one, other);
  text.fault.target = one.name;
  text.fault.other = other.name;
}

std::string tell_network_fault(const FaultSpec& fault) {
  return fmt::format("cut {} off from {}", fault.target, fault.other);
}

}  // namespace lockstep::model
