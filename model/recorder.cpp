#include "model/recorder.h"

#include <algorithm>
#include <cassert>

#include "model/trace_vocabulary.h"

namespace lockstep::model {
namespace {

std::string_view word_of(checker::OperationKind kind) {
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
  return "acquire";
}

std::string_view word_of(checker::Outcome outcome) {
  switch (outcome) {
    case checker::Outcome::ok:
      return "ok";
    case checker::Outcome::fail:
      return "fail";
    case checker::Outcome::info:
      return "info";
  }
  return "info";
}

std::string_view word_of(checker::BeliefEnd end) {
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
  return "run-over";
}

}  // namespace

OperationId Recorder::invoke(sim::ActorId thread, checker::OperationKind kind,
                             checker::NameId process, checker::NameId owner, checker::NameId lock,
                             sim::DurationNs lease_ns) {
  const auto id = static_cast<std::uint32_t>(history_.operations.size());
  history_.operations.push_back({.kind = kind,
                                 .process = process,
                                 .owner = owner,
                                 .lock = lock,
                                 .invoked = now(),
                                 .completed = std::nullopt,
                                 .outcome = checker::Outcome::info,
                                 .lease_ns = lease_ns});
  trace_.emit(queue_.now(), trace_kind::service_invoked, thread,
              {{"operation", id},
               {"kind", word_of(kind)},
               {"lock", names_.text(lock)},
               {"lease_ms", lease_ns / sim::millisecond_ns}});
  return OperationId{id};
}

void Recorder::complete(sim::ActorId thread, OperationId operation, checker::Outcome outcome) {
  const auto id = static_cast<std::uint32_t>(operation);
  checker::Operation& completed = history_.operations[id];
  assert(!completed.completed && "an operation completes once");
  completed.completed = now();
  completed.outcome = outcome;
  trace_.emit(queue_.now(), trace_kind::service_completed, thread,
              {{"operation", id}, {"outcome", word_of(outcome)}});
}

void Recorder::begin_belief(sim::ActorId thread, checker::NameId owner, checker::NameId lock) {
  assert(!believes(owner, lock));
  open_beliefs_.push_back({owner, lock, observations_.beliefs.size()});
  observations_.beliefs.push_back({.owner = owner,
                                   .lock = lock,
                                   .from = now(),
                                   .until = {},
                                   .end = checker::BeliefEnd::run_over});
  trace_.emit(queue_.now(), trace_kind::belief_began, thread, {{"lock", names_.text(lock)}});
}

void Recorder::end_belief(sim::ActorId thread, checker::NameId owner, checker::NameId lock,
                          checker::BeliefEnd why) {
  const auto open = std::find_if(
      open_beliefs_.begin(), open_beliefs_.end(),
      [&](const auto& belief) { return belief.owner == owner && belief.lock == lock; });
  if (open == open_beliefs_.end()) return;
  checker::Belief& belief = observations_.beliefs[open->index];
  belief.until = now();
  belief.end = why;
  open_beliefs_.erase(open);
  trace_.emit(queue_.now(), trace_kind::belief_ended, thread,
              {{"lock", names_.text(lock)}, {"why", word_of(why)}});
}

bool Recorder::believes(checker::NameId owner, checker::NameId lock) const {
  return std::any_of(open_beliefs_.begin(), open_beliefs_.end(), [&](const OpenBelief& belief) {
    return belief.owner == owner && belief.lock == lock;
  });
}

void Recorder::close_beliefs() {
  for (const OpenBelief& open : open_beliefs_) observations_.beliefs[open.index].until = now();
  open_beliefs_.clear();
}

void Recorder::reset() {
  history_.clear();
  observations_.clear();
  open_beliefs_.clear();
}

}  // namespace lockstep::model
