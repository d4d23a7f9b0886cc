#include "model/client/service_operations.h"

#include <algorithm>

#include "model/client/client_process.h"
#include "model/client/workload.h"
#include "model/recorder.h"

namespace lockstep::model {

namespace {

std::uint32_t least_free_number(const std::vector<OpenOperation>& operations) {
  for (std::uint32_t number = 1;; ++number) {
    const bool is_taken =
        std::any_of(operations.begin(), operations.end(),
                    [number](const OpenOperation& open) { return open.number == number; });
    if (!is_taken) return number;
  }
}

}  // namespace

std::uint32_t ServiceOperations::invoke(Fiber& fiber, checker::OperationKind kind,
                                        checker::HoldMode mode, checker::NameId lock,
                                        std::uint32_t thread, sim::DurationNs lease_ns) {
  const std::uint32_t process = process_of(fiber, thread);
  const OperationId id = process_.environment.recorder.invoke(
      workload_.actor(thread), kind, mode, processes_[process].name, workload_.owner(thread), lock,
      lease_ns);
  const std::uint32_t number = least_free_number(fiber.operations);
  fiber.operations.push_back({id, number, thread, process});
  return number;
}

void ServiceOperations::complete(Fiber& fiber, std::uint32_t operation, checker::Outcome outcome) {
  const auto found =
      std::find_if(fiber.operations.begin(), fiber.operations.end(),
                   [&](const OpenOperation& open) { return open.number == operation; });
  if (found == fiber.operations.end()) return;
  close(*found, outcome, CallEffect::unknown);
  fiber.operations.erase(found);
}

void ServiceOperations::complete_all(Fiber& fiber, checker::Outcome outcome) {
  for (const OpenOperation& open : fiber.operations) close(open, outcome, CallEffect::unknown);
  fiber.operations.clear();
}

void ServiceOperations::complete_unanswered(Fiber& fiber, CallEffect effect) {
  for (const OpenOperation& open : fiber.operations) close(open, checker::Outcome::info, effect);
  fiber.operations.clear();
}

void ServiceOperations::continue_as_task(Fiber& fiber) {
  for (const OpenOperation& open : fiber.operations) rename(processes_[open.process]);
  set_unknown(fiber.thread);
}

void ServiceOperations::close(const OpenOperation& operation, checker::Outcome outcome,
                              CallEffect effect) {
  process_.environment.recorder.complete(workload_.actor(operation.thread), operation.id, outcome);
  if (outcome != checker::Outcome::info) return;
  if (effect == CallEffect::unknown) set_unknown(operation.thread);
  rename(processes_[operation.process]);
}

std::uint32_t ServiceOperations::process_of(const Fiber& fiber, std::uint32_t thread) {
  const std::string_view task = fiber.task ? std::string_view(fiber.task_name) : std::string_view();
  const auto found = std::find_if(
      processes_.begin(), processes_.end(),
      [&](const Process& process) { return process.thread == thread && process.task == task; });
  if (found != processes_.end()) {
    if (found->name == checker::no_name) rename(*found);
    return static_cast<std::uint32_t>(found - processes_.begin());
  }
  processes_.push_back({thread, std::string(task)});
  rename(processes_.back());
  return static_cast<std::uint32_t>(processes_.size() - 1);
}

// "a/1", then "a/1 (2)"; for a task "a/1 watchdog", then "a/1 watchdog (2)".
void ServiceOperations::rename(Process& process) {
  std::string name = process_.environment.recorder.names().text(workload_.name(process.thread));
  if (!process.task.empty()) name += " " + process.task;
  if (++process.incarnation > 1) name += " (" + std::to_string(process.incarnation) + ")";
  process.name = process_.environment.recorder.names().intern(name);
}

void ServiceOperations::start_run() {
  for (Process& process : processes_) {  // the recorder forgets what a run has named
    process.incarnation = 0;
    process.name = checker::no_name;
  }
  unknown_.assign(workload_.thread_count(), false);
  repeated_.assign(workload_.thread_count(), false);
}

}  // namespace lockstep::model
