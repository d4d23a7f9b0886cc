#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

namespace model_kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

/// The name of the lock in which somebody believed from then on. Empty: nobody knows.
std::string_view lock_believed(const CauseFacts& facts, const checker::Moment& from) {
  if (from.order == 0 || from.order > facts.events().size()) return {};
  const Event& event = facts.events()[from.order - 1];
  return event.kind == model_kind::belief_began ? event.text("lock") : std::string_view();
}

/// How the owner lost the lock in which it believes since that event. What it took anew meanwhile,
/// and gave back itself, it had lost before: so that counts. Null: it has it.
const HoldPeriod* loss_behind(const CauseFacts& facts, const std::string& owner,
                              const std::vector<HoldPeriod>& hold_periods, EventIndex believes) {
  if (hold_periods.empty() || !hold_periods.back().lost) return nullptr;
  const HoldPeriod& last = hold_periods.back();
  const auto is_own = [&](const HoldPeriod& each) {
    return facts.events()[*each.lost].text("by") == owner;
  };
  if (last.taken < believes || !is_own(last)) return &last;
  const std::string_view lock = facts.events()[last.taken].text("lock");
  const auto first = std::ranges::find_if(hold_periods, [&](const HoldPeriod& each) {
    return each.lost && *each.lost > believes && !is_own(each) &&
           facts.events()[each.taken].text("lock") == lock;
  });
  return first == hold_periods.end() ? &last : &*first;
}

/// ", and had no answer yet to its "set", sent to n3 at 1 ms", ", and its connection with n3, begun
/// at 1 ms, was not open yet": what its owner waited for as it lost the lock. Empty: nothing.
std::string waited_for(const CauseFacts& facts, const std::string& owner, sim::TimeNs lost_ns) {
  std::map<std::pair<std::string_view, std::string_view>, const Event*> unanswered;  // label, to
  for (const TraceMessage& message : facts.messages().all()) {
    const Event& sent = facts.events()[message.sent];
    if (!facts.is_of(message.on_behalf_of, owner) || sent.at > lost_ns) continue;
    const std::string_view replied = replied_label(message.label);
    if (replied.empty()) {
      unanswered[{message.label, sent.text("to")}] = &sent;
    } else if (message.fate == Fate::arrived && facts.events()[message.ended].at <= lost_ns) {
      unanswered.erase({replied, facts.actor_of(sent)});
    }
  }
  const auto last =
      std::ranges::max_element(unanswered, {}, [](const auto& each) { return each.second->at; });
  if (last != unanswered.end()) {
    const auto& [request, sent] = *last;
    return fmt::format(", and had no answer yet to its \"{}\", sent to {} at {}",
                       brief(request.first), brief(request.second), milliseconds(sent->at));
  }
  const std::string process = facts.group_of(owner);
  std::map<std::int64_t, const Event*> opening;  // by connection
  for (const Event& event : facts.events()) {
    if (event.at > lost_ns) break;
    if (facts.actor_of(event) != process) continue;
    if (event.kind == sim_kind::connection_opening) opening[event.number("connection")] = &event;
    const bool is_over = event.kind == sim_kind::connection_opened ||
                         event.kind == sim_kind::connection_refused ||
                         event.kind == sim_kind::connection_closed;
    if (is_over) opening.erase(event.number("connection"));
  }
  if (opening.empty()) return {};
  const Event& begun = *opening.begin()->second;
  return fmt::format(", and its connection with {}, begun at {}, was not open yet",
                     brief(begun.text("to")), milliseconds(begun.at));
}

