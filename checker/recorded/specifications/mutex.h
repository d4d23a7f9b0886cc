// A mutex without owners, as in Knossos: free or held, and anyone may release it.
//
//   acquire        ok: it was free. Refused: it was held.
//   release        ok: it was held. Refused: it was free.
//   force_release  the same as release.
//
// An acquire with an unknown outcome is of use until the last known release has returned: whatever
// holds after that by it alone need not have been acquired, as only releases that may as well not
// have happened follow. (With observed refusals: for ever.)
#pragma once

#include <algorithm>

#include "checker/recorded/specifications/sequential.h"

namespace lockstep::checker::recorded {

class Mutex {
 public:
  struct State {
    bool held = false;
    friend bool operator==(const State&, const State&) = default;
  };
  struct Input {
    bool acquires = false;
    bool refused = false;
    friend auto operator<=>(const Input&, const Input&) = default;
  };

  Mutex(const Texts& /*texts*/, const Settings& settings)
      : failures_(settings.failed_lock_operations) {}

  void notice(const Operation& operation) {
    if (operation.outcome != Outcome::ok || operation.function == Function::acquire) return;
    last_release_ = std::max(last_release_, return_of(operation));
  }
  [[nodiscard]] std::uint64_t useful_until(const Operation& operation) const {
    const bool may_end = failures_ == Failures::ignored && operation.function == Function::acquire;
    return may_end ? last_release_ : never_returns;
  }

  [[nodiscard]] std::optional<Input> input_of(const Operation& operation) const {
    if (is_dropped(operation, failures_)) return std::nullopt;
    return Input{operation.function == Function::acquire, operation.outcome == Outcome::fail};
  }
  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] bool step(State& state, const Input& input) const {
    const bool is_refused = state.held == input.acquires;
    if (is_refused != input.refused) return false;
    if (!input.refused) state.held = input.acquires;
    return true;
  }
  [[nodiscard]] bool observes(const Input& input) const { return input.refused; }
  [[nodiscard]] std::uint64_t hash(const State& state) const { return state.held ? 1 : 0; }
  [[nodiscard]] std::string describe(const State& state) const {
    return state.held ? "held" : "free";
  }
  [[nodiscard]] std::string why_not(const State& state, const Input& /*input*/) const {
    return state.held ? "it is held" : "it is free";
  }

 private:
  Failures failures_;
  std::uint64_t last_release_ = 0;
};

}  // namespace lockstep::checker::recorded
