// A mutex with an owner; re-entrant or not.
//
//   acquire        ok: it was free, or (re-entrant) the caller held it: once more. Refused:
//   somebody
//                  held it, and (re-entrant) that wasn't the caller.
//   release        ok: the caller held it; one hold less. Refused: the caller didn't hold it.
//   force_release  ok: somebody held it; it is free. Refused: it was free.
//
// An acquire with an unknown outcome is of use until the last known release by its owner, or forced
// one, has returned. After that leave it out, and with it the next unknown release by its owner if
// one ends its hold: whatever was legal between the two were operations of its owner, and still is.
// (With observed refusals: for ever.)
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "checker/recorded/specifications/sequential.h"

namespace lockstep::checker::recorded {

/// Until when an owner's unknown acquire may matter.
class LastReleases {
 public:
  void notice(const Operation& operation) {
    if (operation.outcome != Outcome::ok) return;
    if (operation.function == Function::force_release) {
      forced_ = std::max(forced_, return_of(operation));
    } else if (operation.function == Function::release) {
      std::uint64_t& last = by_owner_[operation.owner];
      last = std::max(last, return_of(operation));
    }
  }
  [[nodiscard]] std::uint64_t until(TextId owner) const {
    const auto found = by_owner_.find(owner);
    return found == by_owner_.end() ? forced_ : std::max(forced_, found->second);
  }

 private:
  std::uint64_t forced_ = 0;
  std::unordered_map<TextId, std::uint64_t> by_owner_;
};

class OwnedMutex {
 public:
  struct State {
    TextId owner = no_text;  ///< no_text: free, and the count is 0
    std::uint32_t count = 0;
    friend bool operator==(const State&, const State&) = default;
  };
  struct Input {
    Function function = Function::acquire;
    bool refused = false;
    TextId owner = no_text;
    friend auto operator<=>(const Input&, const Input&) = default;
  };

  OwnedMutex(const Texts& texts, const Settings& settings, bool reentrant = false)
      : texts_(&texts), failures_(settings.failed_lock_operations), reentrant_(reentrant) {}

  void notice(const Operation& operation) { releases_.notice(operation); }
  [[nodiscard]] std::uint64_t useful_until(const Operation& operation) const {
    const bool may_end = failures_ == Failures::ignored && operation.function == Function::acquire;
    return may_end ? releases_.until(operation.owner) : never_returns;
  }

  [[nodiscard]] std::optional<Input> input_of(const Operation& operation) const {
    if (is_dropped(operation, failures_)) return std::nullopt;
    const bool anybody = operation.function == Function::force_release;
    return Input{operation.function, operation.outcome == Outcome::fail,
                 anybody ? no_text : operation.owner};
  }
  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] bool step(State& state, const Input& input) const {
    if (refuses(state, input) != input.refused) return false;
    if (input.refused) return true;
    if (input.function == Function::acquire) {
      state = {input.owner, state.count + 1};
    } else if (input.function == Function::force_release || --state.count == 0) {
      state = {};
    }
    return true;
  }
  [[nodiscard]] bool observes(const Input& input) const { return input.refused; }
  [[nodiscard]] std::uint64_t hash(const State& state) const {
    return mixed(number_of(state.owner), state.count);
  }
  [[nodiscard]] std::string describe(const State& state) const {
    if (state.count == 0) return "free";
    const std::string times = state.count == 1 ? "" : fmt::format(", {} times", state.count);
    return fmt::format("held by {}{}", texts_->text(state.owner), times);
  }
  [[nodiscard]] std::string why_not(const State& state, const Input& /*input*/) const {
    if (state.count == 0) return "it is free";
    return fmt::format("the owner is {}", texts_->text(state.owner));
  }

 private:
  [[nodiscard]] bool refuses(const State& state, const Input& input) const {
    switch (input.function) {
      case Function::acquire:
        return state.count != 0 && !(reentrant_ && state.owner == input.owner);
      case Function::force_release:
        return state.count == 0;
      case Function::release:
      case Function::read:
      case Function::write:
      case Function::compare_and_set:
      case Function::append:
      case Function::renew:
      case Function::read_acquire:
      case Function::read_release:
      case Function::write_acquire:
      case Function::write_release:
      case Function::set_count:
      case Function::count_down:
      case Function::await:
        break;  // the others are not of this model
    }
    return state.count == 0 || state.owner != input.owner;
  }

  const Texts* texts_;
  Failures failures_;
  bool reentrant_;
  LastReleases releases_;
};

/// A mutex that its owner may acquire again and again, and must release as often.
class ReentrantMutex : public OwnedMutex {
 public:
  ReentrantMutex(const Texts& texts, const Settings& settings)
      : OwnedMutex(texts, settings, true) {}
};

}  // namespace lockstep::checker::recorded
