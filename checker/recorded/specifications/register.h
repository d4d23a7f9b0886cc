// A register, with compare-and-set or without.
//
//   read             saw the value
//   write            replaces it
//   compare_and_set  ok: it had the expected value, and has the new one. Failed, if that is minded:
//                    it had another.
//
// Reads with an unknown outcome, or an untold result, say nothing. "nil" and "" are one value.
//
// A write or compare-and-set with an unknown outcome is of use until the last operation that sees
// its value has returned: after that nobody sees what it left, and whatever replaces it would have
// done so anyhow. Unless a compare-and-set with an unknown outcome expects the value (it may have
// seen it at any time), or failures are minded (they see that a value isn't there).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "checker/recorded/specifications/sequential.h"

namespace lockstep::checker::recorded {

/// A value as a number: equal for equal values.
enum class ValueId : std::uint32_t {};
inline constexpr ValueId nil_value{UINT32_MAX};
inline constexpr ValueId unseen_value{UINT32_MAX - 1};  ///< an initial value that nobody names

class Values {
 public:
  explicit Values(const Texts& texts)
      : texts_(&texts), nil_(texts.find("nil")), empty_(texts.find("")) {}

  [[nodiscard]] ValueId value_of(TextId text) const {
    return text == nil_ || text == empty_ ? nil_value : static_cast<ValueId>(text);
  }
  [[nodiscard]] ValueId value_of(std::string_view text) const {
    if (text.empty() || text == "nil") return nil_value;
    const TextId id = texts_->find(text);
    return id == no_text ? unseen_value : value_of(id);
  }
  [[nodiscard]] std::string describe(ValueId value) const {
    if (value == nil_value) return "nil";
    if (value == unseen_value) return "the initial value";
    return std::string(texts_->text(static_cast<TextId>(value)));
  }

 private:
  const Texts* texts_;
  TextId nil_;
  TextId empty_;
};

class Register {
 public:
  struct State {
    ValueId value = nil_value;
    friend bool operator==(const State&, const State&) = default;
  };
  struct Input {
    Function function = Function::read;
    bool refused = false;
    ValueId expected = nil_value;  ///< by a read or a compare-and-set
    ValueId written = nil_value;
    friend auto operator<=>(const Input&, const Input&) = default;
  };

  Register(const Texts& texts, const Settings& settings)
      : values_(texts),
        initial_(values_.value_of(settings.initial_value)),
        failures_(settings.failed_compare_and_sets) {}

  void notice(const Operation& operation) {
    const auto input = input_of(operation);
    if (!input || input->function == Function::write) return;
    if (input->refused) may_observe_absence_ = true;
    std::uint64_t& last = last_seen_[input->expected];
    last =
        operation.outcome == Outcome::info ? never_returns : std::max(last, return_of(operation));
  }
  [[nodiscard]] std::uint64_t useful_until(const Operation& operation) const {
    if (may_observe_absence_) return never_returns;
    const TextId written = operation.function == Function::compare_and_set
                               ? operation.second_argument
                               : operation.argument;
    const auto found = last_seen_.find(values_.value_of(written));
    return found == last_seen_.end() ? 0 : found->second;
  }

  [[nodiscard]] std::optional<Input> input_of(const Operation& operation) const {
    const bool failed = operation.outcome == Outcome::fail;
    switch (operation.function) {
      case Function::read:
        if (operation.outcome != Outcome::ok || operation.result == no_text) return std::nullopt;
        return Input{Function::read, false, values_.value_of(operation.result), nil_value};
      case Function::write:
        if (failed) return std::nullopt;
        return Input{Function::write, false, nil_value, values_.value_of(operation.argument)};
      case Function::compare_and_set:
        if (is_dropped(operation, failures_)) return std::nullopt;
        return Input{Function::compare_and_set, failed, values_.value_of(operation.argument),
                     values_.value_of(operation.second_argument)};
      case Function::append:
      case Function::acquire:
      case Function::release:
      case Function::renew:
      case Function::force_release:
      case Function::read_acquire:
      case Function::read_release:
      case Function::write_acquire:
      case Function::write_release:
      case Function::set_count:
      case Function::count_down:
      case Function::await:
        break;  // not of this model
    }
    return std::nullopt;
  }
  [[nodiscard]] State initial() const { return {initial_}; }
  [[nodiscard]] bool step(State& state, const Input& input) const {
    if (input.function != Function::write && (state.value == input.expected) == input.refused) {
      return false;
    }
    if (input.function != Function::read && !input.refused) state.value = input.written;
    return true;
  }
  [[nodiscard]] bool observes(const Input& input) const {
    return input.function == Function::read || input.refused;
  }
  [[nodiscard]] std::uint64_t hash(const State& state) const {
    return static_cast<std::uint64_t>(state.value);
  }
  [[nodiscard]] std::string describe(const State& state) const {
    return fmt::format("of value {}", values_.describe(state.value));
  }
  [[nodiscard]] std::string why_not(const State& state, const Input& /*input*/) const {
    return fmt::format("the value is {}", values_.describe(state.value));
  }

 private:
  Values values_;
  ValueId initial_;
  Failures failures_;
  bool may_observe_absence_ = false;
  std::unordered_map<ValueId, std::uint64_t> last_seen_;
};

}  // namespace lockstep::checker::recorded
