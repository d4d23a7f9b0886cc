// What kept an owner from its work: pauses, cuts, messages that were lost or late, renewals in
// vain.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_facts.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
using checker::milliseconds;

constexpr std::size_t disruptions_max = 3;
/// Cuts at more times than that are told without.
constexpr std::size_t times_told_max = 2;

std::string_view first_word_of(std::string_view text) { return text.substr(0, text.find(' ')); }

/// Which of the words is a key of this lock; none: -1.
std::ptrdiff_t index_of(std::string_view words, std::string_view lock) {
  for (std::ptrdiff_t index = 0; !words.empty(); ++index) {
    const std::string_view first = first_word_of(words);
    if (names_lock(first, lock)) return index;
    words.remove_prefix(std::min(first.size() + 1, words.size()));
  }
  return -1;
}

/// Whether a batch, which answers for each key, did nothing for this one: "[1 0]".
bool is_left_out(const model::RecordedEvent& command, std::string_view lock) {
  std::string_view reply = command.text("reply");
  const std::ptrdiff_t of_lock = index_of(command.text("arguments"), lock);
  if (lock.empty() || of_lock < 0 || !reply.starts_with('[') || !reply.ends_with(']')) return false;
  reply = reply.substr(1, reply.size() - 2);
  for (std::ptrdiff_t index = 0; index < of_lock && !reply.empty(); ++index) {
    reply.remove_prefix(std::min(first_word_of(reply).size() + 1, reply.size()));
  }
  return first_word_of(reply) == "0";
}

}  // namespace

std::string CauseFacts::disruptions(std::string_view owner, sim::TimeNs from_ns,
                                    sim::TimeNs until_ns, std::string_view lock) const {
  return disruptions(owner, from_ns, until_ns, std::vector<std::string>(), lock);
}

std::string CauseFacts::disruptions(std::string_view owner, sim::TimeNs from_ns,
                                    sim::TimeNs until_ns, const std::vector<std::string>& told,
                                    std::string_view lock) const {
  std::vector<std::string> clauses;
  const std::string process = group_of(owner);
  add_disruptions(process, from_ns, until_ns, clauses);
  const std::string cuts = cuts_of(process, from_ns, until_ns);
  if (!cuts.empty()) clauses.push_back(cuts);
  const bool is_undisturbed = clauses.empty();
  add_ineffective_renewals(process, from_ns, until_ns, lock, clauses);
  const std::size_t before_messages = clauses.size();
  add_messages(owner, from_ns, until_ns, clauses);
  // A renewal that came to nothing may have done so as it had to be asked for again.
  if (is_undisturbed && clauses.size() == before_messages && told_.empty()) {
    add_retries(owner, from_ns, until_ns, clauses);
  }
  std::erase_if(clauses, [&](const std::string& clause) {
    return std::any_of(told.begin(), told.end(), [&](const std::string& sentence) {
      return sentence.find(clause) != std::string::npos;
    });
  });
  if (clauses.size() > disruptions_max) clauses.resize(disruptions_max);
  std::string sentence;
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    const bool is_last = i + 1 == clauses.size();
    sentence += (i == 0 ? "" : is_last ? ", and " : ", ") + clauses[i];
  }
  return sentence;
}

/// Pauses, a crash, steps of its clock, work that came late.
void CauseFacts::add_disruptions(std::string_view process, sim::TimeNs from_ns,
                                 sim::TimeNs until_ns, std::vector<std::string>& clauses) const {
  const std::string who = brief(process);
  for (const Span& pause : pauses_) {
    if (pause.one != process || pause.from_ns > until_ns || pause.until_ns < from_ns) continue;
    clauses.push_back(fmt::format("{} was paused {}", who, in_words(pause)));
  }
  for (const Event& event : events()) {
    if (event.at < from_ns || event.at > until_ns) continue;
    const bool is_postponed =
        event.kind == model_kind::fault_struck && event.text("what").starts_with("postpone");
    if (is_postponed && event.text("target") == process) {
      clauses.push_back(fmt::format("a fault struck at {}: {}", milliseconds(event.at),
                                    brief(event.text("what"), 200)));
    }
    if (actor_of(event) != who) continue;
    if (event.kind == sim_kind::process_crashed) {
      clauses.push_back(
          fmt::format("{} {} at {}", who, how_ended(events(), event), milliseconds(event.at)));
    } else if (event.kind == model_kind::clock_changed && event.number("by_ns") != 0) {
      const std::int64_t by_ns = event.number("by_ns");
      clauses.push_back(
          fmt::format("{}'s clock was set {} by {} at {}", who, by_ns < 0 ? "back" : "forward",
                      milliseconds(by_ns < 0 ? -by_ns : by_ns), milliseconds(event.at)));
    }
  }
}

