// A value that is read, written, appended to, compared and set: one key's, or a map of all keys.
//
//   read             saw the value; "nil" and "" are both what a key has that was never written
//   write            replaces it
//   append           adds to its end
//   compare_and_set  ok: it had the expected value, and has the new one. Failed, if that is minded:
//                    it had another.
//
// Keys are independent, so a history is decided key by key; then the state is one value. The map is
// there for comparisons with checkers that don't.
#pragma once

#include <fmt/format.h>

#include <unordered_map>
#include <vector>

#include "checker/recorded/formats/contents.h"
#include "checker/recorded/pending_reads.h"
#include "checker/recorded/sequences.h"
#include "checker/recorded/specifications/sequential.h"

namespace lockstep::checker::recorded {

/// The value of one key.
class KeyValue {
 public:
  /// A content that is replaced before anything sees it, whatever it is.
  static constexpr std::uint32_t unseen = UINT32_MAX;
  struct State {
    std::uint32_t content = 0;
    friend bool operator==(const State&, const State&) = default;
  };
  struct Input {
    Function function = Function::read;
    bool refused = false;
    std::uint32_t expected = 0;
    std::uint32_t written = 0;  ///< by a write or compare-and-set
    TextId appended = no_text;
    friend auto operator<=>(const Input&, const Input&) = default;
  };

  KeyValue(const Texts& texts, const Settings& settings)
      : texts_(&texts),
        contents_(texts, settings.initial_value),
        failures_(settings.failed_compare_and_sets),
        initial_(settings.initial_value == "nil" ? 0 : contents_.of_initial()) {}

  [[nodiscard]] std::optional<Input> input_of(const Operation& operation) const {
    const bool failed = operation.outcome == Outcome::fail;
    Input input{operation.function, failed};
    switch (operation.function) {
      case Function::read:
        if (operation.outcome != Outcome::ok || operation.result == no_text) return std::nullopt;
        input.expected = content_of(operation.result);
        return input;
      case Function::compare_and_set:
        if (is_dropped(operation, failures_)) return std::nullopt;
        input.expected = content_of(operation.argument);
        input.written = content_of(operation.second_argument);
        return input;
      case Function::append:
        input.appended = operation.argument;
        break;
      case Function::write:
        input.written = content_of(operation.argument);
        break;
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
        return std::nullopt;  // not of this model
    }
    return failed ? std::nullopt : std::optional(input);
  }
  [[nodiscard]] State initial() const { return {initial_}; }
  [[nodiscard]] bool step(State& state, const Input& input) const {
    if (input.function == Function::append) {
      if (state.content == unseen) return true;
      state.content = contents_.append(state.content, input.appended);
      return true;
    }
    if (input.function == Function::write) {
      state.content = input.written;
      return true;
    }
    if ((state.content == input.expected) == input.refused) return false;
    if (input.function == Function::compare_and_set && !input.refused) {
      state.content = input.written;
    }
    return true;
  }
  [[nodiscard]] bool observes(const Input& input) const {
    return input.function == Function::read || input.refused;
  }
  [[nodiscard]] std::uint64_t hash(const State& state) const { return state.content; }
  [[nodiscard]] std::string describe(const State& state) const {
    return fmt::format("of value {}", value(state));
  }
  [[nodiscard]] std::string why_not(const State& state, const Input& /*input*/) const {
    return fmt::format("the value is {}", value(state));
  }
  [[nodiscard]] std::uint64_t memory_bytes() const {
    return contents_.memory_bytes() + pending_reads_.memory_bytes();
  }

  void foresee(std::span<const SearchOperation<Input>> operations) {
    pending_reads_ = {};
    for (std::uint32_t index = 0; index < operations.size(); ++index) {
      add_to(pending_reads_, operations[index], operations[index].input, index);
    }
    pending_reads_.arrange(contents_);
  }
  template <typename IsOpen>
  [[nodiscard]] bool has_future(State& state, std::uint64_t position, std::uint64_t until,
                                IsOpen is_open) const {
    return has_future(pending_reads_, state, position, until, is_open);
  }

  /// For many keys: what the operation demands of its key, and leaves it with.
  template <typename Searched>
  void add_to(PendingReads& pending_reads, const Searched& operation, const Input& input,
              std::uint32_t index) const {
    const PendingReads::Span span{index, operation.invoked, operation.returned};
    const bool replaces = input.function == Function::compare_and_set;
    if (replaces) pending_reads.may_observe_absence();
    if (input.refused) return;
    if (input.function == Function::append) {
      pending_reads.extend(span, input.appended, texts_->text(input.appended));
      return;
    }
    if (replaces || input.function == Function::write) pending_reads.produce(span, input.written);
    if (input.function != Function::write && operation.returned != never_returns) {
      pending_reads.pending_read(span, input.expected);
    }
  }
  void arrange(PendingReads& pending_reads) const { pending_reads.arrange(contents_); }
  template <typename IsOpen>
  [[nodiscard]] bool has_future(const PendingReads& pending_reads, State& state,
                                std::uint64_t position, std::uint64_t until, IsOpen is_open) const {
    if (state.content == unseen) return true;
    const PendingReads::Future future =
        pending_reads.future_of(contents_, state.content, position, until, is_open);
    if (future == PendingReads::Future::replaced) state.content = unseen;
    return future != PendingReads::Future::none;
  }

