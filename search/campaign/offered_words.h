// The functions that a client model offers, as words of a scenario.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::scenario {
enum class StepKind : std::uint8_t;
}  // namespace lockstep::scenario

namespace lockstep::search {

using Mix = std::vector<std::pair<std::string, int>>;

class OfferedWords {
 public:
  /// Does not own.
  explicit OfferedWords(std::span<const scenario::StepKind> offered) : offered_(offered) {}

  [[nodiscard]] bool has(scenario::StepKind kind) const;
  /// Adds the word with its options to the mix, if the client model offers it.
  void add(Mix& mix, scenario::StepKind kind, int weight, std::string_view options = {}) const;
  /// Adds each question that the lock answers.
  void add_questions(Mix& mix, int weight) const;

 private:
  std::span<const scenario::StepKind> offered_;
};

}  // namespace lockstep::search
