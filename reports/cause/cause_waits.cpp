#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "checker/history.h"
#include "checker/kept_run.h"
#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"
#include "scenario/step_forms.h"
#include "search/runs/run_record.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

constexpr std::string_view asked_once_more = ", and asked for it once more";

/// A lock that is free for less keeps nobody waiting.
constexpr sim::DurationNs long_free_ns = 100 * sim::millisecond_ns;

/// A step that takes that lock alone, and not one that gives it back or asks about it.
bool asks_for(const Event& step, std::string_view lock) {
  const std::string_view text = step.text("step");
  const std::string_view word = text.substr(0, text.find(' '));
  return step.text("lock") == lock &&
         std::ranges::any_of(scenario::step_forms(), [word](const scenario::StepForm& form) {
           return form.word == word && form.role == scenario::StepRole::takes;
         });
}

class WaitExplainer {
 public:
  WaitExplainer(const CauseFacts& facts, std::string waiter, WaitSpan span)
      : facts_(facts),
        waiter_(std::move(waiter)),
        owner_(facts.owner_of(waiter_)),
        from_ns_(span.from_ns),
        until_ns_(span.until_ns),
        end_(std::min<EventIndex>(facts.event_after(until_ns_), facts.events().size())) {
    // At the instant that its wait ends it may have begun another step.
    const EventIndex begun = std::min<EventIndex>(facts.event_after(from_ns_), end_);
    const Event* asked = facts.last_of(model_kind::step_invoked, brief(waiter_), begun);
    if (asked == nullptr) asked = facts.last_of(model_kind::step_invoked, brief(waiter_), end_);
    if (asked != nullptr) {
      lock_ = chosen_of(asked->text("lock"));
      wants_to_read_ = asked->text("step").starts_with("read");
    }
    for (const sim::Actor& actor : facts.example().trace.actors) {
      if (!facts.is_of(actor.name, waiter_)) continue;
      waits_still_ = waits_still_ || facts.unanswered_step(actor) != nullptr;
    }
  }

  std::vector<Cause> tell() {
    if (is_counting_lock(facts_.example())) {
      tell_number();
      return std::move(causes_);
    }
    if (std::optional<Cause> own = explain_own_hold()) {
      causes_.push_back(*std::move(own));
      return std::move(causes_);
    }
    const Blocker blocker = find_blocker(owners(), lock_);
    if (2 * blocker.length_ns >= until_ns_ - from_ns_ && blocker.length_ns > 0) {
      const bool is_free_since = outlived(blocker);
      if (is_free_since && waits_still_) explain_free_lock();
      causes_.push_back(explain_holder(facts_, blocker, waiter_, until_ns_, end_));
      if (waits_still_) explain_wait_of(blocker.owner);
      // Who asks again and again is soon told.
      if (is_free_since && !waits_still_ &&
          !is_polling(facts_, waiter_, {from_ns_, until_ns_}, from_ns_))
        explain_free_lock();
    } else if (facts_.is_quorum(waiter_)) {
      explain_votes();
    } else if (const std::optional<Cause> overtaking = explain_overtaking();
               overtaking && !is_left_waiting()) {
      causes_.push_back(*overtaking);
    } else {
      explain_free_lock();
    }
    return std::move(causes_);
  }

