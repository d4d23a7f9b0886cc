#include "reports/cause/cause_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "checker/history.h"
#include "checker/kept_run.h"
#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/text.h"
#include "search/runs/run_record.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
using checker::milliseconds;

constexpr std::size_t disruptions_max = 3;
/// A message that was under way for less did not keep anybody from anything.
constexpr sim::DurationNs noticeable_ns = 100 * sim::millisecond_ns;
/// … and where the network is slow, one that took as long as any other.
constexpr std::int64_t noticeable_medians = 3;

std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }

/// Which of the words is a key of this lock; none: -1.
std::ptrdiff_t index_of(std::string_view words, std::string_view lock) {
  for (std::ptrdiff_t index = 0; !words.empty(); ++index) {
    const std::string_view first = first_word(words);
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
    reply.remove_prefix(std::min(first_word(reply).size() + 1, reply.size()));
  }
  return first_word(reply) == "0";
}

}  // namespace

sim::TimeNs lease_end_of(const model::RecordedEvent& changed) {
  const std::int64_t ends_ns = changed.number("lease_ends_ns");
  return ends_ns < 0 ? sim::never_ns : ends_ns;
}

std::string its_message(std::string_view label) {
  const std::string_view replied = replied_label(label);
  return replied.empty() ? fmt::format("its {}", brief(label))
                         : fmt::format("the reply to its {}", brief(replied));
}

const checker::Names& CauseFacts::names() const { return example_.judged->names; }

CauseFacts::CauseFacts(const search::RunRecord& example)
    : example_(example), lane_map_(example.trace.actors), messages_(example.trace, lane_map_) {
  find_owners();
  for (const Event& event : events()) find_spans(event);
  find_noticeable();
}

void CauseFacts::find_noticeable() {
  std::vector<sim::DurationNs> lengths_ns;
  for (const TraceMessage& message : messages_.all()) {
    if (message.fate != Fate::arrived) continue;
    lengths_ns.push_back(events()[message.ended].at - events()[message.sent].at);
  }
  noticeable_ns_ = noticeable_ns;
  if (lengths_ns.empty()) return;
  const auto middle = lengths_ns.begin() + static_cast<std::ptrdiff_t>(lengths_ns.size() / 2);
  std::nth_element(lengths_ns.begin(), middle, lengths_ns.end());
  noticeable_ns_ = std::max(noticeable_ns, noticeable_medians * *middle);
}

const std::vector<model::RecordedEvent>& CauseFacts::events() const {
  return example_.trace.events;
}

void CauseFacts::find_spans(const Event& event) {
  const bool is_cut = event.kind == sim_kind::network_cut || event.kind == sim_kind::direction_cut;
  if (event.kind == sim_kind::process_paused) {
    pauses_.push_back({actor_of(event), "", event.at});
  } else if (event.kind == sim_kind::process_resumed || event.kind == sim_kind::process_crashed) {
    end_spans(pauses_, actor_of(event), "", event.at);
  } else if (is_cut) {
    const bool is_one_way = event.kind == sim_kind::direction_cut;
    cuts_.push_back({std::string(event.text(is_one_way ? "from" : "one")),
                     std::string(event.text(is_one_way ? "to" : "other")), event.at});
  } else if (event.kind == sim_kind::network_healed) {
    end_spans(cuts_, event.text("one"), event.text("other"), event.at);
  } else if (event.kind == sim_kind::direction_healed) {
    end_spans(cuts_, event.text("from"), event.text("to"), event.at);
  }
}

void CauseFacts::end_spans(std::vector<Span>& spans, std::string_view one, std::string_view other,
                           sim::TimeNs at_ns) {
  for (Span& span : spans) {
    if (span.one == one && span.other == other) span.until_ns = std::min(span.until_ns, at_ns);
  }
}

std::string CauseFacts::in_words(const Span& span) {
  return span.until_ns == sim::never_ns ? fmt::format("from {} on", milliseconds(span.from_ns))
                                        : fmt::format("from {} to {}", milliseconds(span.from_ns),
                                                      milliseconds(span.until_ns));
}

std::string CauseFacts::actor_of(const Event& event) const {
  const auto index = static_cast<std::size_t>(event.actor);
  const auto& actors = example_.trace.actors;
  return index < actors.size() ? brief(actors[index].name) : "?";
}

std::string CauseFacts::group_of(std::string_view actor) const {
  for (const sim::Actor& known : example_.trace.actors) {
    if (known.name == actor) return known.group;
  }
  return {};
}

