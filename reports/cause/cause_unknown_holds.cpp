#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
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

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

/// A step that came to nothing, or an attempt to take the lock that was told no.
bool is_refusal(const Event& told) {
  if (told.kind == model_kind::step_completed) return told.text("outcome") != "ok";
  return told.kind == model_kind::service_completed && told.text("outcome") == "fail";
}

/// Whether the lock's state is another one since the command was executed.
bool changes(const CauseFacts& facts, EventIndex command, std::string_view lock) {
  const Event& executed = facts.events()[command];
  for (EventIndex index = command + 1; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.at != executed.at) return false;
    if (event.kind == model_kind::lock_changed && event.text("lock") == lock) return true;
  }
  return false;
}

/// Whether its owner released the hold that it took then, sooner or later.
bool is_given_back(const CauseFacts& facts, const std::string& owner, const Event& taken) {
  for (const HoldPeriod& period : facts.hold_periods(owner, {}, facts.events().size())) {
    if (&facts.events()[period.taken] != &taken) continue;
    return period.lost && facts.events()[*period.lost].text("by") == owner;
  }
  return false;
}

/// The last of these that began before the event; null where it was over by then, or there is none.
const HoldPeriod* period_at(const std::vector<HoldPeriod>& periods, EventIndex event) {
  const auto after =
      std::partition_point(periods.begin(), periods.end(),
                           [event](const HoldPeriod& period) { return period.taken < event; });
  if (after == periods.begin()) return nullptr;
  const HoldPeriod& last = *std::prev(after);
  return last.lost && *last.lost < event ? nullptr : &last;
}

/// Whether a word of the request is one by which the older hold was taken, and not the younger one:
/// a token.
bool names_older(std::string_view request, std::string_view older, std::string_view younger) {
  const std::vector<std::string_view> words = words_of(request);
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return has_word(older, word) && !has_word(younger, word);
  });
}

/// " It was for the hold that …": of a request that came for a hold of its owner before the one
/// that it has; empty: it did not.
std::string of_older_hold(const CauseFacts& facts, const std::string& owner, EventIndex request) {
  const std::vector<HoldPeriod> periods = facts.hold_periods(owner, {}, facts.events().size());
  const HoldPeriod* const now = period_at(periods, request);
  if (now == nullptr) return {};
  const Event* const younger = facts.command_at(now->taken);
  if (younger == nullptr) return {};
  for (const HoldPeriod& period : periods) {
    if (period.taken >= now->taken || !period.lost) continue;
    const Event* const older = facts.command_at(period.taken);
    if (older == nullptr || !names_older(facts.events()[request].text("arguments"),
                                         older->text("arguments"), younger->text("arguments"))) {
      continue;
    }
    return fmt::format(" It was for the hold that {} had from {} to {}.", brief(owner),
                       milliseconds(facts.events()[period.taken].at),
                       milliseconds(facts.events()[*period.lost].at));
  }
  return {};
}

}  // namespace

