// Recorded histories for tests, told event by event: positions, lines and texts are filled in.
#pragma once

#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "checker/recorded/history.h"

namespace lockstep::checker::recorded::testing {

class RecordedHistory {
 public:
  /// An event of its own. Returns the operation, to complete it; its values may be set there.
  std::uint32_t invoke(std::string_view process, Function function) {
    Operation operation;
    operation.function = function;
    operation.process = operation.owner = history_.texts.intern(process);
    operation.invoked = history_.events++;
    operation.invoked_line = history_.events;
    history_.operations.push_back(operation);
    return static_cast<std::uint32_t>(history_.operations.size() - 1);
  }
  void complete(std::uint32_t index, Outcome outcome) {
    Operation& operation = at(index);
    operation.outcome = outcome;
    operation.completed = history_.events++;
    operation.completed_line = history_.events;
  }

  /// Invoked and completed at once.
  Operation& did(std::string_view process, Function function, Outcome outcome = Outcome::ok) {
    const std::uint32_t index = invoke(process, function);
    complete(index, outcome);
    return at(index);
  }
  Operation& read(std::string_view process, std::string_view seen) {
    Operation& operation = did(process, Function::read);
    operation.result = text(seen);
    return operation;
  }
  Operation& write(std::string_view process, std::string_view value,
                   Outcome outcome = Outcome::ok) {
    Operation& operation = did(process, Function::write, outcome);
    operation.argument = text(value);
    return operation;
  }

  [[nodiscard]] TextId text(std::string_view value) { return history_.texts.intern(value); }
  [[nodiscard]] Operation& at(std::uint32_t index) { return history_.operations[index]; }
  [[nodiscard]] const History& history() const { return history_; }

 private:
  History history_;
};

/// The indices of all operations.
[[nodiscard]] inline std::vector<std::uint32_t> all_of(const History& history) {
  std::vector<std::uint32_t> all(history.operations.size());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

}  // namespace lockstep::checker::recorded::testing