 private:
  [[nodiscard]] Silence silence() const {
    return {waiter_, owner_, lock_, {from_ns_, until_ns_}, end_, waits_still_};
  }
  [[nodiscard]] std::optional<Cause> explain_own_hold() const;
  void explain_wait_of(const std::string& holder);
  void explain_votes();
  [[nodiscard]] std::string chosen_of(std::string_view locks) const;
  [[nodiscard]] Blocker find_blocker(const std::vector<std::string>& owners,
                                     std::string_view lock) const;
  [[nodiscard]] std::vector<std::string> owners() const;
  [[nodiscard]] bool was_given_back(const HoldPeriod& hold_period) const;
  [[nodiscard]] std::string why_refused_by_itself(const Blocker& own) const;
  [[nodiscard]] bool outlived(const Blocker& blocker) const;
  void tell_number();
  void explain_free_lock();
  void explain_last_holders();
  [[nodiscard]] sim::TimeNs left_queue_ns(const QueueHead& head) const;
  [[nodiscard]] std::string left_by_waiter(const QueueHead& head, sim::TimeNs left_ns) const;
  [[nodiscard]] const Event* served_from_the_queue(const QueueHead& head, sim::TimeNs by_ns) const;
  void explain_queue(sim::TimeNs free_since_ns);
  [[nodiscard]] std::string clock_step_at(const Event& change) const;
  [[nodiscard]] std::string what_ended(sim::TimeNs at_ns) const;
  [[nodiscard]] std::optional<sim::TimeNs> free_since() const;
  [[nodiscard]] bool is_free_after(const Event& change) const;
  [[nodiscard]] std::optional<Cause> explain_overtaking() const;
  [[nodiscard]] bool is_left_waiting() const;

  const CauseFacts& facts_;
  const std::string waiter_;
  const std::string owner_;  // as whom it would have the lock
  std::string lock_;
  sim::TimeNs from_ns_;
  sim::TimeNs until_ns_;
  EventIndex end_;
  bool waits_still_ = false;    // when the run is over
  bool wants_to_read_ = false;  // so that others' reading keeps it from nothing
  std::vector<Cause> causes_;
};

/// All but the waiter.
std::vector<std::string> WaitExplainer::owners() const {
  std::vector<std::string> names = facts_.owners();
  std::erase(names, owner_);
  return names;
}

/// By a release of its own: nothing was wrong with it.
bool WaitExplainer::was_given_back(const HoldPeriod& hold_period) const {
  return hold_period.lost && facts_.events()[*hold_period.lost].text("cause") == "release";
}

/// "x,y": of several that it wants as one the lock that somebody else had for most of the wait.
std::string WaitExplainer::chosen_of(std::string_view locks) const {
  std::string chosen(locks.substr(0, locks.find(',')));
  if (chosen.size() == locks.size()) return chosen;
  sim::DurationNs longest_ns = 0;
  while (!locks.empty()) {
    const std::string_view lock = locks.substr(0, locks.find(','));
    const sim::DurationNs length_ns = find_blocker(owners(), lock).length_ns;
    if (length_ns > longest_ns) {
      longest_ns = length_ns;
      chosen = lock;
    }
    locks.remove_prefix(std::min(lock.size() + 1, locks.size()));
  }
  return chosen;
}

/// Who had the lock for the longest part of the wait, and did not give it back.
Blocker WaitExplainer::find_blocker(const std::vector<std::string>& owners,
                                    std::string_view lock) const {
  Blocker longest;
  for (const std::string& owner : owners) {
    for (const HoldPeriod& hold_period : facts_.hold_periods(owner, lock, end_)) {
      if (was_given_back(hold_period)) continue;
      const sim::TimeNs begins_ns = std::max(facts_.events()[hold_period.taken].at, from_ns_);
      const sim::TimeNs ends_ns =
          hold_period.lost ? std::min(facts_.events()[*hold_period.lost].at, until_ns_) : until_ns_;
      if (ends_ns - begins_ns > longest.length_ns)
        longest = {owner, hold_period, ends_ns - begins_ns};
    }
  }
  return longest;
}