std::optional<Cause> explain_split_vote(const CauseFacts& facts, const std::string& owner,
                                        EventIndex before) {
  struct Vote {
    const Event* got = nullptr;
    const Event* given_back = nullptr;
  };
  std::map<std::string, Vote> votes;  // by node
  std::string asking;                 // the command that gets a vote: the first of all
  for (EventIndex index = 0; index < std::min(before, facts.events().size()); ++index) {
    const Event& event = facts.events()[index];
    if (event.kind != model_kind::command_executed || !facts.is_for(event, owner)) continue;
    if (event.number("writes") == 0) continue;
    if (asking.empty()) asking = std::string(event.text("label"));
    Vote& vote = votes[facts.actor_of(event)];
    if (event.text("label") == asking) {
      vote = {&event, nullptr};
    } else {
      vote.given_back = &event;
    }
  }
  // What it had got and given back before it asked is of another time.
  const Event* const asked = facts.last_of(model_kind::step_invoked, brief(owner), before);
  std::erase_if(votes, [&](const auto& vote) {
    const Vote& its = vote.second;
    return asked != nullptr && its.got != nullptr && its.given_back != nullptr &&
           its.given_back < asked;
  });
  // So is what made a majority that is over.
  for (const HoldPeriod& period : facts.hold_periods(owner, {}, before)) {
    if (!period.lost) continue;
    const sim::TimeNs lost_ns = facts.events()[*period.lost].at;
    std::erase_if(votes, [&](const auto& vote) {
      return vote.second.got != nullptr && vote.second.got->at < lost_ns;
    });
  }
  std::vector<std::string> got;
  std::vector<std::string> given_back;
  sim::TimeNs at_ns = 0;          // of the last that it got
  sim::TimeNs given_back_ns = 0;  // and of the last that it gave back
  bool is_left_behind = false;    // a node did it when the owner did not ask any more
  for (const auto& [node, vote] : votes) {
    if (vote.got == nullptr) continue;
    at_ns = std::max(at_ns, vote.got->at);
    got.push_back(fmt::format("{} at {}", node, milliseconds(vote.got->at)));
    if (vote.given_back != nullptr) {
      given_back.push_back(node);
      given_back_ns = std::max(given_back_ns, vote.given_back->at);
    } else if (facts.is_between_steps(owner, *vote.got)) {
      is_left_behind = true;
    }
  }
  if (got.empty()) return std::nullopt;
  Cause cause;
  cause.kind = is_left_behind ? CauseKind::left_behind : CauseKind::split_vote;
  cause.culprit = brief(owner);
  cause.operation = brief(asking);
  cause.at_ns = at_ns;
  const std::string then =
      given_back.empty() ? std::string(got.size() == 1 ? "and kept it" : "and kept them")
      : given_back.size() == got.size()
          ? fmt::format("and had given {} back by {}", got.size() == 1 ? "it" : "them",
                        milliseconds(given_back_ns))
          : fmt::format("and gave back {} alone", fmt::join(given_back, ", "));
  cause.says.push_back(fmt::format("{} got {}, {}.", brief(owner), fmt::join(got, ", "), then));
  return cause;
}

std::optional<Cause> explain_refused_majority(const CauseFacts& facts, const std::string& owner,
                                              sim::TimeNs from_ns, sim::TimeNs until_ns) {
  for (const HoldPeriod& period : facts.hold_periods(owner, {}, facts.events().size())) {
    const Event& taken = facts.events()[period.taken];
    if (taken.at < from_ns || taken.at > until_ns) continue;
    const Event* told = nullptr;
    for (EventIndex index = period.taken; index < facts.events().size(); ++index) {
      const Event& event = facts.events()[index];
      if (event.kind != model_kind::service_completed || !facts.is_by(event, owner)) continue;
      told = &event;
      break;
    }
    if (told == nullptr || told->text("outcome") == "ok") continue;
    const Event* const command = facts.command_at(period.taken);
    if (command == nullptr) continue;
    Cause cause;
    cause.kind = CauseKind::unknown_grant;
    cause.victim = brief(owner);
    note_command(cause, facts, *command);
    cause.says.push_back(fmt::format(
        "{}'s {}, executed on {} at {}, gave it a majority of the nodes, but at {} it took the "
        "lock for refused all the same.",
        cause.victim, cause.operation, cause.server, milliseconds(taken.at),
        milliseconds(told->at)));
    return cause;
  }
  return std::nullopt;
}

