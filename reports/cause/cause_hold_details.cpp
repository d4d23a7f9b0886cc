// Details of a hold that was lost: what the trace tells of it beside the event that ended it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
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

namespace {

/// "try_lock" of the step "try_lock wait=60s".
std::string_view function_of(const Event& step) {
  const std::string_view text = step.text("step");
  return text.substr(0, text.find(' '));
}

bool is_giving_back(std::string_view function) {
  return function.find("unlock") != std::string_view::npos;
}

bool is_asking(std::string_view function) {
  return function.find("lock") != std::string_view::npos && !function.starts_with("is_") &&
         !is_giving_back(function);
}

/// Of the last call of the lock in which its thread was interrupted before, and which may go on in
/// the background. Others end with what they have asked for.
std::string attempt_given_up(const CauseFacts& facts, const std::string& owner,
                             std::string_view lock, EventIndex before) {
  const Event* begun = nullptr;
  std::string given_up;
  for (EventIndex index = 0; index < before; ++index) {
    const Event& event = facts.events()[index];
    if (!facts.is_by(event, owner)) continue;
    if (event.kind == kind::step_invoked) begun = &event;
    if (event.kind != kind::step_completed || begun == nullptr) continue;
    const std::string_view function = function_of(*begun);
    if (begun->text("lock") != lock) continue;
    if (is_giving_back(function)) given_up.clear();
    const bool is_given_up = event.text("detail").starts_with("INTERRUPTED");
    if (!is_given_up || !is_asking(function)) continue;
    given_up = fmt::format(
        ", and undid by that what its {}, begun at {} and given up at {}, had asked for", function,
        milliseconds(begun->at), milliseconds(event.at));
  }
  return given_up;
}

/// Whether the step under way then came to something.
bool is_granted(const CauseFacts& facts, const std::string& owner, EventIndex then) {
  for (EventIndex index = then; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.kind != kind::step_completed || !facts.is_by(event, owner)) continue;
    return event.text("outcome") == "ok";
  }
  return false;
}

}  // namespace

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

std::string lateness_of(const CauseFacts& facts, const Event& command) {
  for (const TraceMessage& message : facts.messages().all()) {
    const bool is_its = message.delayed_by_ns > 0 && message.label == command.text("label") &&
                        facts.is_of(message.on_behalf_of, command.text("on_behalf_of")) &&
                        facts.events()[message.ended].at == command.at;
    if (!is_its) continue;
    return fmt::format("; it had been sent at {} and came {} late",
                       milliseconds(facts.events()[message.sent].at),
                       milliseconds(message.delayed_by_ns));
  }
  return {};
}

const TraceMessage* request_behind(const CauseFacts& facts, std::string_view owner,
                                   std::string_view label, EventIndex changed) {
  const sim::TimeNs at_ns = facts.events()[changed].at;
  for (const TraceMessage& message : facts.messages().all()) {
    const bool is_it = facts.is_of(message.on_behalf_of, owner) && message.label == label &&
                       message.ended < changed && facts.events()[message.ended].at == at_ns;
    if (is_it) return &message;
  }
  return nullptr;
}

std::string given_up_asking(const CauseFacts& facts, const std::string& owner,
                            std::string_view label, EventIndex changed) {
  const TraceMessage* const request = request_behind(facts, owner, label, changed);
  if (request == nullptr) return {};
  for (EventIndex index = request->sent; index < request->ended; ++index) {
    const Event& event = facts.events()[index];
    const bool is_given_up = event.kind == kind::step_completed && event.text("outcome") != "ok" &&
                             facts.is_by(event, owner);
    if (!is_given_up) continue;
    return fmt::format(" though {} had stopped waiting for it at {}", brief(owner),
                       milliseconds(event.at));
  }
  return {};
}

std::string attempt_undone(const CauseFacts& facts, const std::string& owner,
                           std::string_view label, EventIndex changed) {
  const TraceMessage* const request = request_behind(facts, owner, label, changed);
  const Event* const step =
      request == nullptr ? nullptr : facts.last_of(kind::step_invoked, brief(owner), request->sent);
  if (step == nullptr) return {};
  const std::string_view function = function_of(*step);
  const std::string given_up =
      attempt_given_up(facts, owner, facts.events()[changed].text("lock"), request->sent);
  // Who is granted the lock in that call has nothing to undo of it.
  const bool is_of_older = !given_up.empty() && is_granted(facts, owner, request->sent);
  if (is_asking(function) && !is_of_older) {
    return fmt::format(", and undid by that what its {}, begun at {}, had asked for", function,
                       milliseconds(step->at));
  }
  return is_giving_back(function) ? std::string() : given_up;
}

