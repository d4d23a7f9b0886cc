// A re-entrant lock whose grants carry fencing tokens.
//
// As owned_mutex.h with re-entry, and:
//   acquire  a grant of the free lock has a token higher than all before; a re-entry has one no
//            lower than the last (some locks count re-entries, some don't). None is below 0.
//
// A grant whose token isn't known took the lowest that it may have had: whatever may follow a
// higher one may follow that. So a state with the lower last token allows all that the higher one
// does.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "checker/recorded/specifications/owned_mutex.h"

namespace lockstep::checker::recorded {

class FencedLock {
 public:
  struct State {
    OwnedMutex::State lock;
    std::int64_t last_token = -1;  ///< the highest given out, at least; -1: none
    friend bool operator==(const State&, const State&) = default;
  };
  struct Input {
    OwnedMutex::Input lock;
    std::int64_t token = no_number;
    friend auto operator<=>(const Input&, const Input&) = default;
  };

  FencedLock(const Texts& texts, const Settings& settings) : lock_(texts, settings, true) {}

  void notice(const Operation& operation) { lock_.notice(operation); }
  [[nodiscard]] std::uint64_t useful_until(const Operation& operation) const {
    return lock_.useful_until(operation);
  }

  [[nodiscard]] std::optional<Input> input_of(const Operation& operation) const {
    const auto lock = lock_.input_of(operation);
    if (!lock) return std::nullopt;
    const bool has_token =
        operation.function == Function::acquire && operation.outcome == Outcome::ok;
    return Input{*lock, has_token ? operation.token : no_number};
  }
  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] bool step(State& state, const Input& input) const {
    const bool is_grant = input.lock.function == Function::acquire && !input.lock.refused;
    const bool is_fresh = state.lock.count == 0;
    if (!lock_.step(state.lock, input.lock)) return false;
    if (!is_grant) return true;
    const bool is_higher = is_fresh && state.last_token < INT64_MAX;
    const std::int64_t lowest = is_higher ? state.last_token + 1 : state.last_token;
    if (input.token != no_number && input.token < lowest) return false;
    state.last_token = std::max(lowest, input.token);
    return true;
  }
  [[nodiscard]] bool observes(const Input& input) const { return input.lock.refused; }
  [[nodiscard]] std::uint64_t hash(const State& state) const { return lock_.hash(state.lock); }
  [[nodiscard]] bool covers(const State& state, const State& other) const {
    return state.lock == other.lock && state.last_token <= other.last_token;
  }
  [[nodiscard]] std::string describe(const State& state) const {
    if (state.last_token < 0) return lock_.describe(state.lock);
    return fmt::format("{}, the last token {} or higher", lock_.describe(state.lock),
                       state.last_token);
  }
  [[nodiscard]] std::string why_not(const State& state, const Input& input) const {
    State after = state;
    if (!lock_.step(after.lock, input.lock)) return lock_.why_not(state.lock, input.lock);
    return fmt::format("token {} was given before", state.last_token);
  }

 private:
  OwnedMutex lock_;
};

}  // namespace lockstep::checker::recorded
