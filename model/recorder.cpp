#include "model/recorder.h"

#include <algorithm>
#include <cassert>

#include "model/trace_vocabulary.h"

namespace lockstep::model {
namespace {

std::string_view to_string(checker::OperationKind kind) {
  switch (kind) {
    case checker::OperationKind::acquire:
      return "acquire";
    case checker::OperationKind::renew:
      return "renew";
    case checker::OperationKind::release:
      return "release";
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
                             checker::NameId process, checker::NameId owner, checker::NameId lock,
                             sim::DurationNs lease_ns) {
  const auto id = static_cast<std::uint32_t>(history_.operations.size());
  trace_.emit(queue_.now(), trace_kind::service_invoked, thread,
              {{"operation", id},
               {"kind", to_string(kind)},
               {"lock", names_.text(lock)},
               {"lease_ms", lease_ns / sim::millisecond_ns}});
  history_.operations.push_back({.kind = kind,
                                 .process = process,
                                 .owner = owner,
                                 .lock = lock,
                                 .invoked = now(),
                                 .completed = std::nullopt,
                                 .outcome = checker::Outcome::info,
                                 .lease_ns = lease_ns});
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

void Recorder::begin_belief(sim::ActorId thread, checker::NameId owner, checker::NameId lock) {
  assert(!believes(owner, lock));
  trace_.emit(queue_.now(), trace_kind::belief_began, thread, {{"lock", names_.text(lock)}});
  open_beliefs_.push_back({thread, owner, lock, observations_.beliefs.size()});
  observations_.beliefs.push_back({.owner = owner,
                                   .lock = lock,
                                   .from = now(),
                                   .until = now(),
                                   .end = checker::BeliefEnd::run_over});
}

void Recorder::end_belief(sim::ActorId /*thread*/, checker::NameId owner, checker::NameId lock,
                          checker::BeliefEnd why) {
  const auto found = std::find_if(
      open_beliefs_.begin(), open_beliefs_.end(),
      [&](const OpenBelief& open) { return open.owner == owner && open.lock == lock; });
  if (found == open_beliefs_.end()) return;
  end(*found, why);
  open_beliefs_.erase(found);
}

void Recorder::end(const OpenBelief& open, checker::BeliefEnd why) {
  trace_.emit(queue_.now(), trace_kind::belief_ended, open.thread,
              {{"lock", names_.text(open.lock)}, {"why", to_string(why)}});
  observations_.beliefs[open.index].until = now();
  observations_.beliefs[open.index].end = why;
}

bool Recorder::believes(checker::NameId owner, checker::NameId lock) const {
  return std::any_of(open_beliefs_.begin(), open_beliefs_.end(), [&](const OpenBelief& open) {
    return open.owner == owner && open.lock == lock;
  });
}

void Recorder::close_beliefs() {
  for (const OpenBelief& open : open_beliefs_) end(open, checker::BeliefEnd::run_over);
  open_beliefs_.clear();
}

void Recorder::reset() {
  history_.clear();
  observations_.clear();
  open_beliefs_.clear();
}

}  // namespace lockstep::model
