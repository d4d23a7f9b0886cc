// Why nobody took a lock that was free: the message that should have woken a waiter, or the answer
// to a command that it was blocked in.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checker/history.h"
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
using Event = CauseFacts::Event;
using checker::milliseconds;

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

/// Whether it tells subscribers of a lock's channel something: a sentinel's messages are of its own
/// matters.
bool is_notice(const CauseFacts& facts, const TraceMessage& message) {
  if (message.label != "message") return false;
  const auto sender = static_cast<std::size_t>(facts.events()[message.sent].actor);
  const auto& actors = facts.example().trace.actors;
  return sender < actors.size() && actors[sender].kind == "redis";
}

/// Executed for the thread, which asks for something: to be told of messages is no request.
bool is_request_of(const CauseFacts& facts, const Event& event, std::string_view thread) {
  return event.kind == model_kind::command_executed && facts.is_for(event, thread) &&
         !event.text("command").ends_with("SUBSCRIBE");
}

struct BlockedCall {
  EventIndex asked;            ///< the command that was executed
  const TraceMessage* answer;  ///< sent later than that; null if it never was
};
/// All commands that a thread was blocked in, in order.
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
    if (!is_request_of(facts, event, thread)) continue;
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

/// Whether a write answered it, and not the end of its time.
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

/// ", but a/1 had to repeat its calls, 12 times in all, the last (release) at 5 ms": of a waiter
/// that got no answer to most. Empty: it did get some.
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

/// "b, which no longer waited when it came at 5 ms": whom the message of a channel of its own woke
/// while a lock was free. Empty: none was sent to another, or the waiter listened to none.
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

/// The other thread of the waiter's process that a message woke, or that gave up with it.
struct WokenBeside {
  std::string thread;  ///< empty: none
  std::string words;   ///< "a/1 alone", "a/1 alone, whose try_lock came to nothing at 5 ms"
};
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

/// ": its subscription, made on n1 at 1 ms, ended as n1 crashed at 2 ms, and the next was made at 3
/// ms". Empty: it did not end so.
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

