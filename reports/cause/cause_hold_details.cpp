// Details of a hold that was lost: what the trace tells of it beside the event that ended it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"

namespace lockstep::reports {

namespace kind = model::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

std::string lease_left(sim::TimeNs ends_ns, sim::TimeNs at_ns) {
  if (ends_ns == sim::never_ns) return "no end";
  return milliseconds(std::max<sim::TimeNs>(0, ends_ns - at_ns));
}

std::string place_of_fault(const CauseFacts& facts, const std::string& owner,
                           const HoldPeriod& lost) {
  const Event& ended = facts.events()[*lost.lost];
  if (facts.is_quorum(owner)) {
    for (EventIndex index = *lost.lost; index-- > 0;) {
      const Event& told = facts.events()[index];
      if (told.at != ended.at) break;
      if (told.kind == kind::fault_struck) return brief(told.text("target"));
    }
  }
  return facts.actor_of(ended);
}

std::string lost_before(const CauseFacts& facts, const HoldPeriod& lost, std::string_view last) {
  const Event& taken = facts.events()[lost.taken];
  const Event& ended = facts.events()[*lost.lost];
  const sim::TimeNs lease_ends_ns = lease_end_of(facts.events()[*lost.last_set]);
  std::vector<std::string> nodes;
  for (const Event& told : facts.events()) {
    if (told.at > ended.at) break;
    const bool is_emptied = told.kind == kind::dataset_restored && told.number("keys") == 0;
    const bool is_past_its_end = told.kind == kind::clock_changed && told.number("by_ns") > 0 &&
                                 told.number("by_ns") >= lease_ends_ns - told.at;
    if (told.at < taken.at || (!is_emptied && !is_past_its_end)) continue;
    const std::string node = facts.actor_of(told);
    const bool is_told = node == last || std::find(nodes.begin(), nodes.end(), node) != nodes.end();
    if (!is_told) nodes.push_back(node);
  }
  if (nodes.empty()) return {};
  return fmt::format("{} had lost it before.", fmt::join(nodes, " and "));
}

std::string own_lease_over(const CauseFacts& facts, const std::string& owner,
                           const HoldPeriod& lost) {
  if (lease_end_of(facts.events()[*lost.last_set]) != sim::never_ns) return {};
  const Event& taken = facts.events()[lost.taken];
  const Event& ended = facts.events()[*lost.lost];
  const Event* const asked = facts.last_of(kind::service_invoked, brief(owner), lost.taken);
  if (asked == nullptr || asked->text("lock") != taken.text("lock")) return {};
  const sim::DurationNs wanted_ns = asked->number("lease_ms") * sim::millisecond_ns;
  if (wanted_ns <= 0 || taken.at + wanted_ns > ended.at) return {};
  const std::string disruptions = facts.disruptions(owner, taken.at, ended.at);
  return fmt::format(
      ", which had taken it at {} and had asked for {}{}", milliseconds(taken.at),
      milliseconds(wanted_ns),
      disruptions.empty() ? std::string() : fmt::format("; meanwhile {}", disruptions));
}

}  // namespace lockstep::reports