/// Whether it is for somebody to answer that the lease ends earlier from this event on: who takes a
/// lock may give it a lease at once and the one that was asked for as the last thing of all.
bool CauseFacts::is_cut(const HoldPeriod& period, EventIndex index, std::string_view owner) const {
  const Event& event = events()[index];
  if (event.text("by").empty()) return false;
  if (event.text("by") == owner) {
    const Event* const done = last_of(model_kind::step_completed, brief(owner), index);
    if (done == nullptr || done < &events()[period.taken]) return false;
  }
  // One node's lease is that of all who have it; of several nodes each owner has one of its own.
  return holders_from(event.text("holders")).size() == 1 || !is_quorum(owner);
}

void CauseFacts::note_lease(HoldPeriod& period, EventIndex index, std::string_view owner,
                            sim::TimeNs end_before_ns) const {
  const Event& event = events()[index];
  const sim::TimeNs end_ns = lease_end_of(event);
  if (end_ns < end_before_ns && is_cut(period, index, owner)) {
    period.shortened = index;
    period.would_have_ended_ns = end_before_ns;
  } else if (end_ns >= period.would_have_ended_ns) {
    period.shortened.reset();
  }
  const bool is_renewal = event.text("cause") == "renewal";
  // An inner release, too, begins the lease of the holds that stay anew.
  const bool is_own =
      event.text("by") == owner && (event.text("cause") == "acquire" ||
                                    (event.text("cause") == "release" && end_ns != end_before_ns));
  if (is_renewal || is_own) period.last_set = index;
  if (!is_renewal || end_ns < end_before_ns) return;
  // On further nodes of a vote, or by a second command: the same acquisition.
  const Event* const asked = last_of(model_kind::service_invoked, brief(owner), index);
  const bool is_of_taking =
      event.text("by") == owner && asked != nullptr && asked < &events()[period.taken];
  if (is_of_taking) return;
  period.renewed_by = brief(event.text("by"));
  ++period.renewals;
}

std::vector<HoldPeriod> CauseFacts::hold_periods(std::string_view owner, std::string_view lock,
                                                 EventIndex before) const {
  std::vector<HoldPeriod> found;
  std::set<std::string, std::less<>> held;                  // names of locks
  std::map<std::string, sim::TimeNs, std::less<>> ends_ns;  // of their leases
  for (EventIndex index = 0; index < std::min(before, events().size()); ++index) {
    const Event& event = events()[index];
    if (event.kind != model_kind::lock_changed) continue;
    if (!lock.empty() && event.text("lock") != lock) continue;
    const bool holds_now = holds(holders_from(event.text("holders")), owner);
    const auto was = held.find(event.text("lock"));
    const sim::TimeNs end_before_ns =
        was == held.end() ? 0 : ends_ns.find(event.text("lock"))->second;
    const auto same =
        std::find_if(found.rbegin(), found.rend(), [&](const HoldPeriod& hold_period) {
          return !hold_period.lost &&
                 events()[hold_period.taken].text("lock") == event.text("lock");
        });
    if (holds_now && was == held.end()) {
      held.emplace(event.text("lock"));
      found.push_back({index, std::nullopt, 0, {}, index});
    } else if (same == found.rend()) {
      continue;
    } else if (!holds_now) {
      same->lost = index;
      held.erase(was);
    } else {
      note_lease(*same, index, owner, end_before_ns);
    }
    if (holds_now) ends_ns[std::string(event.text("lock"))] = lease_end_of(event);
  }
  return found;
}

const CauseFacts::Event* CauseFacts::state_before(EventIndex event, std::string_view lock) const {
  for (EventIndex index = std::min(event, events().size()); index-- > 0;) {
    const Event& told = events()[index];
    const bool is_its = lock.empty() || told.text("lock") == lock;
    if (told.kind == model_kind::lock_changed && is_its) return &told;
  }
  return nullptr;
}

std::string CauseFacts::holders_before(EventIndex event, std::string_view lock) const {
  const Event* const state = state_before(event, lock);
  if (state == nullptr) return {};
  std::string names;
  for (const Holder& holder : holders_from(state->text("holders"))) {
    names += (names.empty() ? "" : " and ") + brief(holder.owner);
  }
  return names;
}

bool CauseFacts::is_quorum(std::string_view owner) const {
  std::set<std::pair<std::string, std::string>> places;  // key, group
  for (const Event& event : events()) {
    if (event.kind != model_kind::command_executed || !is_for(event, owner)) continue;
    if (event.number("writes") == 0) continue;
    const std::string key(first_word(event.text("arguments")));
    places.emplace(key, group_of(actor_of(event)));
    const auto first = places.lower_bound({key, ""});
    if (std::next(first) != places.end() && std::next(first)->first == key) return true;
  }
  return false;
}