std::optional<Cause> explain_refused_owner(const CauseFacts& facts,
                                           const checker::Evidence& operation) {
  if (!operation.until) return std::nullopt;
  const std::string& who = facts.example().judged->names.text(operation.who);
  std::string_view lock;
  const Event* asked = nullptr;
  EventIndex asked_at = 0;
  bool was_refused = false;
  for (EventIndex index = 0; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.at > operation.until->at_ns) break;
    if (event.at < operation.from.at_ns) continue;
    const bool is_its_own = facts.is_by(event, who);
    if (event.kind == model_kind::service_invoked && is_its_own) lock = event.text("lock");
    if (event.kind == model_kind::service_completed && is_its_own) {
      was_refused = event.text("outcome") == "fail";
    }
    const std::string_view for_whom = event.text("on_behalf_of");
    const bool is_asked = event.kind == model_kind::command_executed &&
                          facts.group_of(for_whom) == facts.group_of(who) &&
                          !event.text("command").ends_with("SUBSCRIBE");
    if (!is_asked || lock.empty()) continue;
    const Event* const state = facts.state_before(index, lock);
    const bool has_it = state != nullptr && holds(holders_from(state->text("holders")), who);
    const bool is_of_it = names_lock(event.text("arguments"), lock);
    const bool is_for_another = !facts.is_of(for_whom, who);
    if (is_for_another && !is_of_it) continue;
    // With others' in one batch it may have done nothing for this one alone.
    const bool is_in_vain =
        event.number("writes") == 0 || (is_for_another && !changes(facts, index, lock));
    asked = has_it && is_of_it && is_in_vain ? &event : nullptr;
    asked_at = index;
  }
  if (!was_refused || asked == nullptr || facts.is_quorum(who)) return std::nullopt;
  Cause cause;
  cause.kind = CauseKind::answer_untrue;
  cause.victim = brief(who);
  note_command(cause, facts, *asked);
  cause.says.push_back(fmt::format(
      "{}'s {}, executed on {} at {}, did nothing for {} (the reply: {}), though it had lock "
      "\"{}\" then.{}",
      cause.culprit, cause.operation, cause.server, milliseconds(asked->at),
      facts.is_of(cause.culprit, who) ? std::string("it") : cause.victim,
      brief(asked->text("reply"), 80), brief(lock), of_older_hold(facts, who, asked_at)));
  return cause;
}

std::optional<Cause> explain_unknown_hold(const CauseFacts& facts, const std::string& owner) {
  const std::string who = brief(owner);
  const std::vector<HoldPeriod> periods = facts.hold_periods(owner, {}, facts.events().size());
  for (EventIndex index = 0; index < facts.events().size(); ++index) {
    const Event& told = facts.events()[index];
    if (!is_refusal(told) || !facts.is_by(told, owner)) continue;
    const bool is_step = told.kind == model_kind::step_completed;
    const Event* const asked =
        facts.last_of(is_step ? model_kind::step_invoked : model_kind::service_invoked, who, index);
    const HoldPeriod* const period = period_at(periods, index);
    if (asked == nullptr || period == nullptr) continue;
    const Event& taken = facts.events()[period->taken];
    if (taken.at < asked->at) continue;
    const Event* const command = facts.command_at(period->taken);
    if (!is_step && (asked->text("kind") != "acquire" || is_given_back(facts, owner, taken))) {
      continue;
    }
    const std::string what =
        is_step || command == nullptr ? brief(asked->text("step")) : brief(command->text("label"));
    const std::string by = is_step && command != nullptr
                               ? fmt::format(" by its {}", brief(command->text("label")))
                               : std::string();
    const std::string detail = brief(told.text("detail"));
    Cause cause;
    cause.kind = CauseKind::unknown_grant;
    cause.victim = who;
    cause.culprit = who;
    cause.operation = what;
    cause.server = facts.actor_of(taken);
    cause.at_ns = taken.at;
    cause.says.push_back(fmt::format(
        "{}'s {} took the lock{} on {} at {}, but {} was told at {} that it had not{}: "
        "the hold stayed.",
        who, what, by, facts.actor_of(taken), milliseconds(taken.at), who, milliseconds(told.at),
        detail.empty() ? std::string() : fmt::format(" ({})", detail)));
    return cause;
  }
  return std::nullopt;
}

}  // namespace lockstep::reports
