#include "model/recorder.h"

#include <algorithm>
#include <cassert>

#include "model/messages.h"
#include "model/trace_vocabulary.h"

namespace lockstep::model {
namespace {

std::string_view to_string(checker::OperationKind kind, checker::HoldMode mode) {
  const bool is_shared = mode == checker::HoldMode::shared;
  switch (kind) {
    case checker::OperationKind::acquire:
      return is_shared ? "acquire-shared" : "acquire";
    case checker::OperationKind::renew:
      return is_shared ? "renew-shared" : "renew";
    case checker::OperationKind::release:
      return is_shared ? "release-shared" : "release";
    case checker::OperationKind::force_release:
      return "force-release";
  }
  return "unknown operation";
}

std::string_view to_string(checker::Outcome outcome) {
  switch (outcome) {
    case checker::Outcome::ok:
      return "ok";
    case checker::Outcome::fail:
      return "fail";
    case checker::Outcome::info:
      return "info";
  }
  return "unknown outcome";
}

std::string_view to_string(checker::BeliefEnd end) {
  switch (end) {
    case checker::BeliefEnd::released:
      return "released";
    case checker::BeliefEnd::told:
      return "told";
    case checker::BeliefEnd::validity:
      return "validity";
    case checker::BeliefEnd::crashed:
      return "crashed";
    case checker::BeliefEnd::run_over:
      return "run-over";
  }
  return "unknown end";
}

}  // namespace

// -- operations --

OperationId Recorder::invoke(sim::ActorId thread, checker::OperationKind kind,
                             checker::HoldMode mode, checker::NameId process, checker::NameId owner,
                             checker::NameId lock, sim::DurationNs lease_ns) {
  const auto id = static_cast<std::uint32_t>(history_.operations.size());
  trace_.emit(queue_.now(), trace_kind::service_invoked, thread,
              {{"operation", id},
               {"kind", to_string(kind, mode)},
               {"lock", names_.text(lock)},
               {"lease_ms", lease_ns / sim::millisecond_ns}});
  history_.operations.push_back({.kind = kind,
                                 .process = process,
                                 .owner = owner,
                                 .lock = lock,
                                 .invoked = now(),
                                 .completed = std::nullopt,
                                 .outcome = checker::Outcome::info,
                                 .lease_ns = lease_ns,
                                 .mode = mode});
  return OperationId{id};
}

void Recorder::complete(sim::ActorId thread, OperationId operation, checker::Outcome outcome) {
  const auto index = static_cast<std::uint32_t>(operation);
  assert(index < history_.operations.size() && !history_.operations[index].completed);
  trace_.emit(queue_.now(), trace_kind::service_completed, thread,
              {{"operation", index}, {"outcome", to_string(outcome)}});
  history_.operations[index].completed = now();
  history_.operations[index].outcome = outcome;
}

// -- beliefs --

void Recorder::begin_belief(sim::ActorId thread, checker::NameId owner, checker::NameId lock,
                            checker::HoldMode mode, std::int64_t permits) {
  assert(!believes(owner, lock, mode));
  if (mode == checker::HoldMode::shared) {
    trace_.emit(queue_.now(), trace_kind::belief_began, thread,
                {{"lock", names_.text(lock)}, {"mode", "shared"}});
  } else if (permits != 1) {
    trace_.emit(queue_.now(), trace_kind::belief_began, thread,
                {{"lock", names_.text(lock)}, {"permits", permits}});
  } else {
    trace_.emit(queue_.now(), trace_kind::belief_began, thread, {{"lock", names_.text(lock)}});
  }
  const checker::NameId name = name_of(thread);
  open_beliefs_.push_back({thread, owner, lock, mode, observations_.beliefs.size()});
  observations_.beliefs.push_back({.owner = owner,
                                   .lock = lock,
                                   .from = now(),
                                   .until = now(),
                                   .end = checker::BeliefEnd::run_over,
                                   .mode = mode,
                                   .permits = permits,
                                   .thread = name == owner ? checker::no_name : name});
}

std::vector<Recorder::OpenBelief>::const_iterator Recorder::find_open(
    checker::NameId owner, checker::NameId lock, checker::HoldMode mode) const {
  return std::find_if(open_beliefs_.begin(), open_beliefs_.end(), [&](const OpenBelief& open) {
    return open.owner == owner && open.lock == lock && open.mode == mode;
  });
}

void Recorder::believe_until_released(checker::NameId owner, checker::NameId lock,
                                      checker::HoldMode mode) {
  const auto found = find_open(owner, lock, mode);
  assert(found != open_beliefs_.end());
  observations_.beliefs[found->index].until_released = true;
}

void Recorder::end_belief(checker::NameId owner, checker::NameId lock, checker::HoldMode mode,
                          checker::BeliefEnd why) {
  const auto found = find_open(owner, lock, mode);
  if (found == open_beliefs_.end()) return;
  end(*found, why);
  open_beliefs_.erase(found);
}

void Recorder::died_releasing(checker::NameId owner, checker::NameId lock, checker::HoldMode mode) {
  std::vector<checker::Belief>& beliefs = observations_.beliefs;
  const auto last =
      std::find_if(beliefs.rbegin(), beliefs.rend(), [&](const checker::Belief& belief) {
        return belief.owner == owner && belief.lock == lock && belief.mode == mode;
      });
  if (last != beliefs.rend() && last->end == checker::BeliefEnd::released) {
    last->died_releasing = true;
  }
}

void Recorder::end(const OpenBelief& open, checker::BeliefEnd why) {
  if (open.mode == checker::HoldMode::shared) {
    trace_.emit(queue_.now(), trace_kind::belief_ended, open.thread,
                {{"lock", names_.text(open.lock)}, {"why", to_string(why)}, {"mode", "shared"}});
  } else {
    trace_.emit(queue_.now(), trace_kind::belief_ended, open.thread,
                {{"lock", names_.text(open.lock)}, {"why", to_string(why)}});
  }
  observations_.beliefs[open.index].until = now();
  observations_.beliefs[open.index].end = why;
}

bool Recorder::believes(checker::NameId owner, checker::NameId lock, checker::HoldMode mode) const {
  return find_open(owner, lock, mode) != open_beliefs_.end();
}

// -- waiting --

std::size_t Recorder::begin_wait(checker::Wait wait) {
  wait.from = now();
  wait.until = wait.from;
  wait.end = checker::WaitEnd::run_over;
  wait.heard_ns = wait.told_ns = checker::never_ns;
  observations_.waits.push_back(wait);
  open_waits_.push_back(observations_.waits.size() - 1);
  return open_waits_.back();
}

void Recorder::end_wait(std::size_t number, checker::WaitEnd end) {
  std::erase(open_waits_, number);
  observations_.waits[number].until = now();
  observations_.waits[number].end = end;
}

std::size_t Recorder::begin_count_down(checker::NameId owner, checker::NameId lock) {
  observations_.latch_events.push_back({.kind = checker::LatchEventKind::counted_down,
                                        .owner = owner,
                                        .lock = lock,
                                        .invoked = now(),
                                        .at = {checker::never_ns, UINT64_MAX}});
  return observations_.latch_events.size() - 1;
}

void Recorder::begin_stop(checker::NameId owner) {
  for (const std::size_t open : open_stops_) {
    if (observations_.stops[open].owner == owner) return;
  }
  open_stops_.push_back(observations_.stops.size());
  observations_.stops.push_back({owner, now(), now()});
}

void Recorder::end_stop(checker::NameId owner) {
  std::erase_if(open_stops_, [&](std::size_t open) {
    if (observations_.stops[open].owner != owner) return false;
    observations_.stops[open].until = now();
    return true;
  });
}

// Few are sent again, so few are looked for. What was sent first may be executed last.
void Recorder::add_execution(const Message& request, bool wrote) {
  const std::vector<ExecutedCall>& others = request.is_sent_again ? executed_ : executed_again_;
  const auto first = std::find_if(others.begin(), others.end(), [&](const ExecutedCall& each) {
    return each.call == request.call;
  });
  if (first != others.end() && (wrote || first->wrote)) {
    observations_.repeated_writes.push_back(
        {names_.intern(request.label), name_of(request.on_behalf_of), first->at, now()});
  }
  if (request.is_sent_again) executed_again_.push_back({request.call, now(), wrote});
  executed_.push_back({request.call, now(), wrote});
}

void Recorder::note_first(sim::ActorId asked_by, sim::TimeNs checker::Wait::*first) {
  if (asked_by == sim::no_actor) return;
  for (const std::size_t open : open_waits_) {
    checker::Wait& wait = observations_.waits[open];
    if (wait.*first != checker::never_ns || checker::thread_of(wait) != name_of(asked_by)) continue;
    wait.*first = queue_.now();
  }
}

void Recorder::close() {
  for (const OpenBelief& open : open_beliefs_) end(open, checker::BeliefEnd::run_over);
  // After all that happened, though nothing may have happened since the last fault was over.
  const checker::Moment over{queue_.now(), trace_.event_count() + 1};
  for (const std::size_t open : open_waits_) observations_.waits[open].until = over;
  for (const std::size_t open : open_stops_) observations_.stops[open].until = over;
  observations_.ended = over;
  open_beliefs_.clear();
  open_waits_.clear();
  open_stops_.clear();
  if (!has_belated_waits_) return;
  std::stable_sort(observations_.waits.begin(), observations_.waits.end(),
                   [](const checker::Wait& a, const checker::Wait& b) { return a.from < b.from; });
}

void Recorder::reset() {
  is_healed_for_good_ = false;
  has_belated_waits_ = false;
  names_.forget_after(kept_names_);
  history_.clear();
  observations_.clear();
  open_beliefs_.clear();
  open_waits_.clear();
  open_stops_.clear();
  executed_.clear();
  executed_again_.clear();
}

}  // namespace lockstep::model
