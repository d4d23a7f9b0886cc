// What a run looks like from afar, at each of its milestones: a number for each state.
//
// A search is to tell runs that go where none has been before from those that repeat. Two moments
// are in the same abstract state where the same threads hold the locks on as many nodes, with about
// as much of the lease left, and everybody did the same last. How often and when says nothing.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/engine/run_listeners.h"
#include "model/observers/lock_observer.h"
#include "scenario/milestones.h"
#include "sim/event_queue.h"

namespace lockstep::model {

class AbstractStateTracker final : public scenario::MilestoneListener {
 public:
  /// It stands before the next listener. Does not own; all outlive it.
  AbstractStateTracker(const LockObserver& observer, const sim::EventQueue& queue,
                       scenario::MilestoneListener& next)
      : observer_(observer), queue_(queue), next_(next) {}

  void set_listener(AbstractStateListener* listener) { listener_ = listener; }
  void start_run() { last_.clear(); }
  void on_milestone(scenario::Milestone milestone, sim::ActorId actor, std::string_view detail,
                    sim::ActorId requested_by) override;

 private:
  const LockObserver& observer_;
  const sim::EventQueue& queue_;
  scenario::MilestoneListener& next_;
  AbstractStateListener* listener_ = nullptr;
  std::vector<std::uint8_t> last_;  // by actor: its last milestone + 1
};

}  // namespace lockstep::model