/// None: the waiter did not have the lock itself for most of the wait.
std::optional<Cause> WaitExplainer::explain_own_hold() const {
  const Blocker own = find_blocker({owner_}, lock_);
  if (own.length_ns == 0 || 2 * own.length_ns < until_ns_ - from_ns_) return std::nullopt;
  const Event& taken = facts_.events()[own.hold_period.taken];
  const std::string who = brief(waiter_);
  Cause cause = cause_of_wait(waiter_, CauseKind::waits_for_itself, taken.at);
  cause.culprit = who;
  cause.server = facts_.actor_of(taken);
  std::string sentence = fmt::format("{} waited for itself: it had lock \"{}\" since {}", who,
                                     brief(lock_), milliseconds(taken.at));
  if (const Event* const command = facts_.command_at(own.hold_period.taken)) {
    cause.operation = brief(command->text("label"));
    cause.server = facts_.actor_of(*command);
    sentence += fmt::format(" (its {}, executed on {})", cause.operation, cause.server);
  }
  if (taken.number("lease_ends_ns") < 0) sentence += ", without a lease";
  const std::string why = why_refused_by_itself(own);
  cause.says.push_back(sentence + why + ".");
  if (why == asked_once_more) cause.says.push_back(last_answer(facts_, silence()));
  return cause;
}

/// Of one that waits for the lock, too, which it has itself.
void WaitExplainer::explain_wait_of(const std::string& holder) {
  const auto& actors = facts_.example().trace.actors;
  const Event* step = nullptr;
  for (const sim::Actor& actor : actors) {
    if (facts_.is_of(actor.name, holder) && step == nullptr) step = facts_.unanswered_step(actor);
  }
  if (step == nullptr || !asks_for(*step, lock_)) return;
  const WaitExplainer its(facts_, holder, {step->at, until_ns_});
  if (std::optional<Cause> own = its.explain_own_hold()) causes_.push_back(*std::move(own));
}

/// What it did not hear of its hold, or that it asked for it once more.
std::string WaitExplainer::why_refused_by_itself(const Blocker& own) const {
  const std::string who = brief(waiter_);
  const EventIndex asking = std::min<EventIndex>(facts_.event_after(from_ns_), end_);
  const Event* const believed = facts_.last_of(model_kind::belief_began, who, asking);
  const Event* const gave_up = facts_.last_of(model_kind::belief_ended, who, asking);
  const bool believes = believed != nullptr && (gave_up == nullptr || gave_up < believed);
  if (believes) return std::string(asked_once_more);
  const sim::TimeNs taken_ns = facts_.events()[own.hold_period.taken].at;
  const Event* const asked =
      facts_.last_of(model_kind::service_invoked, who, own.hold_period.taken);
  if (asked == nullptr) return {};
  for (const TraceMessage& message : facts_.messages().all()) {
    const Event& sent = facts_.events()[message.sent];
    const bool is_of_the_grant = facts_.is_of(message.on_behalf_of, waiter_) && &sent > asked &&
                                 sent.at <= taken_ns && !replied_label(message.label).empty();
    if (!is_of_the_grant || message.fate != Fate::lost) continue;
    // Who closes a connection has waited long enough for what was to come over it.
    return message.why_lost == "connection-closed"
               ? fmt::format(", but the reply came too late for {} to know of it", who)
               : fmt::format(", but the reply was lost ({}), so that {} did not know of it",
                             facts_.why_lost(message), who);
  }
  return {};
}

/// Whether the waiter might have it.
bool WaitExplainer::is_free_after(const Event& change) const {
  const std::vector<Holder> holders = holders_from(change.text("holders"));
  return wants_to_read_ ? std::all_of(holders.begin(), holders.end(),
                                      [](const Holder& holder) { return holder.is_reader; })
                        : holders.empty();
}

/// Others who had it for most of the wait, one after the other; none: it was free, or one had it.
std::optional<Cause> WaitExplainer::explain_overtaking() const {
  sim::DurationNs taken_ns = 0;
  sim::TimeNs last_ns = from_ns_;
  bool was_free = true;
  std::set<std::string> others;
  std::size_t grants = 0;
  for (const Event& event : facts_.events()) {
    if (event.at >= until_ns_) break;
    if (event.kind != model_kind::lock_changed || event.text("lock") != lock_) continue;
    if (event.at >= from_ns_) {
      if (!was_free) taken_ns += event.at - last_ns;
      last_ns = event.at;
    }
    was_free = is_free_after(event);
    if (event.at < from_ns_ || event.text("cause") != "acquire") continue;
    if (event.text("by") == owner_) continue;
    ++grants;
    others.insert(brief(event.text("by")));
  }
  if (!was_free) taken_ns += until_ns_ - last_ns;
  if (grants < 2 || 2 * taken_ns < until_ns_ - from_ns_) return std::nullopt;
  Cause cause = cause_of_wait(waiter_, CauseKind::overtaken, from_ns_);
  std::string names;
  for (const std::string& other : others) names += (names.empty() ? "" : ", ") + other;
  cause.says.push_back(
      fmt::format("{} had lock \"{}\" for {} of the {} that {} waited: it was granted to "
                  "others {} meanwhile.",
                  names, brief(lock_), milliseconds(taken_ns), milliseconds(until_ns_ - from_ns_),
                  brief(waiter_), checker::counted(static_cast<std::int64_t>(grants), "time")));
  return cause;
}

