#include "sim/choice_source.h"

namespace lockstep::sim {

std::string_view name_of(Purpose purpose) {
  switch (purpose) {
    case Purpose::network_delay:
      return "network_delay";
    case Purpose::network_loss:
      return "network_loss";
    case Purpose::client_random:
      return "client_random";
    case Purpose::token:
      return "token";
    case Purpose::workload:
      return "workload";
    case Purpose::fault:
      return "fault";
    case Purpose::scenario:
      return "scenario";
    case Purpose::server_random:
      return "server_random";
    case Purpose::fault_kind:
      return "fault_kind";
    case Purpose::fault_moment:
      return "fault_moment";
    case Purpose::fault_extent:
      return "fault_extent";
  }
  return "unknown purpose";  // a damaged record can hold one
}

}  // namespace lockstep::sim
