#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <utility>

#include "checker/history.h"
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

/// Who was woken goes on within less.
constexpr sim::DurationNs at_once_ns = 100 * sim::millisecond_ns;

/// Null: the waiter has subscribed to nothing.
const Event* last_subscription(const CauseFacts& facts, std::string_view waiter,
                               sim::TimeNs before_ns) {
  const Event* last = nullptr;
  for (const Event& event : facts.events()) {
    if (event.at >= before_ns) break;
    const bool is_its = event.kind == model_kind::command_executed && facts.is_for(event, waiter) &&
                        event.text("command") == "SUBSCRIBE";
    if (is_its) last = &event;
  }
  return last;
}

}  // namespace

std::optional<Cause> explain_late_end(const CauseFacts& facts, checker::NameId waiter,
                                      const checker::Moment& from, sim::TimeNs until_ns) {
  const checker::KeptRun& judged = *facts.example().judged;
  const auto& waits = judged.observations.waits;
  const auto wait = std::find_if(waits.begin(), waits.end(), [&](const checker::Wait& each) {
    return each.owner == waiter && each.from == from;
  });
  if (wait == waits.end() || !wait->limit_ns) return std::nullopt;
  const sim::TimeNs due_ns = from.at_ns + *wait->limit_ns;
  if (until_ns <= due_ns) return std::nullopt;
  const std::string name = judged.names.text(waiter);
  const std::string who = brief(name);
  const EventIndex end = std::min<EventIndex>(facts.event_after(until_ns), facts.events().size());
  const EventIndex begun = std::min<EventIndex>(facts.event_after(from.at_ns), end);
  const Event* const step = facts.last_of(model_kind::step_invoked, who, begun);
  const Event* asked = nullptr;
  for (EventIndex index = 0; index < end; ++index) {
    const Event& event = facts.events()[index];
    const bool is_its = event.kind == model_kind::command_executed && event.at >= from.at_ns &&
                        facts.is_for(event, name);
    if (is_its) asked = &event;
  }
  Cause cause;
  cause.kind = CauseKind::late_return;
  cause.victim = who;
  cause.at_ns = due_ns;
  std::string sentence = fmt::format(
      "{}'s {}, begun at {}, was to end at {}, and its client model did not end it then", who,
      step == nullptr ? std::string("try") : brief(step->text("step")), milliseconds(from.at_ns),
      milliseconds(due_ns));
  if (asked != nullptr) {
    cause.operation = brief(asked->text("label"));
    cause.server = facts.actor_of(*asked);
    sentence += fmt::format(": its last {} was executed on {} at {}", cause.operation, cause.server,
                            milliseconds(asked->at));
  }
  cause.says.push_back(sentence + ".");
  return cause;
}

bool is_notice(const CauseFacts& facts, const TraceMessage& message) {
  if (message.label != "message") return false;
  const auto sender = static_cast<std::size_t>(facts.events()[message.sent].actor);
  const auto& actors = facts.example().trace.actors;
  return sender < actors.size() && actors[sender].kind == "redis";
}

std::vector<BlockedCall> blocked_calls_of(const CauseFacts& facts, std::string_view thread) {
  using Place = std::pair<std::string, std::string>;  // node, label
  std::map<Place, std::vector<const TraceMessage*>> answers;
  for (const TraceMessage& message : facts.messages().all()) {
    const std::string_view replied = replied_label(message.label);
    if (!facts.is_of(message.on_behalf_of, thread) || replied.empty()) continue;
    const Event& sent = facts.events()[message.sent];
    answers[{facts.actor_of(sent), std::string(replied)}].push_back(&message);
  }
  std::map<Place, std::vector<EventIndex>> executions;
  for (EventIndex index = 0; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.kind != model_kind::command_executed || !facts.is_for(event, thread)) continue;
    executions[{facts.actor_of(event), std::string(event.text("label"))}].push_back(index);
  }
  std::vector<BlockedCall> calls;
  for (const auto& [place, executed] : executions) {
    const std::vector<const TraceMessage*>& its = answers[place];
    auto answer = its.begin();
    for (std::size_t i = 0; i < executed.size(); ++i) {
      const sim::TimeNs at_ns = facts.events()[executed[i]].at;
      const auto is_before = [&](const TraceMessage* each) {
        return facts.events()[each->sent].at < at_ns;
      };
      answer = std::find_if_not(answer, its.end(), is_before);
      const bool is_its =
          answer != its.end() && (i + 1 == executed.size() || (*answer)->sent < executed[i + 1]);
      if (is_its && facts.events()[(*answer)->sent].at == at_ns) {
        ++answer;
      } else {
        calls.push_back({executed[i], is_its ? *answer : nullptr});
      }
    }
  }
  std::sort(calls.begin(), calls.end(),
            [](const BlockedCall& a, const BlockedCall& b) { return a.asked < b.asked; });
  return calls;
}

