// A mutex with an owner that is granted in the order of a queue.
//
//   acquire  ok: it was free, and the caller stood first in the queue
//   release  ok: the caller held it. Refused: it didn't.
//
// A caller enters the queue at some moment after its invocation, and by `enqueued_by`, if that is
// known; else by its grant. With calls and returns alone nothing is ever out of order: the entry
// may be put right before the grant.
//
// No queue is needed in the state. Take an order of the grants. Entries must have the same order,
// so let the entry of each grant be as early as it can: the latest of its own invocation and of the
// entries before it. (That isn't later than its grant: whoever was granted before was invoked
// before.) If that is by its `enqueued_by`, for each, the entries exist; if not for one, no other
// choice is earlier. Who entered and isn't granted stands last, or left. So the state has the last
// entry, and an earlier one allows whatever a later one does.
//
// A failed acquire left the queue: it says nothing, whatever is minded of others; it doesn't say
// who else was in the queue.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "checker/recorded/specifications/owned_mutex.h"

namespace lockstep::checker::recorded {

class FifoMutex {
 public:
  struct State {
    OwnedMutex::State lock;
    std::uint64_t last_entry = 0;  ///< a position, the earliest possible
    friend bool operator==(const State&, const State&) = default;
  };
  struct Input {
    OwnedMutex::Input lock;
    std::uint64_t enters_after = 0;
    std::uint64_t enters_by = never_returns;
    friend auto operator<=>(const Input&, const Input&) = default;
  };

  FifoMutex(const Texts& texts, const Settings& settings) : lock_(texts, settings, false) {}

  void notice(const Operation& operation) { lock_.notice(operation); }
  [[nodiscard]] std::uint64_t useful_until(const Operation& operation) const {
    return lock_.useful_until(operation);
  }

  [[nodiscard]] std::optional<Input> input_of(const Operation& operation) const {
    const bool acquires = operation.function == Function::acquire;
    if (acquires && operation.outcome == Outcome::fail) return std::nullopt;
    const auto lock = lock_.input_of(operation);
    if (!lock) return std::nullopt;
    const bool is_known = acquires && operation.enqueued_by != never_completed;
    return Input{*lock, acquires ? operation.invoked : 0,
                 is_known ? std::uint64_t{operation.enqueued_by} : never_returns};
  }
  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] bool step(State& state, const Input& input) const {
    if (!lock_.step(state.lock, input.lock)) return false;
    if (input.lock.function != Function::acquire) return true;
    state.last_entry = std::max(state.last_entry, input.enters_after);
    return state.last_entry <= input.enters_by;
  }
  [[nodiscard]] bool observes(const Input& input) const { return input.lock.refused; }
  [[nodiscard]] std::uint64_t hash(const State& state) const { return lock_.hash(state.lock); }
  [[nodiscard]] bool covers(const State& state, const State& other) const {
    return state.lock == other.lock && state.last_entry <= other.last_entry;
  }
  [[nodiscard]] std::string describe(const State& state) const {
    return lock_.describe(state.lock);
  }
  [[nodiscard]] std::string why_not(const State& state, const Input& input) const {
    State after = state;
    if (!lock_.step(after.lock, input.lock)) return lock_.why_not(state.lock, input.lock);
    return "it stood in the queue before somebody asked who was granted the lock already";
  }

 private:
  OwnedMutex lock_;
};

}  // namespace lockstep::checker::recorded
