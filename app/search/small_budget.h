// How many of a campaign's findings are made small, which takes seconds each: more of them are most
// likely the same ones. Which of them come first is the campaign's to say, and how long each may
// take SavingTime's.
#pragma once

#include <cstddef>

namespace lockstep::app {

class SmallBudget {
 public:
  static constexpr std::size_t bugs_max = 16;
  static constexpr std::size_t limits_max = 24;

  [[nodiscard]] bool has_room_for_bug() const { return bugs_ < bugs_max; }
  [[nodiscard]] bool has_made_bugs() const { return bugs_ > 0; }
  [[nodiscard]] bool has_room_for_limit() const { return limits_ < limits_max; }

  /// Told once it is small: before, nobody knows which of the two it is.
  void add_bug() { ++bugs_; }
  /// A known flaw that breaks in many ways does not keep what nobody knows from being looked at: so
  /// many of them have room of their own.
  void add_known_flaw() { ++(known_ < bugs_max ? known_ : bugs_); }
  void add_limit() { ++limits_; }

 private:
  std::size_t bugs_ = 0;
  std::size_t known_ = 0;
  std::size_t limits_ = 0;
};

}  // namespace lockstep::app
