#include "search/explore/delay_answers.h"

namespace lockstep::search {
namespace {

constexpr std::uint32_t combinations_max = 1024;

}  // namespace

bool DelayAnswers::are_few_delays() const {
  std::uint64_t combinations = 1;
  for (std::size_t i = begin_; i < end_; ++i) {
    if (decisions_[i].kind == DecisionKind::fault) continue;
    if (decisions_[i].kind != DecisionKind::delay) return false;
    combinations *= decisions_[i].alternatives;
    if (combinations > combinations_max) return false;
  }
  return true;
}

std::uint32_t DelayAnswers::combinations() const {
  std::uint32_t combinations = 1;
  for (std::size_t i = begin_; i < end_; ++i) {
    if (decisions_[i].kind == DecisionKind::delay) combinations *= decisions_[i].alternatives;
  }
  return combinations;
}

std::uint32_t DelayAnswers::deviations_of(std::uint32_t combination) const {
  std::uint32_t deviations = 0;
  visit(combination, [&](std::uint32_t, std::uint32_t) { ++deviations; });
  return deviations;
}

}  // namespace lockstep::search