bool is_wakeup(const CauseFacts& facts, const BlockedCall& call) {
  if (call.answer == nullptr) return false;
  const sim::TimeNs at_ns = facts.events()[call.answer->sent].at;
  const std::string node = facts.actor_of(facts.events()[call.asked]);
  // The server tells what it executed once it has served those who were waiting for it.
  for (EventIndex index = call.answer->sent; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.at != at_ns) return false;
    const bool writes = event.kind == model_kind::command_executed && event.number("writes") > 0;
    if (writes && facts.actor_of(event) == node) return true;
  }
  return false;
}

bool is_polling(const CauseFacts& facts, std::string_view waiter, WaitSpan wait,
                sim::TimeNs since_ns) {
  std::size_t asked = 0;
  for (const Event& event : facts.events()) {
    if (event.at >= wait.until_ns && event.at > wait.from_ns) break;
    if (event.kind != model_kind::command_executed) continue;
    if (!facts.is_for(event, waiter)) continue;
    if (event.text("command") == "SUBSCRIBE") return false;
    if (event.at >= since_ns) ++asked;
  }
  return asked > 1;
}

std::string calls_repeated(const CauseFacts& facts, std::string_view waiter, WaitSpan free) {
  std::int64_t executed = 0;
  std::int64_t repeated = 0;
  const Event* last = nullptr;
  for (const Event& event : facts.events()) {
    if (event.at >= free.until_ns) break;
    if (event.at < free.from_ns) continue;
    if (event.kind == model_kind::command_executed && facts.is_for(event, waiter)) ++executed;
    if (event.kind != model_kind::call_retried || facts.actor_of(event) != waiter) continue;
    ++repeated;
    last = &event;
  }
  if (last == nullptr || repeated < executed) return {};
  return fmt::format(", but {} had to repeat its calls, {} in all, the last ({}) at {}",
                     brief(waiter), checker::counted(repeated, "time"), brief(last->text("label")),
                     milliseconds(last->at));
}

std::string message_to_another(const CauseFacts& facts, std::string_view waiter, WaitSpan free) {
  if (last_subscription(facts, waiter, free.from_ns) == nullptr) return {};
  for (const TraceMessage& message : facts.messages().all()) {
    const Event& sent = facts.events()[message.sent];
    if (sent.at < free.from_ns || sent.at >= free.until_ns || !is_notice(facts, message)) continue;
    const std::string process(sent.text("to"));
    if (process == facts.group_of(waiter)) continue;
    const std::string who = brief(process);
    if (message.fate == Fate::lost) return fmt::format("{}, and was lost", who);
    if (message.fate == Fate::under_way) return fmt::format("{}, and never came", who);
    const Event& came = facts.events()[message.ended];
    bool waits = false;
    for (const sim::Actor& actor : facts.example().trace.actors) {
      const bool is_its = actor.kind == "client-thread" && actor.group == process;
      waits = waits || (is_its && !facts.is_between_steps(actor.name, came));
    }
    return waits ? fmt::format("{} alone", who)
                 : fmt::format("{}, which no longer waited when it came at {}", who,
                               milliseconds(came.at));
  }
  return {};
}

