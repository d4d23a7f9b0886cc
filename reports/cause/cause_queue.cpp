#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
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

/// The crash, restart or promotion that changed a queue; null: none did.
const Event* change_of_its_node(const CauseFacts& facts, const Event& changed) {
  return facts.change_of_a_node_at(changed.at, facts.group_of(facts.actor_of(changed)));
}

/// Of whose place a script changed, or a fault.
Cause place_lost(const CauseFacts& facts, EventIndex index, std::string_view who,
                 std::string sentence) {
  const Event& event = facts.events()[index];
  const Event* const command = facts.command_at(index);
  const bool is_of_a_script = !event.text("by").empty() || command != nullptr;
  return {.kind = is_of_a_script                                ? CauseKind::place_lost
                  : change_of_its_node(facts, event) != nullptr ? CauseKind::lost_by_server
                                                                : CauseKind::erased,
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
  const Event* const change = change_of_its_node(facts, event);
  if (change != nullptr && change->kind == model_kind::node_promoted) {
    return fmt::format("{} became master in place of {} at {} without {}'s place in the queue.",
                       facts.actor_of(*change), brief(change->text("in_place_of")),
                       milliseconds(change->at), brief(who));
  }
  const std::string fault = facts.fault_at(index);
  return fmt::format("{} lost its place in the queue on {} at {} ({}).", brief(who),
                     facts.actor_of(event), milliseconds(event.at),
                     fault.empty() ? std::string("no script took it") : "the fault: " + fault);
}

/// Whether it stands in the queue again as somebody serves that: meanwhile nobody's place is seen.
bool comes_back(const CauseFacts& facts, EventIndex gone, std::string_view who) {
  const std::string_view lock = facts.events()[gone].text("lock");
  for (EventIndex index = gone + 1; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.kind != model_kind::queue_changed || event.text("lock") != lock) continue;
    return event.text("by").empty() && place_of(event.text("owners"), who) != no_place;
  }
  return false;
}

/// Whether the one whose script changed the queue took the lock by it.
bool was_granted(const CauseFacts& facts, EventIndex queue_changed) {
  const Event& left = facts.events()[queue_changed];
  for (EventIndex index = queue_changed + 1; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.at != left.at) break;
    const bool is_grant = event.kind == model_kind::lock_changed &&
                          event.text("cause") == "acquire" && event.text("by") == left.text("by") &&
                          event.text("lock") == left.text("lock");
    if (is_grant) return true;
  }
  return false;
}

/// ", where it stood since 1 ms, though it still waited and had asked last at 2 ms; ahead of it b/1
/// had left at 3 ms (its leave)": of whose place was taken, which began at `since`, as it was.
std::string what_stood(const CauseFacts& facts, EventIndex taken, std::string_view who,
                       EventIndex since) {
  std::string words =
      fmt::format(", where it had stood since {}", milliseconds(facts.events()[since].at));
  const Event* asked = nullptr;
  const Event* left = nullptr;
  EventIndex left_at = 0;
  std::string_view before = facts.events()[since].text("owners");
  for (EventIndex index = since; index < taken; ++index) {
    const Event& event = facts.events()[index];
    const bool is_asking = event.kind == model_kind::command_executed && facts.is_for(event, who);
    if (is_asking) asked = &event;
    if (event.kind != model_kind::queue_changed ||
        event.text("lock") != facts.events()[taken].text("lock"))
      continue;
    const std::string_view by = event.text("by");
    const bool is_ahead = place_of(before, by) < place_of(before, who);
    if (is_ahead && place_of(event.text("owners"), by) == no_place && !by.empty()) {
      left = &event;
      left_at = index;
    }
    before = event.text("owners");
  }
  const Event* const crash =
      facts.last_of(sim_kind::process_crashed, brief(facts.group_of(who)), taken);
  const bool waits = !facts.is_between_steps(who, facts.events()[taken]) &&
                     (crash == nullptr || crash < &facts.events()[since]);
  if (waits && asked != nullptr) {
    words +=
        fmt::format(", though it waited and had asked for the lock at {}", milliseconds(asked->at));
  }
  if (left == nullptr) return words;
  const Event* const command = facts.command_at(left_at);
  return words + fmt::format("; {}, ahead of it, had {} at {}{}", brief(left->text("by")),
                             was_granted(facts, left_at) ? "been granted the lock" : "left",
                             milliseconds(left->at),
                             command == nullptr
                                 ? std::string()
                                 : fmt::format(" (its {})", brief(command->text("label"))));
}

}  // namespace