/// Of a reply that says for how long the lock is another's: whether it is, and whether that is how
/// long the waiter slept. Empty: it says no such thing.
std::string beside_lease(const CauseFacts& facts, std::string_view lock, const Event& answer,
                         sim::TimeNs until_ns) {
  std::string_view reply = answer.text("reply");
  // Of several values the first: where an acquire counts fencing tokens it tells one besides.
  if (reply.starts_with('[')) reply = reply.substr(1, reply.find_first_of(" ]") - 1);
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

/// A message that comes so shortly before a wait's end is what ended it.
constexpr sim::DurationNs just_before_ns = 100 * sim::millisecond_ns;

class SilenceExplainer {
 public:
  SilenceExplainer(const CauseFacts& facts, const Silence& wait)
      : facts_(facts),
        waiter_(wait.waiter),
        owner_(wait.owner),
        lock_(wait.lock),
        from_ns_(wait.span.from_ns),
        until_ns_(wait.span.until_ns),
        end_(wait.end),
        waits_still_(wait.waits_still) {}

  std::vector<Cause> tell(const FreeLock& free);
  void note_what_freed(Cause& cause, sim::TimeNs at_ns) const;
  [[nodiscard]] std::string last_answer() const;

 private:
  [[nodiscard]] bool tell_blocked(std::string& sentence, Cause& cause, sim::TimeNs since_ns) const;
  [[nodiscard]] bool tell_blocked_since(std::string& sentence, Cause& cause,
                                        sim::TimeNs since_ns) const;
  [[nodiscard]] bool has_asked_nobody() const;
  [[nodiscard]] std::string passed_over(sim::TimeNs since_ns) const;

  const CauseFacts& facts_;
  const std::string& waiter_;
  const std::string& owner_;
  const std::string& lock_;
  sim::TimeNs from_ns_;
  sim::TimeNs until_ns_;
  EventIndex end_;
  bool waits_still_;
};

/// The messages that should have woken it.
std::vector<Cause> SilenceExplainer::tell(const FreeLock& free) {
  const sim::TimeNs since_ns = free.since_ns;
  const std::string process = brief(facts_.group_of(waiter_));
  std::string sentence =
      fmt::format("{} from {} on{}", free.what, milliseconds(since_ns), free.what_ended);
  const TraceMessage* told = nullptr;
  for (const TraceMessage& message : facts_.messages().all()) {
    const Event& sent = facts_.events()[message.sent];
    const bool is_meanwhile = sent.at >= since_ns && sent.at < until_ns_;
    if (!is_meanwhile || !is_notice(facts_, message)) continue;
    // The one that ended the wait.
    const bool has_arrived = message.fate != Fate::lost && message.fate != Fate::under_way;
    const bool ends_it =
        has_arrived && until_ns_ - facts_.events()[message.ended].at < just_before_ns;
    if (ends_it && !waits_still_) continue;
    if (sent.text("to") == facts_.group_of(waiter_) && told == nullptr) told = &message;
  }
  Cause cause = cause_of_wait(waiter_, CauseKind::never_woken, since_ns);
  note_what_freed(cause, since_ns);
  const std::string freed_by = std::exchange(cause.culprit, {});
  const bool is_told = told == nullptr && tell_blocked(sentence, cause, since_ns);
  const std::string repeated = told == nullptr && !is_told
                                   ? calls_repeated(facts_, waiter_, {since_ns, until_ns_})
                                   : std::string();
  if (is_told) {
    // Nothing more.
  } else if (!repeated.empty()) {
    cause.kind = CauseKind::message_lost;
    sentence += repeated;
  } else if (told == nullptr && has_asked_nobody()) {
    cause.kind = CauseKind::unknown;
    sentence += fmt::format(", but {} had sent no request to acquire it", brief(waiter_));
  } else if (told == nullptr && is_polling(facts_, waiter_, {from_ns_, until_ns_}, since_ns)) {
    cause.kind = CauseKind::unknown;
    const Event* const asked = facts_.last_of(model_kind::service_invoked, brief(waiter_), end_);
    sentence += fmt::format(
        ", but {} was refused each time that it asked{}", brief(waiter_),
        asked == nullptr ? std::string() : fmt::format(" by its {}", brief(asked->text("kind"))));
  } else if (told == nullptr) {
    if (!tell_blocked_since(sentence, cause, since_ns)) {
      const std::string why = why_untold(facts_, waiter_, since_ns, end_);
      const std::string other =
          why.empty() ? message_to_another(facts_, waiter_, {since_ns, until_ns_}) : std::string();
      if (!why.empty()) cause.kind = CauseKind::message_lost;
      if (why.empty() && other.empty()) {
        cause.culprit = freed_by;
        if (!freed_by.empty() && free.what_ended.empty()) {
          sentence += fmt::format(", after {}'s {}", freed_by, cause.operation);
        }
      }
      if (!other.empty()) cause.kind = CauseKind::woken_one_lost;
      sentence += other.empty() ? fmt::format(", and no message told {} of it{}{}", process, why,
                                              why.empty() ? passed_over(since_ns) : "")
                                : fmt::format(", and the message that was sent went to {}", other);
    }
  } else if (told->fate == Fate::lost) {
    cause.kind = CauseKind::message_lost;
    sentence += fmt::format(", and the message that told {} of it was lost ({})", process,
                            facts_.why_lost(*told));
  } else {
    cause.kind = CauseKind::woken_one_lost;
    const WokenBeside other = woken_beside(facts_, waiter_, told->ended);
    cause.culprit = other.thread;
    sentence += fmt::format(", and the message that told {} of it at {} woke {}", process,
                            milliseconds(facts_.events()[told->ended].at),
                            other.words.empty() ? process + " in vain" : other.words);
  }
  cause.says.push_back(sentence + ".");
  std::optional<Cause> lost_place = explain_lost_place(facts_, owner_, lock_, until_ns_);
  const std::string answer = repeated.empty() ? last_answer() : std::string();
  (lost_place ? *lost_place : cause).says.push_back(answer);
  std::vector<Cause> causes{std::move(cause)};
  if (!lost_place) return causes;
  // Whom a server does not know it wakes no more.
  const bool is_the_reason = lost_place->kind == CauseKind::lost_by_server;
  causes.insert(is_the_reason ? causes.begin() : causes.end(), *std::move(lost_place));
  return causes;
}

/// Of one that waits for the answer to a command: whether it was woken, or another in its place.
/// False: it was blocked in none as the lock came free.
bool SilenceExplainer::tell_blocked(std::string& sentence, Cause& cause,
                                    sim::TimeNs since_ns) const {
  const BlockedCall* its = nullptr;
  const std::vector<BlockedCall> calls = blocked_calls_of(facts_, waiter_);
  for (const BlockedCall& call : calls) {
    if (facts_.events()[call.asked].at <= since_ns) its = &call;
  }
  if (its == nullptr) return false;
  const Event& asked = facts_.events()[its->asked];
  const std::string who = brief(waiter_);
  cause.operation = brief(asked.text("label"));
  cause.server = facts_.actor_of(asked);
  if (its->answer != nullptr && facts_.events()[its->answer->sent].at < since_ns) return false;
  if (its->answer != nullptr && is_wakeup(facts_, *its)) {
    const bool is_lost = its->answer->fate == Fate::lost;
    cause.kind = is_lost ? CauseKind::message_lost : CauseKind::woken_one_lost;
    sentence +=
        is_lost ? fmt::format(", and the reply to {}'s {}, which told it so, was lost ({})", who,
                              cause.operation, facts_.why_lost(*its->answer))
                : fmt::format(", and the reply to {}'s {} woke it in vain", who, cause.operation);
    return true;
  }
  for (const sim::Actor& actor : facts_.example().trace.actors) {
    if (actor.kind != "client-thread" || facts_.is_of(actor.name, waiter_)) continue;
    for (const BlockedCall& call : blocked_calls_of(facts_, actor.name)) {
      const bool is_since = call.answer != nullptr && is_wakeup(facts_, call) &&
                            facts_.events()[call.answer->sent].at >= since_ns &&
                            facts_.events()[call.answer->sent].at < until_ns_;
      if (!is_since) continue;
      cause.kind = CauseKind::woken_one_lost;
      cause.culprit = brief(actor.name);
      const Event* const crash =
          facts_.last_of(sim_kind::process_crashed, brief(actor.group), end_);
      sentence += fmt::format(", but the one that was woken was {}", cause.culprit);
      sentence += crash == nullptr ? fmt::format(" (by the reply to its {})", cause.operation)
                                   : fmt::format(", which crashed at {}", milliseconds(crash->at));
      return true;
    }
  }
  sentence += fmt::format(", and nothing woke {}", who);
  return true;
}

/// Of one that blocked only when the lock was free already. False: it blocked in nothing then.
bool SilenceExplainer::tell_blocked_since(std::string& sentence, Cause& cause,
                                          sim::TimeNs since_ns) const {
  const Event* longest = nullptr;
  sim::TimeNs longest_until_ns = 0;
  const std::vector<BlockedCall> calls = blocked_calls_of(facts_, waiter_);
  for (const BlockedCall& call : calls) {
    const Event& asked = facts_.events()[call.asked];
    if (asked.at <= since_ns || asked.at >= until_ns_) continue;
    if (call.answer == nullptr && &call != &calls.back()) continue;
    const sim::TimeNs ended_ns =
        call.answer == nullptr ? until_ns_ : facts_.events()[call.answer->sent].at;
    if (longest != nullptr && ended_ns - asked.at <= longest_until_ns - longest->at) continue;
    longest = &asked;
    longest_until_ns = ended_ns;
  }
  if (longest == nullptr) return false;
  cause.operation = brief(longest->text("label"));
  cause.server = facts_.actor_of(*longest);
  const std::string until = longest_until_ns >= until_ns_
                                ? std::string("from then on")
                                : fmt::format("until {}", milliseconds(longest_until_ns));
  sentence += fmt::format(
      ", but {}'s {}, executed on {} only at {}, found nothing to wake it, and was blocked {}",
      brief(waiter_), cause.operation, cause.server, milliseconds(longest->at), until);
  return true;
}

/// What it went by as it fell asleep.
std::string SilenceExplainer::last_answer() const {
  const Event* last = nullptr;
  for (const Event& event : facts_.events()) {
    if (event.at > from_ns_ && event.at >= until_ns_) break;
    const bool is_its = is_request_of(facts_, event, waiter_) && event.number("writes") == 0;
    if (is_its && !lacked_script(event)) last = &event;
  }
  if (last == nullptr) return {};
  for (const BlockedCall& call : blocked_calls_of(facts_, waiter_)) {
    const bool is_over =
        call.answer != nullptr && facts_.events()[call.answer->sent].at < until_ns_;
    if (&facts_.events()[call.asked] != last || is_over) continue;
    return fmt::format("From {} on {} was blocked in its {} on {}.", milliseconds(last->at),
                       brief(waiter_), brief(last->text("label")), facts_.actor_of(*last));
  }
  return fmt::format("The last that {} was told was the reply {} to its {}, at {}{}.",
                     brief(waiter_), brief(last->text("reply")), brief(last->text("label")),
                     milliseconds(last->at), beside_lease(facts_, lock_, *last, until_ns_));
}

/// "; the last one, at 5 ms, woke b/2 alone": so that it still goes by what it was told before
/// that. Empty: since it asked last no message came to its process before the lock was free.
std::string SilenceExplainer::passed_over(sim::TimeNs since_ns) const {
  sim::TimeNs asked_ns = 0;
  for (const Event& event : facts_.events()) {
    if (event.at >= since_ns) break;
    if (is_request_of(facts_, event, waiter_)) asked_ns = event.at;
  }
  const TraceMessage* last = nullptr;
  for (const TraceMessage& message : facts_.messages().all()) {
    const bool is_its = is_notice(facts_, message) && message.fate == Fate::arrived &&
                        facts_.events()[message.sent].text("to") == facts_.group_of(waiter_);
    if (!is_its) continue;
    const sim::TimeNs came_ns = facts_.events()[message.ended].at;
    if (came_ns > asked_ns && came_ns < since_ns) last = &message;
  }
  if (last == nullptr) return {};
  const WokenBeside other = woken_beside(facts_, waiter_, last->ended);
  if (other.words.empty()) return {};
  return fmt::format("; the last one, at {}, woke {}",
                     milliseconds(facts_.events()[last->ended].at), other.words);
}

/// Whether the call in which it waits has sent no request; to be told of a message is none.
bool SilenceExplainer::has_asked_nobody() const {
  const Event* const step = facts_.last_of(model_kind::step_invoked, brief(waiter_), end_);
  if (step == nullptr) return false;
  const auto& sent = facts_.messages().all();
  const bool has_asked = std::any_of(sent.begin(), sent.end(), [&](const TraceMessage& message) {
    const sim::TimeNs sent_ns = facts_.events()[message.sent].at;
    return facts_.is_of(message.on_behalf_of, waiter_) && sent_ns >= step->at &&
           sent_ns <= until_ns_ && !message.label.ends_with("subscribe");
  });
  if (has_asked) return false;
  const auto& events = facts_.events();
  return std::none_of(events.begin(), events.end(), [&](const Event& event) {
    return event.at >= step->at && is_request_of(facts_, event, waiter_);
  });
}

/// Whose request it was that made it free, or enough; of a fault or an expiry where.
void SilenceExplainer::note_what_freed(Cause& cause, sim::TimeNs at_ns) const {
  for (EventIndex index = 0; index < end_; ++index) {
    const Event& event = facts_.events()[index];
    const bool is_change =
        event.kind == model_kind::lock_changed || event.kind == model_kind::number_changed;
    if (event.at != at_ns || !is_change || event.text("lock") != lock_) continue;
    cause.server = facts_.actor_of(event);
    const Event* const command = event.text("by").empty() ? nullptr : facts_.command_at(index);
    if (command == nullptr) continue;
    cause.culprit = brief(event.text("by"));
    cause.operation = brief(command->text("label"));
  }
}

}  // namespace