WokenBeside woken_beside(const CauseFacts& facts, std::string_view waiter, EventIndex arrival) {
  const std::string process = facts.group_of(waiter);
  const std::string pause = facts.pause_at(process, facts.events()[arrival].at);
  // Who is paused reads it as it wakes up.
  const Event* read = &facts.events()[arrival];
  for (EventIndex index = arrival; !pause.empty() && index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.kind != sim_kind::process_resumed || facts.actor_of(event) != process) continue;
    read = &event;
    break;
  }
  const std::string while_paused =
      pause.empty() ? std::string() : fmt::format(", as {} was paused {}", brief(process), pause);
  for (EventIndex index = static_cast<EventIndex>(read - facts.events().data());
       index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.at - read->at > at_once_ns) break;
    const bool is_given_up = event.kind == model_kind::step_completed &&
                             event.text("outcome") != "ok" && !facts.is_by(event, waiter);
    if (is_given_up && facts.group_of(facts.actor_of(event)) == process) {
      const std::string thread = facts.actor_of(event);
      return {thread, fmt::format("{} alone, whose {} came to nothing at {}{}", thread,
                                  brief(event.text("step")), milliseconds(event.at), while_paused)};
    }
    if (event.kind != model_kind::command_executed) continue;
    const std::string_view by = event.text("on_behalf_of");
    if (facts.group_of(by) != process) continue;
    if (facts.is_of(by, waiter)) return {};
    return {brief(by), fmt::format("{} alone{}", brief(by), while_paused)};
  }
  return {};
}

std::string why_untold(const CauseFacts& facts, std::string_view waiter, sim::TimeNs since_ns,
                       EventIndex end) {
  const Event* subscribed = nullptr;
  const Event* again = nullptr;
  for (EventIndex index = 0; index < end; ++index) {
    const Event& event = facts.events()[index];
    const bool is_its = event.kind == model_kind::command_executed && facts.is_for(event, waiter) &&
                        event.text("command") == "SUBSCRIBE";
    if (!is_its) continue;
    if (event.at < since_ns) subscribed = &event;
    if (event.at >= since_ns && again == nullptr) again = &event;
  }
  if (subscribed == nullptr) return {};
  const std::string node = facts.actor_of(*subscribed);
  const Event* const crash = facts.last_of(sim_kind::process_crashed, node, end);
  if (crash == nullptr || crash->at < subscribed->at) return {};
  return fmt::format(": its subscription, made on {} at {}, ended as {} {} at {}{}", node,
                     milliseconds(subscribed->at), node, how_ended(facts.events(), *crash),
                     milliseconds(crash->at),
                     again == nullptr
                         ? std::string()
                         : fmt::format(", and the next was made at {}", milliseconds(again->at)));
}

std::string beside_lease(const CauseFacts& facts, std::string_view lock, const Event& answer,
                         sim::TimeNs until_ns) {
  const std::string_view reply = answer.text("reply");
  std::int64_t told_ms = 0;
  const auto [rest, error] = std::from_chars(reply.data(), reply.data() + reply.size(), told_ms);
  const Event* const state = facts.state_before(facts.event_after(answer.at), lock);
  if (error != std::errc() || rest != reply.data() + reply.size() || state == nullptr) return {};
  constexpr sim::DurationNs rounding_ns = 2 * sim::millisecond_ns;
  constexpr sim::DurationNs ask_again_ns = sim::second_ns;
  const sim::TimeNs told_until_ns = answer.at + told_ms * sim::millisecond_ns;
  const sim::TimeNs lease_ends_ns = lease_end_of(*state);
  if (lease_ends_ns == checker::never_ns || told_until_ns <= answer.at + rounding_ns) return {};
  if (std::abs(told_until_ns - lease_ends_ns) > rounding_ns) return {};
  return until_ns <= told_until_ns + ask_again_ns
             ? ", as long as the lease was to last, and it slept no longer"
             : ", as long as the lease was to last, but it slept on";
}

}  // namespace lockstep::reports
