#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

constexpr std::size_t no_place = std::string_view::npos;

/// How many are before it; no_place: it is not there.
std::size_t place_of(std::string_view owners, std::string_view who) {
  for (std::size_t place = 0; !owners.empty(); ++place) {
    const std::size_t end = std::min(owners.find(' '), owners.size());
    if (owners.substr(0, end) == who) return place;
    owners.remove_prefix(std::min(end + 1, owners.size()));
  }
  return no_place;
}

/// "a/1's release, executed on n1 at 5 ms,".
std::string script_at(const CauseFacts& facts, EventIndex index) {
  const Event& event = facts.events()[index];
  const Event* const command = facts.command_at(index);
  return fmt::format("{}'s {}, executed on {} at {},", brief(event.text("by")),
                     command == nullptr ? std::string("script") : brief(command->text("label")),
                     facts.actor_of(event), milliseconds(event.at));
}

/// Of whose place a script changed, or a fault.
Cause place_lost(const CauseFacts& facts, EventIndex index, std::string_view who,
                 std::string sentence) {
  const Event& event = facts.events()[index];
  const Event* const command = facts.command_at(index);
  return {.kind = event.text("by").empty() && command == nullptr ? CauseKind::erased
                                                                 : CauseKind::place_lost,
          .victim = brief(who),
          .culprit = brief(event.text("by")),
          .operation = command == nullptr ? std::string() : brief(command->text("label")),
          .server = facts.actor_of(event),
          .at_ns = event.at,
          .before = {},
          .after = {},
          .says = {std::move(sentence)}};
}

/// "b/1 lost its place in the queue on n1 at 5 ms (the fault: evict …)".
std::string loss_without_script(const CauseFacts& facts, EventIndex index, std::string_view who) {
  const Event& event = facts.events()[index];
  const std::string fault = facts.fault_at(index);
  return fmt::format("{} lost its place in the queue on {} at {} ({}).", brief(who),
                     facts.actor_of(event), milliseconds(event.at),
                     fault.empty() ? std::string("no script took it") : "the fault: " + fault);
}

}  // namespace

std::optional<Cause> explain_lost_place(const CauseFacts& facts, std::string_view who,
                                        std::string_view lock, sim::TimeNs until_ns) {
  std::map<std::string, std::string, std::less<>> owners_before;  // by lock
  for (EventIndex index = 0; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.at > until_ns) break;
    if (event.kind != model_kind::queue_changed) continue;
    if (!lock.empty() && event.text("lock") != lock) continue;
    std::string& before = owners_before[std::string(event.text("lock"))];
    const std::size_t was = place_of(before, who);
    const std::size_t is = place_of(event.text("owners"), who);
    before = event.text("owners");
    const std::string_view by = event.text("by");
    if (was == no_place) continue;
    if (is == no_place && by.empty()) {
      return place_lost(facts, index, who, loss_without_script(facts, index, who));
    }
    if (is == no_place && by != who) {
      return place_lost(
          facts, index, who,
          fmt::format("{} took {} out of the queue.", script_at(facts, index), brief(who)));
    }
    if (is != no_place && is > was && !by.empty()) {
      Cause cause = place_lost(facts, index, who,
                               fmt::format("{} put {} from place {} of the queue to place {}.",
                                           script_at(facts, index), brief(who), was + 1, is + 1));
      cause.before = fmt::format("place {}", was + 1);
      cause.after = fmt::format("place {}", is + 1);
      return cause;
    }
  }
  return std::nullopt;
}

QueueHead head_of_queue(const CauseFacts& facts, std::string_view lock, sim::TimeNs from_ns,
                        sim::TimeNs until_ns) {
  QueueHead head;
  QueueHead longest;
  sim::DurationNs longest_ns = 0;
  const auto leave = [&](sim::TimeNs at_ns) {
    const sim::DurationNs length_ns = std::min(at_ns, until_ns) - std::max(head.since_ns, from_ns);
    if (head.owner.empty() || length_ns <= longest_ns) return;
    longest_ns = length_ns;
    longest = head;
  };
  for (const Event& event : facts.events()) {
    if (event.at >= until_ns) break;
    if (event.kind != model_kind::queue_changed || event.text("lock") != lock) continue;
    const std::string_view owners = event.text("owners");
    const std::string_view first = owners.substr(0, owners.find(' '));
    if (first == head.owner) continue;
    leave(event.at);
    head = {std::string(first), event.at};
  }
  leave(until_ns);
  return 2 * longest_ns >= until_ns - from_ns ? longest : QueueHead{};
}

}  // namespace lockstep::reports