/// Since when the waiter might have it, before the end of the wait; none: it might not.
std::optional<sim::TimeNs> WaitExplainer::free_since() const {
  sim::TimeNs since_ns = 0;
  bool was_free = true;
  for (EventIndex index = 0; index < end_; ++index) {
    const Event& event = facts_.events()[index];
    if (event.kind != model_kind::lock_changed || event.text("lock") != lock_) continue;
    const bool is_free = is_free_after(event);
    const bool is_its = event.at > from_ns_ && event.text("by") == owner_;
    if ((event.at >= until_ns_ || is_its) && !waits_still_) break;  // what ended the wait
    if (is_free && !was_free) since_ns = event.at;
    was_free = is_free;
  }
  return was_free ? std::optional(since_ns) : std::nullopt;
}

/// Nobody has the lock any more, nor will: who had it before is no reason.
bool WaitExplainer::is_left_waiting() const {
  const std::optional<sim::TimeNs> since_ns = free_since();
  if (!waits_still_ || !since_ns) return false;
  return until_ns_ - *since_ns > long_free_ns || facts_.events().back().text("why") == "at-rest";
}

/// The lock was free for long after the blocker, and the waiter did not get it.
bool WaitExplainer::outlived(const Blocker& blocker) const {
  if (!blocker.hold_period.lost) return false;
  const sim::TimeNs lost_ns = facts_.events()[*blocker.hold_period.lost].at;
  return lost_ns >= free_since().value_or(sim::never_ns) &&
         (waits_still_ || until_ns_ - lost_ns > long_free_ns);
}

void WaitExplainer::tell_number() {
  CountExplanation explanation = explain_count(facts_, waiter_, lock_, end_);
  causes_ = std::move(explanation.causes);
  // Where a number is not what it should be nobody else need have what is missing.
  std::optional<Cause> wrong = explain_lost_count(facts_, until_ns_);
  if (!wrong) wrong = explain_permits(facts_, until_ns_);
  if (wrong) {
    std::erase_if(causes_, [&](const Cause& cause) {
      return cause.kind == CauseKind::held && cause.culprit == wrong->culprit;
    });
    wrong->victim = brief(waiter_);
    causes_.insert(causes_.begin(), *std::move(wrong));
  }
  if (!causes_.empty()) return;
  causes_ = explain_silence(facts_, silence(), {explanation.enough, explanation.enough_since_ns});
}

void WaitExplainer::explain_free_lock() {
  const std::size_t before = causes_.size();
  const std::optional<sim::TimeNs> since_ns = free_since();
  if (!since_ns) return explain_last_holders();
  explain_queue(*since_ns);
  if (causes_.size() > before) return;
  std::vector<Cause> silent = explain_silence(
      facts_, silence(),
      {fmt::format("Nobody had lock \"{}\"{}", brief(lock_), wants_to_read_ ? " to write" : ""),
       *since_ns, what_ended(*since_ns)});
  std::move(silent.begin(), silent.end(), std::back_inserter(causes_));
}

