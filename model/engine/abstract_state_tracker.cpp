#include "model/engine/abstract_state_tracker.h"

#include "sim/mixing.h"

namespace lockstep::model {
namespace {

/// What a node executes and who sends what comes too often to tell states apart.
bool is_a_phase(scenario::Milestone milestone) {
  return milestone != scenario::Milestone::executed && milestone != scenario::Milestone::sent &&
         milestone != scenario::Milestone::logged;
}

}  // namespace

void AbstractStateTracker::on_milestone(scenario::Milestone milestone, sim::ActorId actor,
                                        std::string_view detail, sim::ActorId requested_by) {
  next_.on_milestone(milestone, actor, detail, requested_by);
  if (listener_ == nullptr || milestone == scenario::Milestone::sent || actor == sim::no_actor)
    return;
  if (is_a_phase(milestone)) {
    const auto index = static_cast<std::size_t>(actor);
    if (last_.size() <= index) last_.resize(index + 1, 0);
    last_[index] = static_cast<std::uint8_t>(static_cast<std::uint8_t>(milestone) + 1);
  }
  std::uint64_t state = observer_.abstract_state(queue_.now());
  for (const std::uint8_t last : last_) state = sim::mixed(state, last);
  listener_->on_state(state);
}

}  // namespace lockstep::model