 private:
  [[nodiscard]] std::uint32_t content_of(TextId text) const {
    return texts_->text(text) == "nil" ? 0 : contents_.of_text(text);
  }
  [[nodiscard]] std::string value(const State& state) const {
    if (state.content == unseen) return "one that nothing sees";
    return state.content == 0 ? "nil" : contents_.text(state.content);
  }

  const Texts* texts_;
  mutable Contents contents_;  // a memory of equal values, no state
  Failures failures_;
  std::uint32_t initial_ = 0;
  PendingReads pending_reads_;
};

/// All keys at once: for each key, in order of sight, its value.
class KeyValueMap {
 public:
  struct State {
    std::uint32_t values = 0;  ///< a sequence of contents; what is missing is 0
    friend bool operator==(const State&, const State&) = default;
  };
  struct Input {
    std::uint32_t key = 0;
    KeyValue::Input operation;
    friend auto operator<=>(const Input&, const Input&) = default;
  };

  KeyValueMap(const Texts& texts, const Settings& settings)
      : texts_(&texts), one_(texts, settings) {}

  void notice(const Operation& operation) {
    const auto number = static_cast<std::uint32_t>(keys_.size());
    if (keys_.try_emplace(operation.key, number).second) names_.push_back(operation.key);
  }
  [[nodiscard]] std::optional<Input> input_of(const Operation& operation) const {
    const auto input = one_.input_of(operation);
    if (!input) return std::nullopt;
    return Input{keys_.at(operation.key), *input};
  }
  [[nodiscard]] State initial() const {
    const std::vector<std::uint32_t> all(keys_.size(), one_.initial().content);
    return {sequences_.number_of(all)};
  }
  [[nodiscard]] bool step(State& state, const Input& input) const {
    const std::span<const std::uint32_t> values = sequences_.at(state.values);
    KeyValue::State value{values[input.key]};
    if (!one_.step(value, input.operation)) return false;
    if (value.content == values[input.key]) return true;
    changed_.assign(values.begin(), values.end());
    changed_[input.key] = value.content;
    state.values = sequences_.number_of(changed_);
    return true;
  }
  [[nodiscard]] bool observes(const Input& input) const { return one_.observes(input.operation); }
  [[nodiscard]] std::uint64_t hash(const State& state) const { return state.values; }
  [[nodiscard]] std::string describe(const State& state) const {
    std::string out;
    const std::span<const std::uint32_t> values = sequences_.at(state.values);
    for (std::size_t key = 0; key < values.size(); ++key) {
      out += fmt::format("{}{} {}", key == 0 ? "" : ", ", name(names_[key]),
                         one_.describe({values[key]}));
    }
    return out;
  }
  [[nodiscard]] std::string why_not(const State& state, const Input& input) const {
    return one_.why_not({sequences_.at(state.values)[input.key]}, input.operation);
  }
  [[nodiscard]] std::uint64_t memory_bytes() const {
    return one_.memory_bytes() + sequences_.memory_bytes() + pending_reads_bytes_;
  }

  [[nodiscard]] bool same_object(const Input& one, const Input& other) const {
    return one.key == other.key;
  }
  void foresee(std::span<const SearchOperation<Input>> operations) {
    pending_reads_.assign(keys_.size(), {});
    for (std::uint32_t index = 0; index < operations.size(); ++index) {
      const Input& input = operations[index].input;
      one_.add_to(pending_reads_[input.key], operations[index], input.operation, index);
    }
    pending_reads_bytes_ = 0;
    for (PendingReads& pending_reads : pending_reads_) {
      one_.arrange(pending_reads);
      pending_reads_bytes_ += pending_reads.memory_bytes();
    }
  }
  template <typename IsOpen>
  [[nodiscard]] bool has_future(State& state, std::uint64_t position, std::uint64_t until,
                                IsOpen is_open) const {
    const std::span<const std::uint32_t> values = sequences_.at(state.values);
    changed_.assign(values.begin(), values.end());
    bool is_changed = false;
    for (std::size_t key = 0; key < changed_.size(); ++key) {
      KeyValue::State value{changed_[key]};
      const std::uint64_t bytes_before = pending_reads_[key].memory_bytes();
      const bool has_one = one_.has_future(pending_reads_[key], value, position, until, is_open);
      pending_reads_bytes_ += pending_reads_[key].memory_bytes() - bytes_before;
      if (!has_one) return false;
      is_changed |= value.content != changed_[key];
      changed_[key] = value.content;
    }
    if (is_changed) state.values = sequences_.number_of(changed_);
    return true;
  }

 private:
  [[nodiscard]] std::string_view name(TextId key) const {
    return key == no_text ? std::string_view("the key without a name") : texts_->text(key);
  }

  const Texts* texts_;
  KeyValue one_;
  std::unordered_map<TextId, std::uint32_t> keys_;
  std::vector<TextId> names_;
  mutable Sequences sequences_;
  mutable std::vector<std::uint32_t> changed_;
  std::vector<PendingReads> pending_reads_;        ///< by key
  mutable std::uint64_t pending_reads_bytes_ = 0;  ///< of all of them, as they are
};

}  // namespace lockstep::checker::recorded