/// Which nodes everybody had, so that nobody had enough of them.
void WaitExplainer::explain_votes() {
  // What ended the wait is none of the reasons for it.
  const EventIndex before =
      waits_still_ ? end_ : facts_.event_after(from_ns_ + (until_ns_ - from_ns_) / 2);
  std::set<std::string> masters;
  for (const sim::Actor& actor : facts_.example().trace.actors) {
    if (actor.kind == "redis") masters.insert(actor.group);
  }
  // A wait that is over ended with a majority that was taken for one.
  const sim::TimeNs refused_ns = waits_still_ ? until_ns_ : from_ns_ + (until_ns_ - from_ns_) / 2;
  const std::vector<std::string> all = facts_.owners();
  for (const std::string& owner : all) {
    auto refused = explain_refused_majority(facts_, owner, from_ns_, refused_ns);
    if (refused) return causes_.push_back(*std::move(refused));
  }
  for (const std::string& owner : all) {
    if (auto votes = explain_split_vote(facts_, owner, before)) causes_.push_back(*votes);
  }
  if (causes_.empty()) return;
  auto& says = causes_.front().says;
  says.insert(says.begin(),
              fmt::format("Nobody had more than half of the {} nodes.", masters.size()));
}

/// Who had it in the end, where nobody had it for most of the wait and it was not free either.
void WaitExplainer::explain_last_holders() {
  const Event* const last = facts_.state_before(end_, lock_);
  Cause cause = cause_of_wait(waiter_, CauseKind::unknown, last == nullptr ? from_ns_ : last->at);
  if (last != nullptr) {
    cause.says.push_back(fmt::format("Lock \"{}\" was {}'s from {} on.", brief(lock_),
                                     facts_.holders_before(end_, lock_), milliseconds(last->at)));
  }
  cause.says.push_back(last_answer(facts_, silence()));
  causes_.push_back(std::move(cause));
}

/// "n1's clock stepped by 20,000 ms": at the instant of an event; empty: none did.
std::string WaitExplainer::clock_step_at(const Event& change) const {
  for (const Event& event : facts_.events()) {
    if (event.at > change.at) break;
    const bool is_step = event.kind == model_kind::clock_changed && event.number("by_ns") != 0;
    if (!is_step || event.at != change.at) continue;
    return fmt::format("{}'s clock stepped by {}", facts_.actor_of(event),
                       milliseconds(event.number("by_ns")));
  }
  return {};
}

/// ", when the lease of a/1 ended, which had crashed at 1 ms": what freed the lock then. Empty: it
/// was given back.
std::string WaitExplainer::what_ended(sim::TimeNs at_ns) const {
  for (EventIndex index = 0; index < end_; ++index) {
    const Event& event = facts_.events()[index];
    const bool is_it = event.at == at_ns && event.kind == model_kind::lock_changed &&
                       event.text("lock") == lock_ && is_free_after(event);
    if (!is_it || event.text("cause") != "expiry") continue;
    const Event* const before = facts_.state_before(index, lock_);
    if (before == nullptr) return {};
    if (const std::string step = clock_step_at(event); !step.empty()) {
      return fmt::format(", when {}, which ended the lease of {}", step,
                         facts_.holders_before(index, lock_));
    }
    std::string crashes;
    for (const Holder& holder : holders_from(before->text("holders"))) {
      const std::string process = brief(facts_.group_of(holder.owner));
      const Event* const crash = facts_.last_of(sim_kind::process_crashed, process, index);
      if (crash == nullptr) return fmt::format(", when the lease of {} ended", brief(holder.owner));
      crashes = fmt::format(", which had crashed at {}", milliseconds(crash->at));
    }
    return fmt::format(", when the lease of {} ended{}", facts_.holders_before(index, lock_),
                       crashes);
  }
  return {};
}

/// The last time by then that the head of the queue took the lock and kept its place; null: it did
/// not.
const Event* WaitExplainer::served_from_the_queue(const QueueHead& head, sim::TimeNs by_ns) const {
  const Event* served = nullptr;
  for (const Event& event : facts_.events()) {
    if (event.at > by_ns) break;
    const bool is_it = event.kind == model_kind::lock_changed && event.text("lock") == lock_ &&
                       event.text("cause") == "acquire" && event.text("by") == head.owner &&
                       event.at >= head.since_ns;
    if (is_it) served = &event;
  }
  return served;
}

