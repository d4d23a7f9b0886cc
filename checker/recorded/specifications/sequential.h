// What the specification of an object has to say, and the adapter that the search takes.
//
// An object's specification is a class with
//   State       a small value with ==
//   Input       what the specification needs to know of an operation: a value with <=>
//   input_of    an operation's input; none: the operation says nothing and is left out
//   initial     the state before any operation
//   step        applies an operation to a state; false: it isn't legal there
//   observes    whether the operation, wherever it is legal, leaves every state as it is
//   hash        of a state
//   describe    a state in words: "held by a/1"
//   why_not     why an operation isn't legal in a state, in words: "the owner is a/1"
// and may have
//   covers      whether one state allows whatever another does (both of equal hash). Else: ==
//   memory_bytes
//               what it keeps beyond its states, if that grows with the search
//   notice, useful_until
//               is shown each of the object's operations first; then says until which event an
//               operation with an unknown outcome may be of use (SearchOperation::useful_until).
//               Else: for ever
//   foresee, has_future
//               is shown all that will be searched; then says of a state whether anything leads on
//               from it (LooksAhead in linearizability.h; key_value.h)
//   same_object
//               where a state is several objects: which operations are on the same (KnowsObjects)
//
// It doesn't cover objects with several outcomes of one operation, such as a lease that may have
// ended: leased_mutex.h speaks to the search itself.
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "checker/linearizability/linearizability.h"
#include "checker/recorded/history.h"
#include "checker/recorded/model.h"

namespace lockstep::checker::recorded {

template <typename T>
concept SequentialObject = requires(const T& object, typename T::State& state,
                                    const typename T::State& constant,
                                    const typename T::Input& input, const Operation& operation) {
  { object.input_of(operation) } -> std::same_as<std::optional<typename T::Input>>;
  { object.initial() } -> std::same_as<typename T::State>;
  { object.step(state, input) } -> std::same_as<bool>;
  { object.observes(input) } -> std::same_as<bool>;
  { object.hash(constant) } -> std::same_as<std::uint64_t>;
  { object.describe(constant) } -> std::same_as<std::string>;
  { object.why_not(constant, input) } -> std::same_as<std::string>;
};

template <SequentialObject Object>
class Sequential : public Object {
 public:
  using State = typename Object::State;
  using Input = typename Object::Input;
  static constexpr std::size_t successors_max = 1;
  static constexpr bool interchangeable_by_input = true;
  using Successors = std::array<State, successors_max>;
  using Object::Object;

  std::size_t successors(const State& state, const Input& operation, const Input& /*next*/,
                         Successors& out) const {
    out[0] = state;
    return this->step(out[0], operation) ? 1 : 0;
  }
  [[nodiscard]] bool observes(const State& state, const Input& operation) const {
    if (!Object::observes(operation)) return false;
    State same = state;
    return this->step(same, operation);
  }
  [[nodiscard]] bool covers(const State& state, const State& other, const Input& /*next*/) const {
    if constexpr (requires { Object::covers(state, other); }) {
      return Object::covers(state, other);
    } else {
      return state == other;
    }
  }
  [[nodiscard]] bool interchangeable(const Input& one, const Input& other,
                                     const Input& /*next*/) const {
    return one == other;
  }
};

/// For `hash`: spreads a few numbers over 64 bits.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t high, std::uint64_t low) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
  const std::uint64_t product = (high * odd ^ low) * odd;
  return product ^ product >> 32U;
}

[[nodiscard]] constexpr std::uint64_t number_of(TextId id) {
  return static_cast<std::uint64_t>(id);
}

/// The same for every reader: an operation that failed and isn't minded says nothing.
[[nodiscard]] inline bool is_dropped(const Operation& operation, Failures failures) {
  return operation.outcome == Outcome::fail && failures == Failures::ignored;
}

/// Where a definite operation returns; REQUIRES: its outcome is known.
[[nodiscard]] inline std::uint64_t return_of(const Operation& operation) {
  return operation.completed;
}

}  // namespace lockstep::checker::recorded
