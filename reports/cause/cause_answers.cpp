// Operations whose answer is not what they did: they acted on another's hold, did their work and
// were told that they had not, or sent no request at all.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/evidence.h"
#include "checker/history.h"
#include "checker/property.h"
#include "checker/text.h"
#include "checker/verdict.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

namespace kind = model::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

bool is_command_of(const CauseFacts& facts, const Event& event, std::string_view owner) {
  return event.kind == kind::command_executed && facts.is_for(event, owner);
}

/// How an owner gave back what it had last, before an event, and was told that it had not; none: it
/// did not, or was told so.
std::optional<Cause> explain_denied_release(const CauseFacts& facts, const std::string& owner,
                                            EventIndex before) {
  const std::vector<HoldPeriod> periods = facts.hold_periods(owner, {}, before);
  if (periods.empty() || !periods.back().lost) return std::nullopt;
  const EventIndex lost = *periods.back().lost;
  const Event* const command = facts.command_at(lost);
  const Event* const step = facts.last_of(kind::step_invoked, brief(owner), lost);
  if (facts.events()[lost].text("by") != owner || command == nullptr || step == nullptr) {
    return std::nullopt;
  }
  for (EventIndex index = lost; index < facts.events().size(); ++index) {
    const Event& told = facts.events()[index];
    if (told.kind != kind::step_completed || !facts.is_by(told, owner)) continue;
    if (told.text("outcome") != "fail" || told.text("step") != step->text("step")) break;
    Cause cause;
    cause.kind = CauseKind::answer_untrue;
    cause.victim = brief(owner);
    note_command(cause, facts, *command);
    cause.says.push_back(fmt::format(
        "{}'s {}, executed on {} at {}, gave the lock back, but {} was told at {} that it had not "
        "had it.",
        cause.victim, cause.operation, cause.server, milliseconds(command->at), cause.victim,
        milliseconds(told.at)));
    const std::string disruptions = facts.disruptions(owner, command->at, told.at);
    if (!disruptions.empty()) cause.says.push_back(fmt::format("Meanwhile {}.", disruptions));
    return cause;
  }
  return std::nullopt;
}

/// What a change of a lock's lease took from those whose own it was to last.
struct CutLease {
  std::string holders;  ///< "a/1 and b/1"
  sim::TimeNs would_have_ended_ns = 0;
};
/// None: it left all of them what they had asked for, if less than others had made of it.
std::optional<CutLease> cut_by(const CauseFacts& facts, const Event& before, EventIndex change) {
  std::optional<CutLease> cut;
  const std::string_view lock = facts.events()[change].text("lock");
  for (const Holder& holder : holders_from(before.text("holders"))) {
    const std::vector<HoldPeriod> periods = facts.hold_periods(holder.owner, lock, change + 1);
    if (periods.empty() || periods.back().shortened != change) continue;
    const sim::TimeNs end_ns = periods.back().would_have_ended_ns;
    if (!cut) {
      cut = CutLease{brief(holder.owner), end_ns};
    } else {
      cut->holders += " and " + brief(holder.owner);
      cut->would_have_ended_ns = std::max(cut->would_have_ended_ns, end_ns);
    }
  }
  return cut;
}

}  // namespace

std::optional<Cause> explain_set_for_others(const CauseFacts& facts,
                                            const checker::Evidence& operation) {
  const std::string& by = facts.names().text(operation.who);
  const sim::TimeNs until_ns = operation.until.value_or(operation.from).at_ns;
  for (EventIndex index = 0; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.at > until_ns) return std::nullopt;
    const bool is_its = event.kind == kind::lock_changed && event.text("by") == by &&
                        event.text("cause") == "renewal" && event.at >= operation.from.at_ns;
    const Event* const command = is_its ? facts.command_at(index) : nullptr;
    const Event* const before =
        command == nullptr ? nullptr : facts.state_before(index, event.text("lock"));
    if (before == nullptr || holds(holders_from(before->text("holders")), by)) continue;
    const std::string holders = facts.holders_before(index, event.text("lock"));
    if (holders.empty()) continue;
    const std::optional<CutLease> cut = cut_by(facts, *before, index);
    Cause cause;
    cause.kind = cut ? CauseKind::lease_shortened : CauseKind::answer_untrue;
    cause.victim = cut ? cut->holders : holders;
    note_command(cause, facts, *command);
    const std::string what = fmt::format("{}'s {}, executed on {} at {},", brief(by),
                                         cause.operation, cause.server, milliseconds(command->at));
    if (cut) {
      cause.before = lease_left(cut->would_have_ended_ns, event.at);
      cause.after = lease_left(lease_end_of(event), event.at);
      cause.says.push_back(fmt::format("{} cut what was left of {}'s lease from {} to {}.", what,
                                       cause.victim, cause.before, cause.after));
    } else {
      cause.says.push_back(fmt::format("{} renewed the lease of {} and said so (the reply: {}).",
                                       what, holders, brief(command->text("reply"))));
    }
    return cause;
  }
  return std::nullopt;
}

