// What a run looks like from afar, at each of its milestones: a number for each state.
//
// A search is to tell runs that go where none has been before from those that repeat. Two moments
// are in the same abstract state where the same threads hold the locks on as many nodes, with about
// as much of the lease left, and everybody did the same last. How often and when says nothing.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/milestones.h"
#include "model/simulation/lock_observer.h"
#include "model/state_listener.h"
#include "sim/event_queue.h"

namespace lockstep::model {

class AbstractState final : public MilestoneListener {
 public:
  /// It stands before the next listener. Does not own; all outlive it.
  AbstractState(const LockObserver& observer, const sim::EventQueue& queue, MilestoneListener& next)
      : observer_(observer), queue_(queue), next_(next) {}

  void set_listener(StateListener* listener) { listener_ = listener; }
  void start_run() { last_.clear(); }
  void on_milestone(Milestone milestone, sim::ActorId actor, std::string_view detail,
                    sim::ActorId asked_by) override;

 private:
  const LockObserver& observer_;
  const sim::EventQueue& queue_;
  MilestoneListener& next_;
  StateListener* listener_ = nullptr;
  std::vector<std::uint8_t> last_;  // by actor: its last milestone + 1
};

}  // namespace lockstep::model
