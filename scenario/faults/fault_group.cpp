#include "scenario/faults/fault_group.h"

#include <algorithm>
#include <array>

#include "scenario/faults/fault_kind.h"

namespace lockstep::scenario {
namespace {

constexpr std::array<std::string_view, fault_group_count> group_words = {
    "pauses",       "calls given up", "late messages",  "lost messages", "cut networks",
    "process ends", "failover",       "server trouble", "clocks",        "keys removed"};

}  // namespace

FaultGroup group_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::pause:
    case FaultKind::slow:
    case FaultKind::postpone:
      return FaultGroup::pauses;
    case FaultKind::interrupt:
    case FaultKind::abandon:
      return FaultGroup::given_up;
    case FaultKind::delay:
    case FaultKind::clog:
    case FaultKind::reorder:
      return FaultGroup::late_messages;
    case FaultKind::drop:
    case FaultKind::reset:
      return FaultGroup::lost_messages;
    case FaultKind::cut:
    case FaultKind::cut_one_way:
    case FaultKind::isolate:
    case FaultKind::partition:
    case FaultKind::ring:
    case FaultKind::swizzle:
    case FaultKind::half_open:
      return FaultGroup::cut_networks;
    case FaultKind::crash:
    case FaultKind::restart:
    case FaultKind::power_loss:
    case FaultKind::shutdown:
      return FaultGroup::process_ends;
    case FaultKind::promote:
    case FaultKind::lag:
    case FaultKind::stall:
    case FaultKind::disconnect:
      return FaultGroup::failover;
    case FaultKind::script_flush:
    case FaultKind::busy:
    case FaultKind::max_clients:
    case FaultKind::refuse:
      return FaultGroup::server_trouble;
    case FaultKind::clock_step:
    case FaultKind::clock_drift:
    case FaultKind::clock_freeze:
    case FaultKind::clock_strobe:
    case FaultKind::clock_leap:
      return FaultGroup::clocks;
    case FaultKind::delete_key:
    case FaultKind::evict:
    case FaultKind::flush_all:
      return FaultGroup::keys_removed;
  }
  return FaultGroup::pauses;
}

std::string_view to_string(FaultGroup group) {
  return group_words[static_cast<std::size_t>(group)];
}

std::optional<FaultGroup> fault_group_from(std::string_view words) {
  const auto* const found = std::find(group_words.begin(), group_words.end(), words);
  if (found == group_words.end()) return std::nullopt;
  return static_cast<FaultGroup>(found - group_words.begin());
}

}  // namespace lockstep::scenario
