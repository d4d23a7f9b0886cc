#include "checker/properties/fifo.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "checker/check.h"
#include "checker/drift.h"
#include "checker/evidence.h"
#include "checker/text.h"
#include "checker/verdict.h"

namespace lockstep::checker {
namespace {

bool is_grant(const HoldChange& change) {
  return change.cause == ChangeCause::acquire && change.count_before == 0 && change.count_after > 0;
}

bool is_refusal(const Operation& operation) {
  return operation.kind == OperationKind::acquire && operation.outcome == Outcome::fail &&
         operation.completed;
}

std::string describe_loss(const Names& names, const QueueEvent* loss) {
  if (loss == nullptr) return {};
  const std::string who = loss->by == no_name
                              ? std::string()
                              : fmt::format(" by {}'s script", name_of(names, loss->by));
  return fmt::format(", but whose place was taken away{} at {}", who, milliseconds(loss->at.at_ns));
}

}  // namespace

void Fifo::judge(const Run& run, Verdict& verdict) {
  load(run);
  for (const Step& step : steps_) take(run, step, verdict);
  verdict.summary += in_all(overtakings_, "overtakings");
}

void Fifo::load(const Run& run) {
  const Observations& observations = run.observations;
  drift_ppm_ = run.declared_drift_ppm;
  overtakings_ = 0;
  places_.clear();
  queues_.assign(run.names.size(), Queue{});
  waiters_.clear();
  steps_.clear();
  std::uint32_t index = 0;
  for (const Wait& wait : observations.waits) {
    steps_.push_back({wait.from.order, StepKind::wait_begins, index});
    steps_.push_back({wait.until.order, StepKind::wait_ends, index});
    ++index;
  }
  index = 0;
  for (const QueueEvent& event : observations.queue_events) {
    steps_.push_back({event.at.order, StepKind::queue_event, index++});
  }
  index = 0;
  for (const Operation& operation : run.history.operations) {
    // After a fault another node may have refused it than the one whose queue counts now.
    if (is_refusal(operation) && !observations.has_fault_struck) {
      steps_.push_back({operation.completed->order, StepKind::refusal, index});
    }
    ++index;
  }
  index = 0;
  for (const HoldChange& change : observations.hold_changes) {
    if (is_grant(change)) steps_.push_back({change.at.order, StepKind::grant, index});
    ++index;
  }
  std::sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) {
    return std::tuple(a.order, a.kind, a.index) < std::tuple(b.order, b.kind, b.index);
  });
}

void Fifo::take(const Run& run, const Step& step, Verdict& verdict) {
  const Observations& observations = run.observations;
  switch (step.kind) {
    case StepKind::wait_begins:
      begin_wait(observations.waits[step.index]);
      break;
    case StepKind::refusal:
      take_refusal(run.history.operations[step.index]);
      break;
    case StepKind::wait_ends:
      end_wait(observations.waits[step.index]);
      break;
    case StepKind::queue_event: {
      const QueueEvent& event = observations.queue_events[step.index];
      const bool is_contact =
          event.kind == QueueEventKind::entered || event.kind == QueueEventKind::seen;
      if (is_contact) {
        take_contact(event);
      } else {
        take_loss(event);
      }
      break;
    }
    case StepKind::grant:
      judge_grant(run, observations.hold_changes[step.index], verdict);
      break;
  }
}

/// The owner entered the queue, or was seen in it.
void Fifo::take_contact(const QueueEvent& event) {
  Waiter& waiter = waiters_.at(event.owner, event.lock);
  if (waiter.place != no_place && places_[waiter.place].left_forfeited_ns) {
    remove(waiter, event.lock);
  }
  if (waiter.place != no_place) {
    Place& place = places_[waiter.place];
    if (is_silent_too_long(place, event.at.at_ns)) place.was_silent = true;
    const bool is_over = place.is_forfeited || place.was_silent;
    if (event.kind == QueueEventKind::entered && is_over) remove(waiter, event.lock);
  }
  if (waiter.place == no_place) append(event.owner, waiter, event.lock, event.at);
  Place& place = places_[waiter.place];
  place.deadline_ns = event.deadline_ns;
  place.is_queued = true;
  place.was_never_entered = false;
  place.is_forfeited = waiter.waits == 0;  // a script that came after its caller had given up
  place.may_be_withdrawing = false;
}

void Fifo::take_loss(const QueueEvent& event) {
  Waiter& waiter = waiters_.at(event.owner, event.lock);
  if (waiter.place == no_place) return;  // by its own grant
  Place& place = places_[waiter.place];
  place.is_queued = false;
  // Who oversleeps the end of its wait is owed no place any more.
  const bool is_forfeited = place.is_forfeited || place.was_silent ||
                            is_silent_too_long(place, event.at.at_ns) ||
                            waiter.until_ns <= event.at.at_ns;
  const bool by_owner = event.by == event.owner;
  if (event.kind == QueueEventKind::lost_with_failover || (is_forfeited && !by_owner)) {
    remove(waiter, event.lock);
  } else if (is_forfeited) {
    place.left_forfeited_ns = event.at.at_ns;
  } else if (by_owner) {
    place.may_be_withdrawing = true;
  } else if (place.loss == nullptr) {
    place.loss = &event;
  }
}

