// A semaphore: permits that anyone may acquire and anyone may release.
//
//   acquire    ok: so many permits were available. Refused: they weren't.
//   release    ok: so many were out. Refused: they weren't.
//   set_count  ok: there are so many permits now; what is out stays out, so that for a while less
//              than none may be available. Refused: says nothing.
//
// Without a number an acquire or release is about one permit.
#pragma once

#include <fmt/format.h>

#include "checker/recorded/specifications/sequential.h"
#include "checker/text.h"

namespace lockstep::checker::recorded {

class Semaphore {
 public:
  struct State {
    std::int64_t total = 0;
    std::int64_t out = 0;  ///< acquired and not given back
    friend bool operator==(const State&, const State&) = default;
  };
  struct Input {
    Function function = Function::acquire;
    bool refused = false;
    std::int64_t number = 1;
    friend auto operator<=>(const Input&, const Input&) = default;
  };

  Semaphore(const Texts& /*texts*/, const Settings& settings)
      : initial_(settings.initial_number), failures_(settings.failed_lock_operations) {}

  [[nodiscard]] std::optional<Input> input_of(const Operation& operation) const {
    const bool sets = operation.function == Function::set_count;
    if (is_dropped(operation, sets ? Failures::ignored : failures_)) return std::nullopt;
    return Input{operation.function, operation.outcome == Outcome::fail,
                 operation.number == no_number ? 1 : operation.number};
  }
  [[nodiscard]] State initial() const { return {initial_, 0}; }
  [[nodiscard]] bool step(State& state, const Input& input) const {
    if (input.function == Function::set_count) {
      state.total = input.number;
      return true;
    }
    const bool acquires = input.function == Function::acquire;
    const std::int64_t there = acquires ? state.total - state.out : state.out;
    if ((there < input.number) != input.refused) return false;
    if (!input.refused) state.out += acquires ? input.number : -input.number;
    return true;
  }
  [[nodiscard]] bool observes(const Input& input) const { return input.refused; }
  [[nodiscard]] std::uint64_t hash(const State& state) const {
    return mixed(static_cast<std::uint64_t>(state.total), static_cast<std::uint64_t>(state.out));
  }
  [[nodiscard]] std::string describe(const State& state) const {
    return fmt::format("with {} available of {}", state.total - state.out, state.total);
  }
  [[nodiscard]] std::string why_not(const State& state, const Input& input) const {
    if (input.function == Function::release) {
      return fmt::format("{} out",
                         state.out == 1 ? "1 permit is" : fmt::format("{} permits are", state.out));
    }
    return fmt::format("{} available of {}", state.total - state.out,
                       counted(state.total, "permit"));
  }

 private:
  std::int64_t initial_;
  Failures failures_;
};

}  // namespace lockstep::checker::recorded