bool is_polling(const CauseFacts& facts, std::string_view waiter, WaitSpan wait,
                sim::TimeNs since_ns) {
  std::size_t asked = 0;
  const Event* last = nullptr;
  for (const Event& event : facts.events()) {
    if (event.at >= wait.until_ns && event.at > wait.from_ns) break;
    if (event.kind != model_kind::command_executed) continue;
    if (!facts.is_for(event, waiter)) continue;
    if (event.text("command") == "SUBSCRIBE") return false;
    if (event.at >= since_ns) ++asked;
    last = &event;
  }
  if (asked < 2) return false;
  // What it was blocked in refused it nothing. Without an answer it is blocked in its last alone.
  for (const BlockedCall& call : blocked_calls_of(facts, waiter)) {
    const Event& blocked = facts.events()[call.asked];
    const bool is_meanwhile = blocked.at >= since_ns && blocked.at < wait.until_ns;
    if (is_meanwhile && (call.answer != nullptr || &blocked == last)) --asked;
  }
  return asked > 1;
}

Cause cause_of_wait(const std::string& waiter, CauseKind kind, sim::TimeNs at_ns) {
  Cause cause;
  cause.kind = kind;
  cause.victim = brief(waiter);
  cause.at_ns = at_ns;
  return cause;
}

std::vector<Cause> explain_silence(const CauseFacts& facts, const Silence& wait,
                                   const FreeLock& free) {
  return SilenceExplainer(facts, wait).tell(free);
}

void note_what_freed(const CauseFacts& facts, const Silence& wait, Cause& cause,
                     sim::TimeNs at_ns) {
  SilenceExplainer(facts, wait).note_what_freed(cause, at_ns);
}

std::string last_answer(const CauseFacts& facts, const Silence& wait) {
  return SilenceExplainer(facts, wait).last_answer();
}

}  // namespace lockstep::reports