/// When it was no longer the head of the queue; never_ns: it stood there to the end.
sim::TimeNs WaitExplainer::left_queue_ns(const QueueHead& head) const {
  for (const Event& event : facts_.events()) {
    const bool is_it = event.at > head.since_ns && event.kind == model_kind::queue_changed &&
                       event.text("lock") == lock_;
    const std::string_view owners = event.text("owners");
    if (is_it && owners.substr(0, owners.find(' ')) != head.owner) return event.at;
  }
  return sim::never_ns;
}

/// What of the waiter's came last upon the head of the queue and left it there.
std::string WaitExplainer::left_by_waiter(const QueueHead& head, sim::TimeNs left_ns) const {
  const Event* asked = nullptr;
  for (const Event& event : facts_.events()) {
    if (event.at > until_ns_ || event.at >= left_ns) break;
    const bool is_it = event.kind == model_kind::command_executed && event.at > head.since_ns &&
                       facts_.is_for(event, owner_);
    if (is_it) asked = &event;
  }
  if (asked == nullptr) return {};
  return fmt::format("{}'s {}, executed on {} at {}, left it there.", brief(owner_),
                     brief(asked->text("label")), facts_.actor_of(*asked), milliseconds(asked->at));
}

/// The first of a queue that somebody else stands at the head of.
void WaitExplainer::explain_queue(sim::TimeNs free_since_ns) {
  const QueueHead head = head_of_queue(facts_, lock_, from_ns_, until_ns_);
  if (head.owner.empty() || head.owner == owner_) return;
  const Event* const served = served_from_the_queue(head, free_since_ns);
  std::string sentence = fmt::format(
      "Nobody had lock \"{}\" from {} on{}, but {} was the first in its queue since {}{}",
      brief(lock_), milliseconds(std::max(free_since_ns, from_ns_)), what_ended(free_since_ns),
      brief(head.owner), milliseconds(head.since_ns),
      served == nullptr ? std::string() : stayed_when_served(facts_, *served));
  const Event* const crash =
      facts_.last_of(sim_kind::process_crashed, facts_.group_of(head.owner), end_);
  const sim::TimeNs left_ns = left_queue_ns(head);
  std::string why_it_sleeps;
  if (crash != nullptr) {
    const bool stood_to_the_end = left_ns == sim::never_ns;
    sentence += fmt::format(
        ", and {} had crashed at {}; it stood there {}", facts_.actor_of(*crash),
        milliseconds(crash->at),
        stood_to_the_end ? std::string("to the end") : "until " + milliseconds(left_ns));
  } else if (const EventIndex asked = facts_.event_after(from_ns_);
             asked > 0 && facts_.is_between_steps(head.owner, facts_.events()[asked - 1])) {
    sentence += fmt::format(", though {} no longer waited", brief(head.owner));
  } else if (left_ns >= until_ns_) {
    why_it_sleeps = last_answer(facts_, {head.owner,
                                         head.owner,
                                         lock_,
                                         {head.since_ns, until_ns_},
                                         end_,
                                         left_ns == sim::never_ns});
  }
  Cause cause = cause_of_wait(waiter_, CauseKind::place_lost, head.since_ns);
  note_what_freed(facts_, silence(), cause, free_since_ns);
  cause.operation.clear();
  if (served != nullptr) cause.at_ns = served->at;
  cause.culprit = brief(head.owner);
  cause.says.push_back(sentence + ".");
  // Of a dead one nobody but who asks can make an end.
  cause.says.push_back(crash != nullptr ? left_by_waiter(head, left_ns) : why_it_sleeps);
  causes_.push_back(std::move(cause));
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

std::vector<Cause> explain_wait(const CauseFacts& facts, const std::string& waiter, WaitSpan span) {
  return WaitExplainer(facts, waiter, span).tell();
}

}  // namespace lockstep::reports