void Fifo::begin_wait(const Wait& wait) {
  Waiter& waiter = waiters_.at(wait.owner, wait.lock);
  if (waiter.waits++ > 0) return;
  waiter.is_patient = wait.limit_ns != TimeNs{0};
  const bool has_end = wait.limit_ns && *wait.limit_ns != never_ns;
  waiter.until_ns = has_end ? wait.from.at_ns + *wait.limit_ns : never_ns;
  waiter.had_place = waiter.place != no_place;
  waiter.refusals = 0;
}

void Fifo::take_refusal(const Operation& attempt) {
  Waiter& waiter = waiters_.at(attempt.owner, attempt.lock);
  if (waiter.waits != 1 || !waiter.is_patient || waiter.had_place) return;
  if (++waiter.refusals < 2) return;
  append(attempt.owner, waiter, attempt.lock, *attempt.completed);
  places_[waiter.place].is_queued = false;
  places_[waiter.place].was_never_entered = true;
}

void Fifo::end_wait(const Wait& wait) {
  Waiter& waiter = waiters_.at(wait.owner, wait.lock);
  --waiter.waits;
  if (waiter.place == no_place || waiter.waits > 0) return;
  Place& place = places_[waiter.place];
  place.is_forfeited = true;
  if (!place.is_queued) remove(waiter, wait.lock);
}

void Fifo::judge_grant(const Run& run, const HoldChange& grant, Verdict& verdict) {
  Waiter& waiter = waiters_.at(grant.owner, grant.lock);
  if (waiter.place != no_place && has_gone(places_[waiter.place], grant.at.at_ns)) {
    remove(waiter, grant.lock);
  }
  const PlaceIndex own = waiter.place;
  for (PlaceIndex index = queue_of(grant.lock).first; index != own && index != no_place;
       index = places_[index].behind) {
    if (!blocks(places_[index], grant.at.at_ns)) continue;
    add_violation(run, grant, own == no_place ? nullptr : &places_[own], places_[index], verdict);
    break;
  }
  if (own != no_place) remove(waiter, grant.lock);
}

void Fifo::add_violation(const Run& run, const HoldChange& grant, const Place* own,
                         const Place& ahead, Verdict& verdict) {
  if (++overtakings_ > evidence_max / 2) return;
  const std::string own_place =
      own == nullptr ? std::string("without a place in the queue")
                     : fmt::format("queued since {}", milliseconds(own->entered.at_ns));
  const std::string since = milliseconds(ahead.entered.at_ns);
  const std::string its_place =
      ahead.was_never_entered
          ? fmt::format("which was refused at {} and had no place in the queue", since)
          : fmt::format("queued since {}{}", since, describe_loss(run.names, ahead.loss));
  std::string what =
      fmt::format("{}, {}, was granted lock \"{}\" at {} before {}, {}",
                  name_of(run.names, grant.owner), own_place, name_of(run.names, grant.lock),
                  milliseconds(grant.at.at_ns), name_of(run.names, ahead.owner), its_place);
  if (verdict.kind == VerdictKind::holds) verdict.summary = what;
  verdict.kind = VerdictKind::violated;
  verdict.evidence.push_back(
      {fmt::format("{} {} for lock \"{}\"", name_of(run.names, ahead.owner),
                   ahead.was_never_entered ? "waited" : "queued", name_of(run.names, grant.lock)),
       ahead.owner, ahead.entered, grant.at});
  verdict.evidence.push_back({std::move(what), grant.owner, grant.at, std::nullopt});
}

void Fifo::append(NameId owner, Waiter& waiter, NameId lock, const Moment& at) {
  const auto index = static_cast<PlaceIndex>(places_.size());
  Queue& queue = queue_of(lock);
  Place place;
  place.owner = owner;
  place.entered = at;
  place.before = queue.last;
  places_.push_back(place);
  (queue.last == no_place ? queue.first : places_[queue.last].behind) = index;
  queue.last = index;
  waiter.place = index;
  waiter.had_place = true;
}

/// REQUIRES: the waiter has a place.
void Fifo::remove(Waiter& waiter, NameId lock) {
  Queue& queue = queue_of(lock);
  const Place& place = places_[waiter.place];
  (place.before == no_place ? queue.first : places_[place.before].behind) = place.behind;
  (place.behind == no_place ? queue.last : places_[place.behind].before) = place.before;
  waiter.place = no_place;
}

bool Fifo::is_silent_too_long(const Place& place, TimeNs now_ns) const {
  if (place.deadline_ns == never_ns) return false;
  const TimeNs off_ns = drift_over(now_ns, drift_ppm_);
  return now_ns >= place.deadline_ns - off_ns - off_ns;
}

/// Whether a script that ran before took it off the queue for good.
bool Fifo::has_gone(const Place& place, TimeNs now_ns) {
  return place.left_forfeited_ns && *place.left_forfeited_ns != now_ns;
}

bool Fifo::blocks(const Place& place, TimeNs now_ns) const {
  return !place.is_forfeited && !place.was_silent && !place.may_be_withdrawing &&
         !place.left_forfeited_ns && !is_silent_too_long(place, now_ns);
}

}  // namespace lockstep::checker