const CauseFacts::Event* CauseFacts::command_at(EventIndex event) const {
  for (EventIndex index = event; index-- > 0;) {
    const Event& told = events()[index];
    if (told.at != events()[event].at) break;
    if (told.kind == model_kind::command_executed) return &told;
  }
  return nullptr;
}

bool CauseFacts::is_of_shard(const Event& event, std::string_view shard) const {
  return shard.empty() || group_of(actor_of(event)) == shard;
}

const CauseFacts::Event* CauseFacts::change_of_a_node_at(sim::TimeNs at_ns,
                                                         std::string_view shard) const {
  const Event* found = nullptr;
  for (const Event& event : events()) {
    if (event.at > at_ns) break;
    const bool is_such = event.kind == sim_kind::process_crashed ||
                         event.kind == model_kind::dataset_restored ||
                         event.kind == model_kind::node_promoted;
    if (is_such && event.at == at_ns && is_of_shard(event, shard)) found = &event;
  }
  return found;
}

const CauseFacts::Event* CauseFacts::successor_from(sim::TimeNs at_ns,
                                                    std::string_view shard) const {
  const auto found = std::find_if(events().begin(), events().end(), [&](const Event& event) {
    return event.at >= at_ns && is_of_shard(event, shard) &&
           (event.kind == model_kind::dataset_restored || event.kind == model_kind::node_promoted);
  });
  return found == events().end() ? nullptr : &*found;
}

std::string CauseFacts::fault_at(EventIndex event) const {
  for (EventIndex index = event; index-- > 0;) {
    const Event& told = events()[index];
    if (told.at != events()[event].at) break;
    if (told.kind == model_kind::fault_struck) return brief(told.text("what"), 200);
  }
  return {};
}

const CauseFacts::Event* CauseFacts::last_of(std::string_view kind, std::string_view actor,
                                             EventIndex before) const {
  for (EventIndex index = std::min(before, events().size()); index-- > 0;) {
    if (events()[index].kind == kind && is_by(events()[index], actor)) return &events()[index];
  }
  return nullptr;
}

const CauseFacts::Event* CauseFacts::unanswered_step(const sim::Actor& thread) const {
  if (thread.kind != "client-thread") return nullptr;
  const std::string who = brief(thread.name);
  const std::string process = brief(thread.group);
  const Event* step = nullptr;
  for (const Event& event : events()) {
    const std::string actor = actor_of(event);
    if (event.kind == sim_kind::process_crashed && actor == process) step = nullptr;
    if (actor != who) continue;
    if (event.kind == model_kind::step_invoked) step = &event;
    if (event.kind == model_kind::step_completed) step = nullptr;
  }
  return step != nullptr && !step->text("lock").empty() ? step : nullptr;
}

bool CauseFacts::is_between_steps(std::string_view thread, const Event& event) const {
  const std::string who = brief(thread);
  const auto index = static_cast<EventIndex>(&event - events().data());
  const Event* const begun = last_of(model_kind::step_invoked, who, index);
  const Event* const ended = last_of(model_kind::step_completed, who, index);
  return ended != nullptr && (begun == nullptr || begun < ended);
}

EventIndex CauseFacts::event_after(sim::TimeNs at_ns) const {
  const auto found =
      std::find_if(events().begin(), events().end(), [&](const Event& e) { return e.at > at_ns; });
  return static_cast<EventIndex>(found - events().begin());
}

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

/// "a was cut off from n1 and n2 from 0 ms on": with the times where they are the same for all.
std::string CauseFacts::cuts_of(std::string_view process, sim::TimeNs from_ns,
                                sim::TimeNs until_ns) const {
  std::vector<const Span*> found;
  for (const Span& cut : cuts_) {
    const bool is_its = cut.one == process || cut.other == process;
    if (is_its && cut.from_ns <= until_ns && cut.until_ns >= from_ns) found.push_back(&cut);
  }
  if (found.empty()) return {};
  std::string hosts;
  for (const Span* const cut : found) {
    const bool is_last = cut == found.back();
    hosts += (hosts.empty() ? ""
              : is_last     ? " and "
                            : ", ") +
             brief(cut->one == process ? cut->other : cut->one);
  }
  const bool is_one_time = std::all_of(found.begin(), found.end(), [&](const Span* cut) {
    return cut->from_ns == found.front()->from_ns && cut->until_ns == found.front()->until_ns;
  });
  return fmt::format("{} was cut off from {}{}", brief(process), hosts,
                     is_one_time ? " " + in_words(*found.front()) : std::string());
}