/// The script that gave the lock to one of the two while the other had it; none: no one did, by
/// then.
std::optional<Cause> explain_both(const CauseFacts& facts, const std::string& one,
                                  const std::string& other, const checker::Moment& until) {
  for (EventIndex index = 0; index < std::min<EventIndex>(until.order, facts.events().size());
       ++index) {
    const Event& event = facts.events()[index];
    if (event.kind != model_kind::lock_changed || event.text("cause") != "acquire") continue;
    const std::string_view by = event.text("by");
    const std::vector<Holder> holders = holders_from(event.text("holders"));
    const bool is_it = (by == one || by == other) && holds(holders, one) && holds(holders, other);
    const Event* const command = is_it ? facts.command_at(index) : nullptr;
    if (command == nullptr) continue;
    Cause cause;
    cause.kind = CauseKind::granted_beside;
    cause.victim = brief(by == one ? other : one);
    note_command(cause, facts, *command);
    cause.says.push_back(fmt::format(
        "{}'s {}, executed on {} at {}, was granted though {} had the "
        "lock: its key named both from then on.",
        cause.culprit, cause.operation, cause.server, milliseconds(command->at), cause.victim));
    return cause;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Cause> explain_overlap(const CauseFacts& facts, const checker::Evidence& first,
                                   const checker::Evidence& second) {
  const checker::Names& names = facts.example().judged->names;
  const std::string& owner = names.text(first.who);
  const std::string& other = names.text(second.who);
  // Who has taken several together may have lost one of them.
  const std::vector<HoldPeriod> hold_periods =
      facts.hold_periods(owner, lock_believed(facts, first.from), second.from.order);
  const HoldPeriod* const lost = loss_behind(facts, owner, hold_periods, first.from.order);
  if (lost == nullptr) {
    std::vector<Cause> causes;
    for (const checker::Evidence* const evidence : {&first, &second}) {
      std::optional<Cause> cause = explain_grant(facts, names.text(evidence->who), evidence->from);
      if (cause) causes.push_back(*std::move(cause));
    }
    if (causes.empty()) {
      if (std::optional<Cause> both = explain_both(facts, owner, other, second.from)) {
        causes.push_back(*std::move(both));
      }
    }
    return causes;
  }
  sim::TimeNs lost_at = facts.events()[*lost->lost].at;
  const Event* const asked =
      facts.last_of(model_kind::step_invoked, brief(owner), first.from.order);
  if (asked != nullptr && lost_at < asked->at) {
    // What it had lost was another hold, which was over when it asked for this one.
    if (std::optional<Cause> grant = explain_grant(facts, owner, first.from)) {
      return {*std::move(grant)};
    }
  }
  Cause cause = *explain_loss_at(facts, owner, *lost->lost, second.from.at_ns);
  // A reader's lease may have ended before.
  if (cause.kind == CauseKind::lease_ended) lost_at = std::min(lost_at, cause.at_ns);
  if (lost_at < second.from.at_ns) {
    cause.says.push_back(fmt::format("{} was granted the lock at {}.", brief(other),
                                     milliseconds(second.from.at_ns)));
  }
  if (lost_at < first.from.at_ns) {
    if (cause.kind == CauseKind::lease_ended) {
      cause.mistake = late_belief(facts, owner, asked == nullptr ? lost_at : asked->at, lost_at,
                                  first.from.at_ns);
    }
    cause.says.push_back(fmt::format(
        "{} took it for its own at {}, {} after it had lost it{}.", brief(owner),
        milliseconds(first.from.at_ns), milliseconds(first.from.at_ns - lost_at),
        asked == nullptr ? std::string()
                         : fmt::format("; it had asked for it at {}{}", milliseconds(asked->at),
                                       waited_for(facts, owner, lost_at))));
  } else if (first.until && first.until->at_ns > lost_at) {
    const std::optional<Mistake> miscount =
        cause.kind == CauseKind::lease_ended
            ? counted_from_reply(facts, *lost, owner, first.until->at_ns)
            : std::nullopt;
    cause.says.push_back(
        fmt::format("{} went on believing until {}: {} too long{}.", brief(owner),
                    milliseconds(first.until->at_ns), milliseconds(first.until->at_ns - lost_at),
                    miscount ? ", as it counted its validity from the reply" : ""));
    if (miscount) cause.mistake = miscount;
  }
  return {std::move(cause)};
}

}  // namespace lockstep::reports
