// A count-down latch.
//
//   set_count   ok: the count was zero, and is set. Refused: it wasn't zero.
//   count_down  ok: one less, or still zero.
//   await       ok: the count was zero. Refused (it timed out): it wasn't, at some moment.
#pragma once

#include <fmt/format.h>

#include "checker/recorded/specifications/sequential.h"

namespace lockstep::checker::recorded {

class Latch {
 public:
  struct State {
    std::int64_t count = 0;
    friend bool operator==(const State&, const State&) = default;
  };
  struct Input {
    Function function = Function::await;
    bool refused = false;
    std::int64_t number = 0;
    friend auto operator<=>(const Input&, const Input&) = default;
  };

  Latch(const Texts& /*texts*/, const Settings& settings)
      : initial_(settings.initial_number), failures_(settings.failed_lock_operations) {}

  [[nodiscard]] std::optional<Input> input_of(const Operation& operation) const {
    if (is_dropped(operation, failures_)) return std::nullopt;
    const bool says_nothing =
        (operation.function == Function::await && operation.outcome == Outcome::info) ||
        (operation.function == Function::count_down && operation.outcome == Outcome::fail);
    if (says_nothing) return std::nullopt;
    const bool sets = operation.function == Function::set_count;
    return Input{operation.function, operation.outcome == Outcome::fail,
                 sets ? operation.number : 0};
  }
  [[nodiscard]] State initial() const { return {initial_}; }
  [[nodiscard]] bool step(State& state, const Input& input) const {
    if (input.function == Function::count_down) {
      if (state.count > 0) --state.count;
      return true;
    }
    if ((state.count != 0) != input.refused) return false;
    if (input.function == Function::set_count && !input.refused) state.count = input.number;
    return true;
  }
  [[nodiscard]] bool observes(const Input& input) const {
    return input.refused || input.function == Function::await;
  }
  [[nodiscard]] std::uint64_t hash(const State& state) const {
    return static_cast<std::uint64_t>(state.count);
  }
  [[nodiscard]] std::string describe(const State& state) const {
    return fmt::format("at {}", state.count);
  }
  [[nodiscard]] std::string why_not(const State& state, const Input& /*input*/) const {
    return fmt::format("the count is {}", state.count);
  }

 private:
  std::int64_t initial_;
  Failures failures_;
};

}  // namespace lockstep::checker::recorded
