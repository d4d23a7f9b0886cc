// What a run leaves behind for the checker: the history and the observations, filled as it goes.
//
// One recorder a simulation. Clients report what they see, the lock observer what is true; each
// report also becomes a trace event, so that the trace and the verdict can't tell different
// stories. The recorder judges nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "checker/history.h"
#include "checker/observations.h"
#include "scenario/milestone_listener.h"
#include "sim/digest.h"
#include "sim/event_queue.h"
#include "sim/trace.h"

namespace lockstep::model {

struct Message;

/// Names an operation under way.
enum class OperationId : std::uint32_t {};

class Recorder {
 public:
  Recorder(sim::EventQueue& queue, sim::Trace& trace) : queue_(queue), trace_(trace) {}

  /// This moment, after the events emitted so far.
  [[nodiscard]] checker::Moment now() const { return {queue_.now(), trace_.event_count()}; }

  // Operations on the lock service, as the client model declares them.
  /// `service-invoked` {operation id, kind, lock, lease_ms}; a reader's kind is "acquire-shared",
  /// ….
  OperationId invoke(sim::ActorId thread, checker::OperationKind kind, checker::HoldMode mode,
                     checker::NameId process, checker::NameId owner, checker::NameId lock,
                     sim::DurationNs lease_ns);
  /// `service-completed` {operation id, outcome}.
  void complete(sim::ActorId thread, OperationId operation, checker::Outcome outcome);

  // Beliefs: `belief-began` {lock, mode?, permits?} / `belief-ended` {lock, why, mode?}; the mode
  // where it is shared, the permits where they are not one.
  /// REQUIRES: the owner has no open belief of that mode in the lock.
  void begin_belief(sim::ActorId thread, checker::NameId owner, checker::NameId lock,
                    checker::HoldMode mode, std::int64_t permits = 1);
  /// The owner's open belief of that mode in the lock lasts until it gives it back.
  void believe_until_released(checker::NameId owner, checker::NameId lock, checker::HoldMode mode);
  /// No effect where the owner has no open belief of that mode in the lock.
  void end_belief(checker::NameId owner, checker::NameId lock, checker::HoldMode mode,
                  checker::BeliefEnd why);
  /// The process died in the release that ended its owner's last belief.
  void died_releasing(checker::NameId owner, checker::NameId lock, checker::HoldMode mode);
  [[nodiscard]] bool believes(checker::NameId owner, checker::NameId lock,
                              checker::HoldMode mode) const;
  /// Whether the predicate holds for any open belief: (thread, lock).
  template <typename Predicate>
  [[nodiscard]] bool any_belief(Predicate predicate) const {
    for (const OpenBelief& each : open_beliefs_) {
      if (predicate(each.thread, each.lock)) return true;
    }
    return false;
  }
  /// The open beliefs (observers_digest.cpp).
  void digest_into(sim::Digest& digest) const;
  /// At the end of a run: what is still believed, waited for or stopped ends with run_over.
  void close();

  void add(const checker::Grant& grant) { observations_.grants.push_back(grant); }
  void add(const checker::HoldChange& change) { observations_.hold_changes.push_back(change); }
  void add(const checker::HoldCheck& check) { observations_.hold_checks.push_back(check); }
  void add(const checker::Access& access) { observations_.accesses.push_back(access); }
  void add(checker::Residue residue) { observations_.residues.push_back(std::move(residue)); }
  void add(const checker::Availability& availability) {
    observations_.availability.push_back(availability);
  }
  void add(const checker::NumberChange& change) { observations_.number_changes.push_back(change); }
  void add(const checker::QueueEvent& event) { observations_.queue_events.push_back(event); }
  void add(const checker::PermitsSet& set) { observations_.permits_set.push_back(set); }
  void add(const checker::EndedPermitRemoved& removed) {
    observations_.ended_permits_removed.push_back(removed);
  }
  void add(const checker::PermitsLeft& left) { observations_.permits_left.push_back(left); }
  /// A client sends a request on a thread's behalf.
  void add_request(std::uint32_t client, sim::ActorId thread) {
    observations_.requests.push_back({client, name_of(thread), now()});
  }
  /// A client gives up a call on a thread's behalf, to which it got no answer, or only errors.
  /// By an error: that was the last thing that it got.
  void add_call_given_up(sim::ActorId thread, std::uint32_t server, bool by_error) {
    observations_.calls_given_up.push_back({name_of(thread), now(), server, by_error});
  }
  void add(const checker::AskedLease& lease) { observations_.asked_leases.push_back(lease); }
  /// A server executed a request, and did not refuse it before it did anything.
  void add_execution(const Message& request, bool wrote);
  /// A server executed a request on a thread's behalf, and does not refuse it.
  void note_heard(sim::ActorId asked_by) { note_first(asked_by, &checker::Wait::heard_ns); }
  /// The answer to such a request came, or the server keeps it until it has what was asked for.
  void note_told(sim::ActorId asked_by) { note_first(asked_by, &checker::Wait::told_ns); }
  void add(const checker::Answer& answer) { observations_.answers.push_back(answer); }
  void add(const checker::LeaseChange& change) { observations_.lease_changes.push_back(change); }
  void add(const checker::LatchEvent& event) { observations_.latch_events.push_back(event); }
  /// A count_down is invoked; returns its number for end_count_down(). It may take effect until
  /// then.
  std::size_t begin_count_down(checker::NameId owner, checker::NameId lock);
  void end_count_down(std::size_t number) { observations_.latch_events[number].at = now(); }
  /// It was at work when the run was cut off.
  void add_at_work(checker::NameId thread) { observations_.at_work.push_back(thread); }
  void set_came_to_rest(bool at_rest) { observations_.came_to_rest = at_rest; }