std::optional<Cause> explain_lost_place(const CauseFacts& facts, std::string_view who,
                                        std::string_view lock, sim::TimeNs until_ns) {
  struct Queue {
    std::string owners;    // before the event
    EventIndex since = 0;  // where it stands there: it does from then on
  };
  std::map<std::string, Queue, std::less<>> queues;  // by lock
  for (EventIndex index = 0; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.at > until_ns) break;
    if (event.kind != model_kind::queue_changed) continue;
    if (!lock.empty() && event.text("lock") != lock) continue;
    Queue& queue = queues[std::string(event.text("lock"))];
    const std::size_t was = place_of(queue.owners, who);
    const std::size_t is = place_of(event.text("owners"), who);
    const std::string_view by = event.text("by");
    if (was != no_place && is == no_place && by.empty() && comes_back(facts, index, who)) continue;
    queue.owners = event.text("owners");
    if (was == no_place && is != no_place) queue.since = index;
    if (was == no_place) continue;
    if (is == no_place && by.empty()) {
      return place_lost(facts, index, who, loss_without_script(facts, index, who));
    }
    if (is == no_place && by != who) {
      return place_lost(facts, index, who,
                        fmt::format("{} took {} out of the queue{}.", script_at(facts, index),
                                    brief(who), what_stood(facts, index, who, queue.since)));
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

std::optional<Cause> explain_no_place(const CauseFacts& facts, std::string_view who,
                                      sim::TimeNs refused_ns) {
  std::optional<EventIndex> asked;  // the last script of its own by then
  for (EventIndex index = 0; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.at > refused_ns) break;
    const bool stands =
        event.kind == model_kind::queue_changed && place_of(event.text("owners"), who) != no_place;
    if (stands && event.at == refused_ns) return std::nullopt;
    const bool is_its = event.kind == model_kind::command_executed && facts.is_for(event, who);
    if (is_its && event.text("command").starts_with("EVAL")) asked = index;
  }
  if (!asked) return std::nullopt;
  const Event& event = facts.events()[*asked];
  Cause cause;
  cause.kind = CauseKind::place_lost;
  cause.victim = brief(who);
  note_command(cause, facts, event);
  cause.says.push_back(fmt::format(
      "{}'s {}, executed on {} at {}, refused it the lock (the reply: {}) and left it without a "
      "place in the queue; those who came later were queued, and served.",
      cause.victim, cause.operation, cause.server, milliseconds(event.at),
      brief(event.text("reply"))));
  return cause;
}

std::string stayed_when_served(const CauseFacts& facts, const CauseFacts::Event& served) {
  const Event* twice = nullptr;  // since this change it stood there more than once
  for (const Event& event : facts.events()) {
    if (&event == &served) break;
    const bool is_of_it =
        event.kind == model_kind::queue_changed && event.text("lock") == served.text("lock");
    if (!is_of_it || event.at == served.at) continue;
    std::string_view owners = event.text("owners");
    const std::size_t first = place_of(owners, served.text("by"));
    for (std::size_t i = 0; i <= first && !owners.empty() && first != no_place; ++i) {
      owners.remove_prefix(std::min(owners.find(' '), owners.size() - 1) + 1);
    }
    const bool is_twice = first != no_place && place_of(owners, served.text("by")) != no_place;
    if (!is_twice) {
      twice = nullptr;
    } else if (twice == nullptr) {
      twice = &event;
    }
  }
  const std::string when = milliseconds(served.at);
  if (twice == nullptr) return fmt::format(", and stayed there as it got the lock at {}", when);
  return fmt::format(", stood there twice from {} on, and stayed as it got the lock at {}",
                     milliseconds(twice->at), when);
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