/// "a was cut off from n1 and n2 from 0 ms on", "n1's replies did not reach a from 0 ms on": in
/// both directions and in each.
std::string CauseFacts::cuts_of(std::string_view process, sim::TimeNs from_ns,
                                sim::TimeNs until_ns) const {
  using Kind = std::tuple<int, sim::TimeNs, sim::TimeNs>;  // direction, from, until
  std::map<Kind, std::vector<const Span*>> cuts;
  std::map<Kind, std::vector<const Span*>> at_any_time;
  for (const Span& cut : cuts_) {
    const bool is_its = cut.one == process || cut.other == process;
    if (!is_its || cut.from_ns > until_ns || cut.until_ns < from_ns) continue;
    const int direction = !cut.is_one_way ? 0 : cut.one == process ? 1 : 2;
    cuts[{direction, cut.from_ns, cut.until_ns}].push_back(&cut);
    at_any_time[{direction, 0, 0}].push_back(&cut);
  }
  std::vector<std::string> words;
  for (const auto& [kind, each] : cuts.size() <= times_told_max ? cuts : at_any_time) {
    words.push_back(cut_in_words(process, each));
  }
  return fmt::format("{}", fmt::join(words, ", and "));
}

/// With the times where they are the same for all. REQUIRES: there are some, of one direction.
std::string CauseFacts::cut_in_words(std::string_view process,
                                     const std::vector<const Span*>& cuts) {
  const Span& first = *cuts.front();
  const std::string_view of_others = first.is_one_way && first.other == process ? "'s" : "";
  std::string hosts;
  for (const Span* const cut : cuts) {
    const bool is_last = cut == cuts.back();
    hosts += (hosts.empty() ? ""
              : is_last     ? " and "
                            : ", ") +
             brief(cut->one == process ? cut->other : cut->one).append(of_others);
  }
  const bool is_one_time = std::all_of(cuts.begin(), cuts.end(), [&](const Span* cut) {
    return cut->from_ns == first.from_ns && cut->until_ns == first.until_ns;
  });
  const std::string when = is_one_time ? " " + in_words(first) : std::string();
  if (!of_others.empty())
    return fmt::format("{} replies did not reach {}{}", hosts, brief(process), when);
  if (first.is_one_way)
    return fmt::format("{}'s requests did not reach {}{}", brief(process), hosts, when);
  return fmt::format("{} was cut off from {}{}", brief(process), hosts, when);
}

/// Whether the reply to a command was still under way then; it may be lost later.
bool CauseFacts::is_answered_after(EventIndex executed, sim::TimeNs at_ns) const {
  const Event& command = events()[executed];
  // A server answers at the instant at which it executes.
  for (EventIndex index = executed; index < events().size(); ++index) {
    const Event& event = events()[index];
    if (event.at != command.at) break;
    const TraceMessage* const reply = messages_.sent_at(index);
    const bool is_its = reply != nullptr && actor_of(event) == actor_of(command) &&
                        replied_label(reply->label) == command.text("label") &&
                        reply->on_behalf_of == command.text("on_behalf_of");
    if (is_its) return events()[reply->ended].at >= at_ns;
  }
  return false;
}

