// The other answers to the delays of an instant, all combinations of them, in one order for those
// who look at them and those who take them up.
//
// They are numbered from 1; 0 is the run itself, with all first alternatives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "search/explore/bounded_choices.h"

namespace lockstep::search {

class DelayAnswers {
 public:
  /// Of the decisions of a run from `begin` to `end`, without those of faults.
  DelayAnswers(std::span<const Decision> decisions, std::size_t begin, std::size_t end)
      : decisions_(decisions), begin_(begin), end_(end) {}

  /// Whether all of them are delays, and few enough to look at each combination.
  [[nodiscard]] bool are_few_delays() const;
  /// With 0. REQUIRES: are_few_delays().
  [[nodiscard]] std::uint32_t combinations() const;
  /// How many answers of a combination are not the first.
  [[nodiscard]] std::uint32_t deviations_of(std::uint32_t combination) const;
  /// Calls it with the decision's number and the answer, for each answer that is not the first.
  template <typename Function>
  void visit(std::uint32_t combination, Function function) const {
    for (std::size_t i = begin_; i < end_; ++i) {
      if (decisions_[i].kind != DecisionKind::delay) continue;
      const std::uint32_t answer = combination % decisions_[i].alternatives;
      combination /= decisions_[i].alternatives;
      if (answer > 0) function(static_cast<std::uint32_t>(i), answer);
    }
  }

 private:
  std::span<const Decision> decisions_;
  std::size_t begin_;
  std::size_t end_;
};

}  // namespace lockstep::search
