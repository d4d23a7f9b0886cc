// The receiver of a run's abstract states (model/engine/abstract_state_tracker.h).
#pragma once

#include <cstdint>

namespace lockstep::model {

/// Told of the abstract state after each milestone; the same state may come again and again.
class AbstractStateListener {
 public:
  virtual void on_state(std::uint64_t state) = 0;

 protected:
  ~AbstractStateListener() = default;
};

}  // namespace lockstep::model
