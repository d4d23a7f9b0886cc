#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"
#include "search/runs/run_record.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

namespace kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

/// "its unsubscribe, sent at 1 ms, was lost (connection-closed)", "nothing ended that".
std::string end_lost(const CauseFacts& facts, const Event& subscribed) {
  const std::string process = facts.group_of(subscribed.text("on_behalf_of"));
  for (const TraceMessage& message : facts.messages().all()) {
    const Event& sent = facts.events()[message.sent];
    const bool is_it = message.label == "unsubscribe" && message.fate == Fate::lost &&
                       sent.at >= subscribed.at && facts.group_of(facts.actor_of(sent)) == process;
    if (!is_it) continue;
    return fmt::format("its unsubscribe, sent at {}, was lost ({})", milliseconds(sent.at),
                       facts.why_lost(message));
  }
  for (const Event& event : facts.events()) {
    const bool is_forgotten =
        event.kind == kind::fault_struck && event.at >= subscribed.at &&
        event.text("what").find("forget its connections") != std::string_view::npos;
    if (!is_forgotten) continue;
    return fmt::format("its connection was gone from {} on without {} knowing of it",
                       milliseconds(event.at), facts.actor_of(subscribed));
  }
  return "nothing ended that";
}

/// The last that subscribed to this channel, which nobody gave up since.
std::optional<Cause> explain_subscription(const CauseFacts& facts, std::string_view what) {
  const std::string_view name = quoted_in(what);
  std::vector<const Event*> standing;  // also those whose connection is gone
  const Event* refused = nullptr;      // to end it
  for (const Event& event : facts.events()) {
    if (event.kind != kind::command_executed) continue;
    const std::string_view channel = event.text("arguments");
    if (channel.empty() || !name.starts_with(channel)) continue;
    if (event.text("command") == "SUBSCRIBE") {
      standing.push_back(&event);
      refused = nullptr;
    }
    if (event.text("command") != "UNSUBSCRIBE") continue;
    const auto undone = std::find_if(standing.rbegin(), standing.rend(), [&](const Event* each) {
      return facts.group_of(event.text("on_behalf_of")) ==
             facts.group_of(each->text("on_behalf_of"));
    });
    if (undone == standing.rend()) continue;
    if (event.text("reply").starts_with("error")) {
      refused = &event;
    } else {
      standing.erase(std::next(undone).base());
    }
  }
  if (standing.empty()) return std::nullopt;
  const Event* const subscribed = standing.back();
  const std::string who = brief(subscribed->text("on_behalf_of"));
  Cause cause;
  cause.kind = CauseKind::left_behind;
  note_command(cause, facts, *subscribed);
  std::string sentence = fmt::format(
      "{} had subscribed on {} at {}, and {}", who, cause.server, milliseconds(subscribed->at),
      refused == nullptr
          ? end_lost(facts, *subscribed)
          : fmt::format("its {} at {} was refused ({})", brief(refused->text("label")),
                        milliseconds(refused->at), brief(refused->text("reply"), 80)));
  const auto index = static_cast<EventIndex>(subscribed - facts.events().data());
  const auto ended =
      std::find_if(facts.events().begin() + static_cast<std::ptrdiff_t>(index),
                   facts.events().end(), [&](const Event& event) {
                     return event.kind == kind::step_completed && facts.actor_of(event) == who;
                   });
  if (ended != facts.events().end() && ended->text("outcome") != "ok") {
    const std::string detail = brief(ended->text("detail"), 80);
    sentence += fmt::format("; its {} came to nothing at {}{}", brief(ended->text("step")),
                            milliseconds(ended->at),
                            detail.empty() ? std::string() : fmt::format(" ({})", detail));
  }
  cause.says.push_back(sentence + ".");
  return cause;
}

/// Whose command left a key without a TTL.
std::optional<Cause> explain_missing_ttl(const CauseFacts& facts, EventIndex at) {
  const Event* const command = facts.command_at(at);
  if (command == nullptr || command->number("writes") == 0) return std::nullopt;
  Cause cause;
  cause.kind = CauseKind::left_behind;
  note_command(cause, facts, *command);
  const Event* const crash = facts.last_of(
      sim_kind::process_crashed, brief(facts.group_of(cause.culprit)), facts.events().size());
  const bool is_its_last =
      crash != nullptr && crash->at >= command->at &&
      facts.last_of(kind::command_executed, cause.server,
                    static_cast<EventIndex>(crash - facts.events().data())) == command;
  cause.says.push_back(fmt::format(
      "{}'s {}, executed on {} at {}, left the key without a TTL{}.", cause.culprit,
      cause.operation, cause.server, milliseconds(command->at),
      is_its_last
          ? fmt::format(", and {} crashed at {}", facts.actor_of(*crash), milliseconds(crash->at))
          : std::string()));
  return cause;
}

/// Whose place in a queue, or deadline, is left, and the script that last changed the place.
std::optional<Cause> explain_left_place(const CauseFacts& facts, std::string_view owner) {
  const Event* changed = nullptr;  // the last time that it came or went
  EventIndex changed_at = 0;
  bool stands = false;
  for (EventIndex index = 0; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.kind != kind::queue_changed) continue;
    const std::string owners = fmt::format(" {} ", event.text("owners"));
    const bool is_there = owners.find(fmt::format(" {} ", owner)) != std::string::npos;
    if (is_there == stands) continue;
    stands = is_there;
    changed = &event;
    changed_at = index;
  }
  const Event* const command = changed == nullptr ? nullptr : facts.command_at(changed_at);
  if (command == nullptr) return std::nullopt;
  const std::string who = brief(owner);
  Cause cause;
  cause.kind = CauseKind::left_behind;
  cause.victim = who;
  note_command(cause, facts, *command);
  const std::string script = fmt::format("{}'s {}, executed on {} at {},", cause.culprit,
                                         cause.operation, cause.server, milliseconds(command->at));
  const Event* const ended = facts.last_of(kind::step_completed, who, facts.events().size());
  cause.says.push_back(
      stands ? fmt::format("{} gave {} a place in the queue, which it has still{}.", script, who,
                           ended == nullptr || ended->at < command->at
                               ? std::string()
                               : fmt::format(", though its {} was over at {}",
                                             brief(ended->text("step")), milliseconds(ended->at)))
             : fmt::format("{} took {} out of the queue, and left its deadline.", script, who));
  return cause;
}

}  // namespace

std::optional<Cause> explain_left_behind(const CauseFacts& facts,
                                         const checker::Evidence& residue) {
  const EventIndex at =
      std::min<EventIndex>(static_cast<EventIndex>(residue.from.order), facts.events().size() - 1);
  const std::string_view what = residue.what;
  if (what.find("no TTL") != std::string_view::npos) return explain_missing_ttl(facts, at);
  if (what.find("subscription") != std::string_view::npos) return explain_subscription(facts, what);
  if (!what.starts_with("key ")) return std::nullopt;
  if (residue.who != checker::no_name) {
    return explain_left_place(facts, facts.example().judged->names.text(residue.who));
  }
  return explain_left_key(facts, quoted_in(what), at);
}

}  // namespace lockstep::reports
