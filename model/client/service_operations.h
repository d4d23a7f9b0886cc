// The operations on the lock service that a client model declares, as the recorder is told of them.
//
// An operation belongs to an owner, and to a process: a thread of the workload, or a background
// task on a thread's behalf, which is a process of its own. After an unknown outcome the work goes
// on under a new process with the same owner.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "checker/history.h"
#include "model/client/runtime/errors.h"
#include "model/client/runtime/fiber.h"

namespace lockstep::model {

class ClientProcess;
class Workload;

class ServiceOperations {
 public:
  /// Does not own; all outlive this.
  ServiceOperations(ClientProcess& process, const Workload& workload)
      : process_(process), workload_(workload) {}

  /// Returns the operation's number for complete(): one that no other open one of the fiber has,
  /// and that does not depend on what others have done. `thread` is the owner's.
  std::uint32_t invoke(Fiber& fiber, checker::OperationKind kind, checker::HoldMode mode,
                       checker::NameId lock, std::uint32_t thread, sim::DurationNs lease_ns);
  /// Nothing happens where the operation is not (or no more) one of the fiber's open ones.
  void complete(Fiber& fiber, std::uint32_t operation, checker::Outcome outcome);
  /// Completes all that the fiber has open.
  void complete_all(Fiber& fiber, checker::Outcome outcome);
  /// Completes all that the fiber has open with `info`: an error came where an answer of the lock
  /// was expected. That is so too where the call certainly did nothing, for `fail` is an answer:
  /// somebody else holds the lock. Only then can the owner still count its holds.
  void complete_unanswered(Fiber& fiber, CallEffect effect);

  /// The fiber is to be a background task: what its thread does next is another process's work.
  void continue_as_task(Fiber& fiber);

  /// Whether some operation of this thread's owner had an unknown outcome.
  [[nodiscard]] bool has_unknown(std::uint32_t thread) const { return unknown_[thread]; }
  void set_unknown(std::uint32_t thread) { unknown_[thread] = true; }
  /// Whether every request of this thread so far was answered at its first attempt, and every
  /// operation's outcome is known: then what its client knows is what the lock has done.
  [[nodiscard]] bool is_certain(std::uint32_t thread) const {
    return !unknown_[thread] && !repeated_[thread];
  }
  void set_repeated(std::uint32_t thread) { repeated_[thread] = true; }

  void start_run();
  void digest_into(sim::Digest& digest) const;

 private:
  struct Process {
    std::uint32_t thread;
    std::string task;  ///< empty: the thread itself
    std::uint32_t incarnation = 0;
    checker::NameId name = checker::no_name;
  };

  std::uint32_t process_of(const Fiber& fiber, std::uint32_t thread);
  void close(const OpenOperation& operation, checker::Outcome outcome, CallEffect effect);
  void rename(Process& process);

  ClientProcess& process_;
  const Workload& workload_;
  std::vector<Process> processes_;
  std::vector<bool> unknown_;
  std::vector<bool> repeated_;  ///< by thread; not state: it only says what answers are judged
};

}  // namespace lockstep::model
