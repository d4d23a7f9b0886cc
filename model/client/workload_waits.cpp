// Waiting, as it is reported for the liveness of the lock; what sets permits and counts; latches.
#include "model/client/client_process.h"
#include "model/client/workload.h"
#include "model/recorder.h"
#include "scenario/workload_spec.h"

namespace lockstep::model {

void Workload::begin_waits(std::uint32_t thread) {
  Thread& self = threads_[thread];
  const PreparedStep& prepared = current(self);
  std::optional<sim::DurationNs> limit_ns = prepared.step->wait_ns;
  if (!limit_ns && prepared.form->word.starts_with("try_")) limit_ns = 0;
  for (const std::uint32_t lock : prepared.locks) {
    checker::Wait wait{.owner = self.owner,
                       .lock = locks_[lock].id,
                       .from = {},
                       .until = {},
                       .mode = prepared.form->mode,
                       .permits = counts_permits() ? prepared.step->amount : 1,
                       .limit_ns = limit_ns,
                       .thread = self.owner == self.name ? checker::no_name : self.name};
    self.waits.push_back(process_.environment.recorder.begin_wait(wait));
  }
}

void Workload::end_waits(Thread& thread, checker::WaitEnd end) {
  for (const std::size_t wait : thread.waits) process_.environment.recorder.end_wait(wait, end);
  thread.waits.clear();
}

void Workload::on_permits_set(std::uint32_t thread, bool succeeded) {
  Thread& self = threads_[thread];
  const PreparedStep& prepared = current(self);
  Recorder& recorder = process_.environment.recorder;
  const checker::NameId lock = locks_[prepared.locks.front()].id;
  complete_step(self, succeeded ? "ok" : "fail", {});
  if (prepared.step->kind == scenario::StepKind::try_set_permits) {
    // When it took effect isn't known: others may have taken some before this one was told.
    const auto outcome = succeeded ? checker::SetOutcome::accepted : checker::SetOutcome::refused;
    recorder.add(checker::PermitsSet{lock, self.invoked, prepared.step->amount, outcome});
  } else if (succeeded) {
    recorder.add(checker::LatchEvent{.kind = checker::LatchEventKind::set,
                                     .owner = self.name,
                                     .lock = lock,
                                     .invoked = self.invoked,
                                     .at = recorder.now(),
                                     .count = prepared.step->amount});
  }
}

/// A step whose outcome is unknown may have set permits, which others may then have, or a count.
void Workload::on_permits_possibly_set(const Thread& thread) {
  const PreparedStep& prepared = current(thread);
  if (prepared.step->kind == scenario::StepKind::try_set_count) {
    Recorder& recorder = process_.environment.recorder;
    recorder.add(checker::LatchEvent{.kind = checker::LatchEventKind::may_be_set,
                                     .owner = thread.name,
                                     .lock = locks_[prepared.locks.front()].id,
                                     .invoked = thread.invoked,
                                     .at = recorder.now(),
                                     .count = prepared.step->amount});
  }
  if (prepared.step->kind != scenario::StepKind::try_set_permits) return;
  process_.environment.recorder.add(checker::PermitsSet{locks_[prepared.locks.front()].id,
                                                        thread.invoked, prepared.step->amount,
                                                        checker::SetOutcome::unknown});
}

void Workload::on_died_in_step(const Thread& thread) {
  on_permits_possibly_set(thread);
  const PreparedStep& prepared = current(thread);
  if (prepared.form->role != scenario::StepRole::gives_back) return;
  for (const std::uint32_t lock : prepared.locks) {
    process_.environment.recorder.died_releasing(thread.owner, locks_[lock].id,
                                                 prepared.form->mode);
  }
}

void Workload::passed(std::uint32_t thread) {
  Thread& self = threads_[thread];
  const PreparedStep& prepared = current(self);
  Recorder& recorder = process_.environment.recorder;
  end_waits(self, checker::WaitEnd::granted);
  complete_step(self, "ok", {});
  recorder.add(checker::LatchEvent{.kind = checker::LatchEventKind::passed,
                                   .owner = self.name,
                                   .lock = locks_[prepared.locks.front()].id,
                                   .invoked = self.invoked,
                                   .at = recorder.now()});
}

}  // namespace lockstep::model