std::optional<Cause> explain_earlier_hold(const CauseFacts& facts,
                                          const checker::Verdict& verdict) {
  const checker::Evidence& operation = verdict.evidence.front();
  const sim::TimeNs over_ns = operation.until.value_or(operation.from).at_ns;
  const EventIndex end = std::min<EventIndex>(facts.event_after(over_ns), facts.events().size());
  for (std::size_t i = 1; i < verdict.evidence.size(); ++i) {
    const checker::Evidence& hold = verdict.evidence[i];
    if (hold.who == checker::no_name || !hold.until) continue;
    const std::string& holder = facts.names().text(hold.who);
    if (std::optional<Cause> denied = explain_denied_release(facts, holder, end)) return denied;
    const bool is_acquired = hold.what.find("by this acquire") != std::string::npos;
    if (!is_acquired) continue;
    if (std::optional<Cause> grant = explain_grant(facts, holder, *hold.until)) return grant;
  }
  return std::nullopt;
}

std::vector<Cause> explain_refused_acquire(const CauseFacts& facts,
                                           const checker::Evidence& operation) {
  const bool is_it =
      operation.until && operation.what.find("acquire was refused") != std::string::npos;
  if (!is_it) return {};
  const std::string& who = facts.names().text(operation.who);
  const EventIndex end =
      std::min<EventIndex>(facts.event_after(operation.until->at_ns), facts.events().size());
  const Event* const asked = facts.last_of(kind::service_invoked, brief(who), end);
  if (asked == nullptr) return {};
  const std::string_view lock = asked->text("lock");
  const Event* const state = facts.state_before(end, lock);
  if (state == nullptr) return {};
  for (const Holder& holder : holders_from(state->text("holders"))) {
    const std::vector<HoldPeriod> periods = facts.hold_periods(holder.owner, lock, end);
    if (periods.empty() || holder.owner == who) continue;
    // One who was told no is free to the checker, and keeps others out all the same.
    auto unknown = explain_unknown_hold(facts, std::string(holder.owner));
    const sim::TimeNs taken_ns = facts.events()[periods.back().taken].at;
    if (unknown && unknown->at_ns == taken_ns) return {*std::move(unknown)};
    Cause cause = explain_holder(facts, {std::string(holder.owner), periods.back(), 0}, who,
                                 operation.until->at_ns, end);
    if (cause.kind != CauseKind::left_behind) continue;
    std::vector<Cause> causes;
    for (DuplicateExecution& repeat : find_duplicates(facts)) {
      const bool is_its = facts.is_of(repeat.thread, cause.culprit) && repeat.again < end;
      if (is_its) causes.push_back(std::move(repeat.cause));
    }
    causes.push_back(std::move(cause));
    return causes;
  }
  return {};
}

std::optional<Cause> explain_unsent_release(const CauseFacts& facts, const std::string& owner,
                                            sim::TimeNs by_ns) {
  const EventIndex end = std::min<EventIndex>(facts.event_after(by_ns), facts.events().size());
  const std::string who = brief(owner);
  const Event* const given_back = facts.last_of(kind::belief_ended, who, end);
  const Event* const step = facts.last_of(kind::step_invoked, who, end);
  const bool is_release = given_back != nullptr && step != nullptr &&
                          given_back->text("why") == "released" && given_back->at >= step->at;
  if (!is_release) return std::nullopt;
  const bool was_asked =
      std::any_of(facts.events().begin(), facts.events().begin() + static_cast<std::ptrdiff_t>(end),
                  [&](const Event& event) {
                    return event.at >= step->at && is_command_of(facts, event, owner);
                  });
  if (was_asked) return std::nullopt;
  Cause cause;
  cause.kind = CauseKind::count_wrong;
  cause.victim = who;
  cause.culprit = who;
  cause.at_ns = given_back->at;
  cause.says.push_back(fmt::format("{}'s {} at {} sent no request to a server.", who,
                                   brief(step->text("step")), milliseconds(given_back->at)));
  return cause;
}

std::optional<Cause> explain_empty_release(const CauseFacts& facts,
                                           const checker::Verdict& verdict) {
  const checker::Evidence& answered = verdict.evidence.front();
  const std::string& who = facts.names().text(answered.who);
  const bool is_it = verdict.summary.find("'s release of ") != std::string::npos &&
                     verdict.summary.find("answered yes") != std::string::npos;
  if (!is_it || facts.is_quorum(who)) return std::nullopt;
  const Event* command = nullptr;
  for (const Event& event : facts.events()) {
    if (event.at > answered.until.value_or(answered.from).at_ns) break;
    if (event.at < answered.from.at_ns) continue;
    // It took the lock from somebody, or failed.
    if (event.kind == kind::lock_changed && event.text("by") == who) return std::nullopt;
    if (is_command_of(facts, event, who)) command = &event;
  }
  const bool is_told = command != nullptr && !command->text("reply").starts_with("error") &&
                       !was_deposed(facts, *command);
  if (!is_told) return std::nullopt;
  Cause cause;
  cause.kind = CauseKind::answer_untrue;
  cause.victim = brief(who);
  note_command(cause, facts, *command);
  cause.says.push_back(fmt::format(
      "It went by {}'s {}, executed on {} at {} (the reply: {}), which had nothing to give back.",
      cause.victim, cause.operation, cause.server, milliseconds(command->at),
      brief(command->text("reply"))));
  return cause;
}