std::optional<OwnLease> own_lease(const CauseFacts& facts, const std::string& owner,
                                  EventIndex taken_at, EventIndex before, Served served) {
  const auto is_asking = [](const Event& event) {
    const std::string_view what = event.text("kind");
    return event.kind == kind::service_invoked &&
           (what.starts_with("acquire") || what.starts_with("renew"));
  };
  std::optional<OwnLease> lease;
  const Event* asked = nullptr;
  const Event* const taken = facts.command_at(taken_at);
  const std::string_view lock = facts.events()[taken_at].text("lock");
  for (EventIndex index = 0; index < before; ++index) {
    const Event& event = facts.events()[index];
    if (facts.is_by(event, owner) && is_asking(event) && event.text("lock") == lock) asked = &event;
    // What its client executes from then on is for others, or for what it asks for next.
    const bool is_answered = served == Served::until_answered && asked != nullptr &&
                             event.kind == kind::service_completed &&
                             event.number("operation") == asked->number("operation");
    if (is_answered) asked = nullptr;
    // The server begins a lease as it executes the request, whose answer may be lost.
    const bool is_executed = asked != nullptr && taken != nullptr && &event >= taken &&
                             event.kind == kind::command_executed && event.number("writes") > 0 &&
                             facts.group_of(event.text("on_behalf_of")) == facts.group_of(owner);
    if (!is_executed) continue;
    const sim::DurationNs length_ns = asked->number("lease_ms") * sim::millisecond_ns;
    if (length_ns <= 0 || length_ns > sim::never_ns - event.at) return std::nullopt;
    if (!lease || event.at + length_ns > lease->ends_ns) {
      lease = OwnLease{event.at, length_ns, event.at + length_ns};
    }
  }
  return lease;
}

std::optional<Cause> explain_own_lease(const CauseFacts& facts, const std::string& owner,
                                       const HoldPeriod& lost) {
  const Event& ended = facts.events()[*lost.lost];
  const Event* const before = facts.state_before(*lost.lost, ended.text("lock"));
  const bool is_by_others = ended.text("cause") == "expiry" ||
                            (ended.text("cause") == "release" && ended.text("by") != owner);
  if (before == nullptr || !is_by_others || facts.is_quorum(owner)) return std::nullopt;
  const std::vector<Holder> holders = holders_from(before->text("holders"));
  const bool reads = std::any_of(holders.begin(), holders.end(), [&](const Holder& holder) {
    return holder.owner == owner && holder.is_reader;
  });
  if (!reads) return std::nullopt;
  const auto is_over = [&](const std::optional<OwnLease>& lease) {
    // Scripts reckon in whole milliseconds.
    return lease && lease->ends_ns + sim::millisecond_ns < ended.at;
  };
  std::optional<OwnLease> lease = own_lease(facts, owner, lost.taken, *lost.lost);
  const bool is_of_others = !is_over(lease);
  if (is_of_others) {
    // Others of its client were renewed, and it was not.
    lease = own_lease(facts, owner, lost.taken, *lost.lost, Served::until_answered);
    if (!is_over(lease)) return std::nullopt;
  }
  Cause cause;
  cause.kind = CauseKind::lease_ended;
  cause.victim = brief(owner);
  cause.server = facts.actor_of(ended);
  cause.at_ns = lease->ends_ns;
  const std::string disruptions =
      facts.disruptions(owner, lease->asked_ns, lease->ends_ns, ended.text("lock"));
  if (is_of_others && disruptions.empty()) return std::nullopt;
  cause.says.push_back(fmt::format(
      "The lease of {} ended at {} on {}, {} after it was set at {}, and {} still believed that it "
      "had the lock{}.",
      cause.victim, milliseconds(lease->ends_ns), cause.server, milliseconds(lease->length_ns),
      milliseconds(lease->asked_ns), cause.victim,
      disruptions.empty() ? std::string() : "; meanwhile " + disruptions));
  const Event* const command = facts.command_at(*lost.lost);
  if (ended.text("by").empty() || command == nullptr) return cause;
  cause.says.push_back(fmt::format(
      "What was left of its hold went with {}'s {}, executed on {} at {}.", brief(ended.text("by")),
      brief(command->text("label")), facts.actor_of(*command), milliseconds(command->at)));
  return cause;
}

}  // namespace lockstep::reports
