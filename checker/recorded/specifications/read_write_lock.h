// A read-write lock with owners, re-entrant.
//
//   read_acquire   ok: nobody else writes. Refused: somebody else does.
//   write_acquire  ok: nobody else holds it, and the caller writes already or holds nothing (a
//                  reader that wants to write waits for itself). Refused: otherwise.
//   read_release, write_release
//                  ok: the caller held it so; one hold less. Refused: it didn't.
//
// So a writer may read too, and may go on reading when it no longer writes.
#pragma once

#include <fmt/format.h>

#include <span>
#include <vector>

#include "checker/recorded/sequences.h"
#include "checker/recorded/specifications/sequential.h"

namespace lockstep::checker::recorded {

class ReadWriteLock {
 public:
  struct State {
    TextId writer = no_text;
    std::uint32_t writes = 0;
    std::uint32_t readers = 0;  ///< a sequence of (owner, holds), by owner
    friend bool operator==(const State&, const State&) = default;
  };
  struct Input {
    Function function = Function::read_acquire;
    bool refused = false;
    TextId owner = no_text;
    friend auto operator<=>(const Input&, const Input&) = default;
  };

  ReadWriteLock(const Texts& texts, const Settings& settings)
      : texts_(&texts), failures_(settings.failed_lock_operations) {}

  [[nodiscard]] std::optional<Input> input_of(const Operation& operation) const {
    if (is_dropped(operation, failures_)) return std::nullopt;
    return Input{operation.function, operation.outcome == Outcome::fail, operation.owner};
  }
  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] bool step(State& state, const Input& input) const {
    if (allows(state, input) == input.refused) return false;
    if (input.refused) return true;
    switch (input.function) {
      case Function::read_acquire:
        add_reads(state, input.owner, 1);
        break;
      case Function::read_release:
        add_reads(state, input.owner, -1);
        break;
      case Function::write_acquire:
        state.writer = input.owner;
        ++state.writes;
        break;
      case Function::write_release:
        if (--state.writes == 0) state.writer = no_text;
        break;
      case Function::read:
      case Function::write:
      case Function::compare_and_set:
      case Function::append:
      case Function::acquire:
      case Function::release:
      case Function::renew:
      case Function::force_release:
      case Function::set_count:
      case Function::count_down:
      case Function::await:
        break;  // not of this model
    }
    return true;
  }
  [[nodiscard]] bool observes(const Input& input) const { return input.refused; }
  [[nodiscard]] std::uint64_t hash(const State& state) const {
    return mixed(mixed(number_of(state.writer), state.writes), state.readers);
  }
  [[nodiscard]] std::string describe(const State& state) const {
    std::string out = state.writes == 0 ? "not written"
                                        : fmt::format("written by {}", texts_->text(state.writer));
    const std::string readers = readers_of(state);
    return readers.empty() ? (state.writes == 0 ? "free" : out)
                           : fmt::format("{}, read by {}", out, readers);
  }
  [[nodiscard]] std::string why_not(const State& state, const Input& /*input*/) const {
    return fmt::format("it is {}", describe(state));
  }
  [[nodiscard]] std::uint64_t memory_bytes() const { return readers_.memory_bytes(); }

 private:
  [[nodiscard]] bool allows(const State& state, const Input& input) const {
    switch (input.function) {
      case Function::read_acquire:
        return state.writes == 0 || state.writer == input.owner;
      case Function::read_release:
        return reads_of(state, input.owner) > 0;
      case Function::write_acquire:
        if (state.writes > 0) return state.writer == input.owner;  // then nobody else reads
        return state.readers == 0;
      case Function::write_release:
      case Function::read:
      case Function::write:
      case Function::compare_and_set:
      case Function::append:
      case Function::acquire:
      case Function::release:
      case Function::renew:
      case Function::force_release:
      case Function::set_count:
      case Function::count_down:
      case Function::await:
        break;  // the others are not of this model
    }
    return state.writes > 0 && state.writer == input.owner;
  }
  [[nodiscard]] std::uint32_t reads_of(const State& state, TextId owner) const {
    const std::span<const std::uint32_t> readers = readers_.at(state.readers);
    for (std::size_t index = 0; index < readers.size(); index += 2) {
      if (readers[index] == number_of(owner)) return readers[index + 1];
    }
    return 0;
  }
  void add_reads(State& state, TextId owner, int change) const {
    const std::span<const std::uint32_t> readers = readers_.at(state.readers);
    changed_.assign(readers.begin(), readers.end());
    std::size_t index = 0;
    while (index < changed_.size() && changed_[index] < number_of(owner)) index += 2;
    const auto place = changed_.begin() + static_cast<std::ptrdiff_t>(index);
    if (index == changed_.size() || changed_[index] != number_of(owner)) {
      changed_.insert(place, {static_cast<std::uint32_t>(owner), 1U});
    } else if (changed_[index + 1] == 1 && change < 0) {
      changed_.erase(place, place + 2);
    } else {
      changed_[index + 1] += change < 0 ? UINT32_MAX : 1U;
    }
    state.readers = readers_.number_of(changed_);
  }
  [[nodiscard]] std::string readers_of(const State& state) const {
    std::string out;
    const std::span<const std::uint32_t> readers = readers_.at(state.readers);
    for (std::size_t index = 0; index < readers.size(); index += 2) {
      if (index > 0) out += ", ";
      out += texts_->text(static_cast<TextId>(readers[index]));
    }
    return out;
  }

  const Texts* texts_;
  Failures failures_;
  mutable Sequences readers_;  // a memory of equal values, no state
  mutable std::vector<std::uint32_t> changed_;
};

}  // namespace lockstep::checker::recorded
