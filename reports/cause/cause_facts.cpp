#include "reports/cause/cause_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// A message that was under way for less did not keep anybody from anything.
constexpr sim::DurationNs noticeable_ns = 100 * sim::millisecond_ns;
/// … and where the network is slow, one that took as long as any other.
constexpr std::int64_t noticeable_medians = 3;

std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }

/// Whether it may stand in the name of a lock, so that "lock" is not in "lock2".
bool is_of_a_name(char character) {
  return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_' ||
         character == '-';
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
  find_forgotten();
  find_noticeable();
}

void CauseFacts::find_forgotten() {
  for (EventIndex index = 0; index < events().size(); ++index) {
    const Event& event = events()[index];
    const bool is_forgotten =
        event.kind == sim_kind::connection_closed && event.text("why") == "half-open";
    if (is_forgotten) forgotten_.emplace(event.number("connection"), index);
  }
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
  unusual_ns_ = noticeable_medians * *middle;
  noticeable_ns_ = std::max(noticeable_ns, unusual_ns_);
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
                     std::string(event.text(is_one_way ? "to" : "other")), event.at, sim::never_ns,
                     is_one_way});
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

/// When the lease is over that the owner itself asked for last; never_ns: nobody knows.
sim::TimeNs CauseFacts::own_end(const HoldPeriod& period, EventIndex index,
                                std::string_view owner) const {
  const bool tells_of_renewals = std::ranges::any_of(events(), [](const Event& event) {
    return event.kind == model_kind::service_invoked && event.text("kind").starts_with("renew");
  });
  // Then what its client executes after the answer is for others.
  const std::optional<OwnLease> own =
      own_lease(*this, std::string(owner), period.taken, index,
                tells_of_renewals ? Served::until_answered : Served::from_then_on);
  // Scripts reckon in whole milliseconds.
  return own ? own->ends_ns + sim::millisecond_ns : sim::never_ns;
}

void CauseFacts::note_lease(HoldPeriod& period, EventIndex index, std::string_view owner,
                            sim::TimeNs end_before_ns) const {
  const Event& event = events()[index];
  const sim::TimeNs end_ns = lease_end_of(event);
  const auto is_before = [end_ns](sim::TimeNs other_ns) {
    return end_ns + sim::millisecond_ns < other_ns;
  };
  // What others had added to it is theirs to take back. It is a look through all of the hold: not
  // for each renewal.
  const bool may_be_cut = is_before(end_before_ns);
  const sim::TimeNs own_end_ns = !may_be_cut || event.text("by") == owner
                                     ? end_before_ns
                                     : std::min(end_before_ns, own_end(period, index, owner));
  if (may_be_cut && is_before(own_end_ns) && is_cut(period, index, owner)) {
    period.shortened = index;
    period.would_have_ended_ns = own_end_ns;
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

bool names_lock(std::string_view text, std::string_view lock) {
  if (lock.empty()) return false;
  for (std::size_t at = text.find(lock); at != std::string_view::npos;
       at = text.find(lock, at + 1)) {
    const std::size_t end = at + lock.size();
    const bool begins = at == 0 || !is_of_a_name(text[at - 1]);
    if (begins && (end == text.size() || !is_of_a_name(text[end]))) return true;
  }
  return false;
}

void CauseFacts::find_owners() {
  std::vector<std::string> processes;
  for (const sim::Actor& actor : example_.trace.actors) {
    if (actor.kind == "client-thread") process_of_[brief(actor.name)] = brief(actor.group);
    if (actor.kind == "client") processes.push_back(actor.name);
  }
  const auto is_process = [&](std::string_view name) {
    return std::find(processes.begin(), processes.end(), name) != processes.end();
  };
  for (const Event& event : events()) {
    if (event.kind != model_kind::lock_changed && event.kind != model_kind::number_changed)
      continue;
    processes_own_ = processes_own_ || is_process(event.text("by"));
  }
}

bool CauseFacts::is_of(std::string_view actor, std::string_view owner) const {
  if (actor == owner) return true;
  const auto process = process_of_.find(actor);
  return process != process_of_.end() && process->second == owner;
}

bool CauseFacts::has_sent(std::string_view owner, sim::TimeNs from_ns, sim::TimeNs until_ns) const {
  const auto& all = messages_.all();
  return std::any_of(all.begin(), all.end(), [&](const TraceMessage& message) {
    const sim::TimeNs sent_ns = events()[message.sent].at;
    return is_of(message.on_behalf_of, owner) && sent_ns >= from_ns && sent_ns <= until_ns;
  });
}

bool CauseFacts::is_for(const Event& event, std::string_view owner) const {
  return is_of(event.text("on_behalf_of"), owner);
}

bool CauseFacts::is_by(const Event& event, std::string_view owner) const {
  const auto index = static_cast<std::size_t>(event.actor);
  const auto& actors = example_.trace.actors;
  if (index >= actors.size()) return false;
  const std::string& actor = actors[index].name;
  return is_of(actor, owner) || brief(actor) == owner;
}

std::string CauseFacts::owner_of(std::string_view thread) const {
  const auto process = process_of_.find(thread);
  return processes_own_ && process != process_of_.end() ? process->second : std::string(thread);
}

std::vector<std::string> CauseFacts::owners() const {
  std::vector<std::string> names;
  for (const sim::Actor& actor : example_.trace.actors) {
    if (actor.kind != "client-thread") continue;
    std::string name = owner_of(actor.name);
    // The threads of a process stand together.
    if (names.empty() || names.back() != name) names.push_back(std::move(name));
  }
  return names;
}

std::string_view how_ended(const std::vector<model::RecordedEvent>& events,
                           const model::RecordedEvent& crashed) {
  if (&crashed == events.data()) return "crashed";
  const model::RecordedEvent& before = *(&crashed - 1);
  const bool was_asked_to =
      before.actor == crashed.actor && before.kind == model_kind::node_shut_down;
  return was_asked_to ? "was shut down" : "crashed";
}

}  // namespace lockstep::reports