  /// A thread waits from now on; returns the wait's number for end_wait(). `wait` names owner,
  /// thread, lock, mode, permits and limit.
  std::size_t begin_wait(checker::Wait wait);
  void end_wait(std::size_t number, checker::WaitEnd end);
  /// A wait that is over, told of by its end only.
  void add(const checker::Wait& wait) {
    observations_.waits.push_back(wait);
    has_belated_waits_ = true;
  }
  /// No lock could have ended the waits of the steps of which is_hopeless(wait) is true for one.
  template <typename Predicate>
  void mark_hopeless_waits(Predicate is_hopeless) {
    std::vector<checker::Wait>& waits = observations_.waits;
    for (auto first = waits.begin(), end = first; first != waits.end(); first = end) {
      bool found = false;  // the waits of one step stand together
      for (; end != waits.end() && checker::thread_of(*end) == checker::thread_of(*first) &&
             end->from == first->from;
           ++end) {
        found = found || is_hopeless(*end);
      }
      for (auto wait = first; wait != end; ++wait) wait->is_hopeless = found;
    }
  }
  /// A thread's process stops, or goes on. No effect where it is stopped, or goes on, already.
  void begin_stop(checker::NameId owner);
  void end_stop(checker::NameId owner);
  /// A fault is over, or strikes for good: waiters have rights from here on.
  void set_healed() {
    observations_.has_fault_struck = true;
    if (!is_healed_for_good_) observations_.healed = now();
  }
  /// What strikes from now on changes nothing of that.
  void set_healed_for_good() { is_healed_for_good_ = true; }

  /// Passes a milestone on to the listener, if there is one.
  void milestone(scenario::Milestone what, sim::ActorId actor, std::string_view detail,
                 sim::ActorId requested_by = sim::no_actor) {
    if (listener_ != nullptr) listener_->on_milestone(what, actor, detail, requested_by);
  }
  void set_milestone_listener(scenario::MilestoneListener* listener) { listener_ = listener; }

  [[nodiscard]] checker::Names& names() { return names_; }
  [[nodiscard]] const checker::Names& names() const { return names_; }
  [[nodiscard]] const checker::History& history() const { return history_; }
  [[nodiscard]] const checker::Observations& observations() const { return observations_; }

  /// What has a name by now is the scenario's, and keeps it from run to run.
  void keep_names() { kept_names_ = names_.size(); }
  /// A new run; the scenario's names and the listener stay, what a run named besides is forgotten.
  void reset();

 private:
  [[nodiscard]] checker::NameId name_of(sim::ActorId thread) {
    return thread == sim::no_actor ? checker::no_name : names_.intern(trace_.actor(thread).name);
  }

  struct OpenBelief {
    sim::ActorId thread;
    checker::NameId owner;
    checker::NameId lock;
    checker::HoldMode mode;
    std::size_t index;
  };
  struct ExecutedCall {
    std::uint64_t call;
    checker::Moment at;
    bool wrote;
  };
  [[nodiscard]] std::vector<OpenBelief>::const_iterator find_open(checker::NameId owner,
                                                                  checker::NameId lock,
                                                                  checker::HoldMode mode) const;

  void end(const OpenBelief& open, checker::BeliefEnd why);
  void note_first(sim::ActorId asked_by, sim::TimeNs checker::Wait::*first);

  sim::EventQueue& queue_;
  sim::Trace& trace_;
  scenario::MilestoneListener* listener_ = nullptr;
  checker::Names names_;
  std::size_t kept_names_ = 0;
  checker::History history_;
  checker::Observations observations_;
  std::vector<OpenBelief> open_beliefs_;
  std::vector<std::size_t> open_waits_;  // indices into the observations
  std::vector<std::size_t> open_stops_;
  // Of calls, as servers executed them: only observations come of them.
  std::vector<ExecutedCall> executed_;
  std::vector<ExecutedCall> executed_again_;
  bool is_healed_for_good_ = false;
  bool has_belated_waits_ = false;  // they stand behind others that began after them
};

}  // namespace lockstep::model