/// Renewals that a node executed and that found nothing to renew: the first, and how many more.
void CauseFacts::add_ineffective_renewals(std::string_view process, sim::TimeNs from_ns,
                                          sim::TimeNs until_ns, std::string_view lock,
                                          std::vector<std::string>& clauses) const {
  const Event* first = nullptr;
  EventIndex first_at = 0;
  std::size_t count = 0;
  for (EventIndex index = 0; index < events().size(); ++index) {
    const Event& event = events()[index];
    if (event.at < from_ns || event.at > until_ns) continue;
    if (event.kind != model_kind::command_executed) continue;
    // What has ended is deleted when it is asked for.
    const bool is_in_vain =
        event.number("writes") == 0 || event.text("reply") == "0" || is_left_out(event, lock);
    if (!is_in_vain) continue;
    const std::string_view label = event.text("label");
    const bool is_renewal =
        label.starts_with("renew") || label.starts_with("extend") || label.starts_with("pexpire");
    if (!is_renewal || group_of(event.text("on_behalf_of")) != process) continue;
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
    return event.kind == model_kind::service_invoked && event.text("kind") == "renew" &&
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
  return fmt::format(", though {} had given {} back at {}", owner, what,
                     milliseconds(released->at));
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
  const auto& all = messages_.all();
  return std::any_of(all.begin(), all.end(), [&](const TraceMessage& request) {
    return request.label == asked && request.on_behalf_of == reply.on_behalf_of &&
           request.fate == Fate::arrived && request.ended < reply.sent &&
           events()[request.ended].at == events()[reply.sent].at &&
           length_of(request) >= noticeable_ns_;
  });
}

/// Those that were lost, and of the others that were long under way the longest.
void CauseFacts::add_messages(std::string_view owner, sim::TimeNs from_ns, sim::TimeNs until_ns,
                              std::vector<std::string>& clauses) const {
  const TraceMessage* slowest = nullptr;
  for (const TraceMessage& message : messages_.all()) {
    const sim::TimeNs sent_ns = events()[message.sent].at;
    if (!is_of(message.on_behalf_of, owner) || sent_ns > until_ns) continue;
    if (told_.contains(message.sent) || is_unheard(message)) continue;
    // What the owner's own process was still to get is no matter once that has crashed.
    const bool is_owners_end =
        message.why_lost == "process-crashed" && !replied_label(message.label).empty();
    if (message.fate == Fate::lost && !is_owners_end && sent_ns >= from_ns) {
      clauses.push_back(fmt::format("{}, sent at {}, was lost ({})", its_message(message.label),
                                    milliseconds(sent_ns), brief(message.why_lost)));
    }
    const bool is_there = message.fate != Fate::lost && events()[message.ended].at >= from_ns;
    const bool is_longest = slowest == nullptr || length_of(message) > length_of(*slowest);
    if (is_there && length_of(message) >= noticeable_ns_ && is_longest) slowest = &message;
  }
  if (slowest == nullptr) return;
  const sim::TimeNs sent_ns = events()[slowest->sent].at;
  const bool is_there_still = slowest->fate == Fate::under_way;
  clauses.push_back(fmt::format(
      "{} was under way {}", its_message(slowest->label),
      in_words({"", "", sent_ns, is_there_still ? sim::never_ns : events()[slowest->ended].at})));
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

std::string CauseFacts::pause_within(std::string_view process, sim::TimeNs from_ns,
                                     sim::TimeNs until_ns) const {
  for (auto pause = pauses_.rbegin(); pause != pauses_.rend(); ++pause) {
    if (pause->one == process && pause->from_ns <= until_ns && pause->until_ns >= from_ns) {
      return in_words(*pause);
    }
  }
  return {};
}

std::string CauseFacts::pause_at(std::string_view process, sim::TimeNs at_ns) const {
  for (const Span& pause : pauses_) {
    if (pause.one == process && pause.from_ns <= at_ns && pause.until_ns >= at_ns) {
      return in_words(pause);
    }
  }
  return {};
}

std::string CauseFacts::cut_at(std::string_view one, std::string_view other,
                               sim::TimeNs at_ns) const {
  for (const Span& cut : cuts_) {
    const bool is_it =
        (cut.one == one && cut.other == other) || (cut.one == other && cut.other == one);
    if (is_it && cut.from_ns <= at_ns && cut.until_ns >= at_ns) return in_words(cut);
  }
  return {};
}

}  // namespace lockstep::reports
