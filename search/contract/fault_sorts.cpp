#include "search/contract/fault_sorts.h"

#include "scenario/faults/fault_kind.h"

namespace lockstep::search {

using scenario::FaultKind;

bool is_of_clock(FaultKind kind) {
  return kind == FaultKind::clock_step || kind == FaultKind::clock_drift ||
         kind == FaultKind::clock_freeze || kind == FaultKind::clock_strobe ||
         kind == FaultKind::clock_leap;
}

bool takes_keys(FaultKind kind) {
  return kind == FaultKind::delete_key || kind == FaultKind::evict || kind == FaultKind::flush_all;
}

bool ends_process(FaultKind kind) {
  return kind == FaultKind::crash || kind == FaultKind::power_loss || kind == FaultKind::shutdown;
}

bool starts_process(FaultKind kind) { return kind == FaultKind::restart; }

bool holds_up_messages(FaultKind kind) {
  return kind == FaultKind::delay || kind == FaultKind::clog || kind == FaultKind::reorder ||
         kind == FaultKind::slow;
}

bool delays_messages(FaultKind kind) {
  return holds_up_messages(kind) || kind == FaultKind::postpone;
}

bool is_one_message(FaultKind kind) {
  return kind == FaultKind::drop || kind == FaultKind::reset || kind == FaultKind::reorder;
}

bool keeps_from_nodes(FaultKind kind) {
  return kind == FaultKind::pause || may_lose_messages(kind) || delays_messages(kind);
}

bool may_lose_messages(FaultKind kind) {
  switch (kind) {
    case FaultKind::drop:
    case FaultKind::reset:
    case FaultKind::cut:
    case FaultKind::cut_one_way:
    case FaultKind::isolate:
    case FaultKind::partition:
    case FaultKind::ring:
    case FaultKind::swizzle:
    case FaultKind::half_open:
    case FaultKind::refuse:
    case FaultKind::max_clients:
    case FaultKind::crash:
    case FaultKind::restart:
    case FaultKind::promote:
    case FaultKind::power_loss:
    case FaultKind::shutdown:
    case FaultKind::busy:
      return true;
    case FaultKind::pause:
    case FaultKind::delay:
    case FaultKind::clock_step:
    case FaultKind::clock_drift:
    case FaultKind::delete_key:
    case FaultKind::clock_freeze:
    case FaultKind::clock_strobe:
    case FaultKind::clock_leap:
    case FaultKind::evict:
    case FaultKind::flush_all:
    case FaultKind::script_flush:
    case FaultKind::interrupt:
    case FaultKind::abandon:
    case FaultKind::postpone:
    case FaultKind::slow:
    case FaultKind::clog:
    case FaultKind::reorder:
    case FaultKind::lag:
    case FaultKind::stall:
    case FaultKind::disconnect:
      return false;
  }
  return false;
}

}  // namespace lockstep::search