/// Renewals that a node executed and that found nothing to renew: the first, and how many more. One
/// whose reply came after `from_ns` counts, too: what its client does then may concern the next
/// hold.
void CauseFacts::add_ineffective_renewals(std::string_view process, sim::TimeNs from_ns,
                                          sim::TimeNs until_ns, std::string_view lock,
                                          std::vector<std::string>& clauses) const {
  const Event* first = nullptr;
  EventIndex first_at = 0;
  std::size_t count = 0;
  for (EventIndex index = 0; index < events().size(); ++index) {
    const Event& event = events()[index];
    if (event.at > until_ns || event.kind != model_kind::command_executed) continue;
    // What has ended is deleted when it is asked for.
    const bool is_in_vain =
        event.number("writes") == 0 || event.text("reply") == "0" || is_left_out(event, lock);
    if (!is_in_vain || lacked_script(event)) continue;
    const std::string_view label = event.text("label");
    const bool renews = is_renewal(label) || label.starts_with("pexpire");
    if (!renews || group_of(event.text("on_behalf_of")) != process) continue;
    if (event.at < from_ns && !is_answered_after(index, from_ns)) continue;
    if (count++ > 0) continue;
    first = &event;
    first_at = index;
  }
  if (first == nullptr) return;
  clauses.push_back(
      fmt::format("{}'s {}, executed on {} at {}, changed nothing{} (the reply: {}){}{}",
                  brief(first->text("on_behalf_of")), brief(first->text("label")), actor_of(*first),
                  milliseconds(first->at),
                  first->number("writes") > 0 && is_left_out(*first, lock)
                      ? fmt::format(" of \"{}\"", brief(lock))
                      : std::string(),
                  brief(first->text("reply")), release_before(process, first_at, lock),
                  count == 1 ? std::string() : fmt::format(", nor did {} more", count - 1)));
}

/// ", while a/1 was giving the lock back", ", as a/1 had lost the lock at 3 ms": of whoever it was
/// renewed for. Where `lock` was its own all the while, but another lock was renewed with it:
/// ", while a/1 was giving "orders" back". Empty: nobody had lost or given back anything.
std::string CauseFacts::release_before(std::string_view process, EventIndex renewal,
                                       std::string_view lock) const {
  const auto is_asking = [&](const Event& event) {
    return event.kind == model_kind::service_invoked && event.text("kind").starts_with("renew") &&
           group_of(actor_of(event)) == process;
  };
  EventIndex asked = renewal;
  while (asked > 0 && !is_asking(events()[asked - 1])) --asked;
  if (asked == 0) return {};
  const EventIndex last = asked - 1;
  if (lock.empty())
    return release_of(owner_of(actor_of(events()[last])), {}, last, renewal, "the lock");
  std::string of_others;
  for (EventIndex index = asked; index > 0; --index) {
    const Event& event = events()[index - 1];
    if (event.at != events()[last].at) break;
    if (!is_asking(event)) continue;
    const std::string_view renewed = event.text("lock");
    const std::string what =
        renewed == lock ? std::string("the lock") : fmt::format("\"{}\"", brief(renewed));
    std::string words = release_of(owner_of(actor_of(event)), renewed, last, renewal, what);
    if (renewed == lock && !words.empty()) return words;
    if (renewed != lock && of_others.empty()) of_others = std::move(words);
  }
  return of_others;
}

/// The same of one owner and lock; of any lock where none is named.
std::string CauseFacts::release_of(const std::string& owner, std::string_view lock,
                                   EventIndex asked, EventIndex renewal,
                                   std::string_view what) const {
  const Event* released = nullptr;
  EventIndex answered = 0;  // when its release was over
  for (EventIndex index = 0; index < renewal; ++index) {
    const Event& event = events()[index];
    if (!is_by(event, owner)) continue;
    const bool is_of_lock = lock.empty() || event.text("lock") == lock;
    if (event.kind == model_kind::belief_began && is_of_lock) released = nullptr;
    if (event.kind == model_kind::belief_ended && event.text("why") == "released" && is_of_lock) {
      released = &event;
      answered = 0;
    }
    if (event.kind == model_kind::step_completed && answered == 0) answered = index;
  }
  if (released == nullptr) {
    const std::vector<HoldPeriod> holds = hold_periods(owner, lock, renewal);
    if (holds.empty() || !holds.back().lost) return {};
    return fmt::format(", as {} had lost {} at {}", owner, what,
                       milliseconds(events()[*holds.back().lost].at));
  }
  if (answered == 0 || answered > asked) {
    return fmt::format(", while {} was giving {} back", owner, what);
  }
  return fmt::format(", as {} had given {} back at {}", owner, what, milliseconds(released->at));
}

/// never_ns: it is under way still.
sim::DurationNs CauseFacts::length_of(const TraceMessage& message) const {
  if (message.fate == Fate::under_way) return sim::never_ns;
  return events()[message.ended].at - events()[message.sent].at;
}

