#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"

namespace lockstep::reports {
namespace {

namespace kind = model::trace_kind;
using Event = CauseFacts::Event;

/// By which command locks are given back; empty: none was.
std::string_view release_label(const CauseFacts& facts) {
  for (EventIndex index = 0; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.kind != kind::lock_changed || event.text("cause") != "release") continue;
    if (const Event* const command = facts.command_at(index)) return command->text("label");
  }
  return {};
}

}  // namespace

std::string unlike_takings(const CauseFacts& facts, const std::string& owner, EventIndex before) {
  const std::vector<HoldPeriod> hold_periods = facts.hold_periods(owner, {}, before);
  if (hold_periods.empty() || !facts.is_quorum(owner)) return {};
  const EventIndex taken = hold_periods.back().taken;
  const Event* const taking = facts.command_at(taken);
  if (taking == nullptr) return {};
  const std::string_view giving_back = release_label(facts);
  std::vector<std::set<std::string>> takings(1);  // the nodes, step by step
  for (EventIndex index = 0; index < std::min(before, facts.events().size()); ++index) {
    const Event& event = facts.events()[index];
    if (event.kind == kind::step_invoked && facts.actor_of(event) == owner) {
      if (index <= taken) takings.clear();
      takings.emplace_back();
    }
    const bool is_its = event.kind == kind::command_executed &&
                        event.text("on_behalf_of") == owner && event.number("writes") > 0;
    if (!is_its) continue;
    if (event.text("label") == taking->text("label")) {
      takings.back().insert(facts.actor_of(event));
    } else if (event.text("label") == giving_back) {
      takings.back().erase(facts.actor_of(event));
    }
  }
  std::erase_if(takings, [](const auto& nodes) { return nodes.empty(); });
  if (takings.size() < 2 || takings.front() == takings.back()) return {};
  return fmt::format("on {}, and once more on {}", fmt::join(takings.front(), ", "),
                     fmt::join(takings.back(), ", "));
}

}  // namespace lockstep::reports