namespace {

/// ": a/1's unlock, begun at 1 ms, had been interrupted, and its client no longer knew the lock for
/// its own": of who has the lock still. Empty: nobody interrupted it.
std::string interrupted_release(const CauseFacts& facts, std::string_view who,
                                std::string_view lock, EventIndex before) {
  const Event* const state = facts.state_before(before, lock);
  const Event* const released = facts.last_of(kind::belief_ended, who, before);
  const bool was_released = state != nullptr && holds(holders_from(state->text("holders")), who) &&
                            released != nullptr && released->text("lock") == lock &&
                            released->text("why") == "released";
  if (!was_released) return {};
  const auto from = static_cast<EventIndex>(released - facts.events().data());
  for (EventIndex index = from; index < before; ++index) {
    const Event& event = facts.events()[index];
    if (event.kind != kind::step_completed || !facts.is_by(event, who)) continue;
    if (!event.text("detail").starts_with("INTERRUPTED")) return {};
    return fmt::format(
        ": {}'s {}, begun at {}, had been interrupted, and its client no longer knew the lock for "
        "its own",
        brief(who), brief(event.text("step")), milliseconds(released->at));
  }
  return {};
}

}  // namespace

std::string request_behind_refusal(const CauseFacts& facts, std::string_view who,
                                   std::string_view lock, const checker::Evidence& answered) {
  const sim::TimeNs until_ns = answered.until.value_or(answered.from).at_ns;
  bool was_asked = false;
  for (const Event& event : facts.events()) {
    if (event.at > until_ns) break;
    if (event.at < answered.from.at_ns || !is_command_of(facts, event, who)) continue;
    was_asked = was_asked || names_lock(event.text("arguments"), lock);
  }
  if (was_asked) return {};
  return fmt::format(
      "No server was asked for \"{}\" in that call{}.", brief(lock),
      interrupted_release(facts, who, lock, static_cast<EventIndex>(answered.from.order)));
}

std::string denied_release(const CauseFacts& facts, std::string_view who, sim::TimeNs from_ns,
                           sim::TimeNs until_ns) {
  const Event* last = nullptr;
  for (const Event& event : facts.events()) {
    if (event.at > until_ns) break;
    const bool is_it = event.kind == kind::command_executed && event.number("writes") > 0 &&
                       event.at >= from_ns && facts.is_for(event, who) &&
                       !is_renewal(event.text("label"));
    if (is_it) last = &event;
  }
  if (last == nullptr) return {};
  return fmt::format("{}'s {}, executed on {} at {}, gave it back.", brief(who),
                     brief(last->text("label")), facts.actor_of(*last), milliseconds(last->at));
}

namespace {

/// The last that a deposed master executed of an operation whose answer is untrue, rather what it
/// wrote than what it read; null: nothing.
const Event* answered_by_old_master(const CauseFacts& facts, const checker::Verdict& verdict,
                                    const checker::Evidence& answered) {
  const bool is_release = verdict.summary.find("'s release of ") != std::string::npos;
  const Event* found = nullptr;
  for (const Event& event : facts.events()) {
    if (event.at > answered.until.value_or(answered.from).at_ns) break;
    const bool is_its = event.kind == kind::command_executed && event.at >= answered.from.at_ns &&
                        facts.is_for(event, facts.names().text(answered.who));
    // What renews it goes on meanwhile.
    if (!is_its || (is_release && is_renewal(event.text("label")))) continue;
    const bool is_less = found != nullptr && found->number("writes") > event.number("writes");
    if (!is_less && was_deposed(facts, event)) found = &event;
  }
  return found;
}

}  // namespace

std::map<std::string, const Event*> answers_of_old_masters(
    const CauseFacts& facts, const std::vector<checker::Verdict>& verdicts) {
  std::map<std::string, const Event*> found;
  for (const checker::Verdict& verdict : verdicts) {
    const bool is_it = verdict.kind == checker::VerdictKind::violated &&
                       verdict.property == checker::Property::truthful_answers;
    if (!is_it) continue;
    for (const checker::Evidence& answered : verdict.evidence) {
      if (answered.who == checker::no_name) continue;
      const Event* const executed = answered_by_old_master(facts, verdict, answered);
      if (executed != nullptr) found.emplace(brief(executed->text("on_behalf_of")), executed);
    }
  }
  return found;
}

}  // namespace lockstep::reports