/// Whether nobody waited for this reply any more, as the request itself had come late.
bool CauseFacts::is_unheard(const TraceMessage& reply) const {
  const std::string_view asked = replied_label(reply.label);
  if (asked.empty() || reply.why_lost != "connection-closed") return false;
  // A server answers at the instant at which a request arrives.
  for (EventIndex index = reply.sent; index-- > 0;) {
    if (events()[index].at != events()[reply.sent].at) break;
    const TraceMessage* const request = messages_.ended_at(index);
    const bool is_its = request != nullptr && request->label == asked &&
                        request->on_behalf_of == reply.on_behalf_of &&
                        request->fate == Fate::arrived && length_of(*request) >= noticeable_ns_;
    if (is_its) return true;
  }
  return false;
}

std::string CauseFacts::why_lost(const TraceMessage& message) const {
  if (message.why_lost != "connection-closed") return brief(message.why_lost);
  const auto forgotten = forgotten_.find(events()[message.sent].number("connection"));
  if (forgotten != forgotten_.end() && forgotten->second < message.ended) {
    const Event& event = events()[forgotten->second];
    return fmt::format("{} had forgotten the connection at {}", actor_of(event),
                       milliseconds(event.at));
  }
  return message.why_lost;
}

/// In a short time less is long: it was under way for most of it.
bool CauseFacts::is_noticeable(const TraceMessage& message, sim::TimeNs from_ns,
                               sim::TimeNs until_ns) const {
  if (length_of(message) >= noticeable_ns_) return true;
  const sim::DurationNs meanwhile_ns =
      std::min(events()[message.ended].at, until_ns) - std::max(events()[message.sent].at, from_ns);
  return length_of(message) >= unusual_ns_ && meanwhile_ns > (until_ns - from_ns) / 2;
}

/// Those that were lost, and of the others that were long under way the longest, and the longest
/// of those that were to set the lease.
void CauseFacts::add_messages(std::string_view owner, sim::TimeNs from_ns, sim::TimeNs until_ns,
                              std::vector<std::string>& clauses) const {
  const TraceMessage* slowest = nullptr;
  const TraceMessage* slowest_of_lease = nullptr;
  for (const TraceMessage& message : messages_.all()) {
    const sim::TimeNs sent_ns = events()[message.sent].at;
    if (!is_of(message.on_behalf_of, owner) || sent_ns > until_ns) continue;
    if (told_.contains(message.sent) || is_unheard(message)) continue;
    // What the owner's own process was still to get is no matter once that has crashed.
    const bool is_owners_end =
        message.why_lost == "process-crashed" && !replied_label(message.label).empty();
    if (message.fate == Fate::lost && !is_owners_end && sent_ns >= from_ns) {
      clauses.push_back(fmt::format("{}, sent at {}, was lost ({})", its_message(message.label),
                                    milliseconds(sent_ns), why_lost(message)));
    }
    const bool is_there = message.fate != Fate::lost && events()[message.ended].at > from_ns;
    if (!is_there || !is_noticeable(message, from_ns, until_ns)) continue;
    const auto is_longer = [&](const TraceMessage* other) {
      return other == nullptr || length_of(message) > length_of(*other);
    };
    if (is_longer(slowest)) slowest = &message;
    if (message.label == "pexpire" && is_longer(slowest_of_lease)) slowest_of_lease = &message;
  }
  if (slowest != nullptr) clauses.push_back(under_way(*slowest));
  if (slowest_of_lease != nullptr && slowest_of_lease != slowest) {
    clauses.push_back(under_way(*slowest_of_lease));
  }
}

std::string CauseFacts::under_way(const TraceMessage& message) const {
  const sim::TimeNs sent_ns = events()[message.sent].at;
  const bool is_there_still = message.fate == Fate::under_way;
  return fmt::format(
      "{} was under way {}", its_message(message.label),
      in_words({"", "", sent_ns, is_there_still ? sim::never_ns : events()[message.ended].at}));
}

/// What was asked for again, most likely since the server did not listen.
void CauseFacts::add_retries(std::string_view owner, sim::TimeNs from_ns, sim::TimeNs until_ns,
                             std::vector<std::string>& clauses) const {
  const Event* last = nullptr;
  for (const Event& event : events()) {
    if (event.at > until_ns) break;
    const bool is_its = event.kind == model_kind::call_retried && is_by(event, owner);
    if (is_its && event.at >= from_ns) last = &event;
  }
  if (last == nullptr) return;
  clauses.push_back(fmt::format("{} was asked for again, at last at {}",
                                its_message(last->text("label")), milliseconds(last->at)));
}

}  // namespace lockstep::reports
