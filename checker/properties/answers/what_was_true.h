// What was true of the locks while a call went on: holds, what was to be had, numbers and leases.
//
// A list of steps for each thing that may be asked for, sorted once; a call finds the state at its
// invocation by binary search and walks the steps until its return. Whether an answer agrees with
// it is for truthful_answers.h.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "checker/history.h"
#include "checker/observations.h"
#include "checker/pair_table.h"

namespace lockstep::checker {

/// How a value went during a call.
struct Course {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t least = 0;
  std::int64_t most = 0;
  bool sinks = false;  ///< it was less than the moment before, once
  bool rises = false;  ///< it was more than the moment before, once
};

/// Whether something happened within the call, so that it can be a part of it.
[[nodiscard]] inline bool is_within(const Answer& answer, const Moment& at) {
  return !(at < answer.invoked) && !(answer.returned < at);
}

class WhatWasTrue {
 public:
  /// What a step is about. An owner's holds, or what is anybody's.
  enum class Subject : std::uint8_t {
    exclusive_holds,
    shared_holds,
    holds,  ///< of both modes
    anybodys_holds,
    available_exclusively,
    available_shared,
    number,     ///< of permits left, of a latch's count
    lease_end,  ///< true ns; 0: there is none
  };

  /// Forgets what it knew. Allocates nothing once warm.
  void load(const Observations& observations);

  /// `owner`: no_name for what is anybody's.
  [[nodiscard]] Course during(const Answer& answer, NameId owner, Subject subject) const;
  /// Of a question those of both modes.
  [[nodiscard]] Course holds_during(const Answer& answer) const;
  /// The lease's end, as late as it ever was during the call.
  [[nodiscard]] TimeNs latest_end(const Answer& answer) const;
  /// Whether the lease that there was as the call began was over before it returned.
  [[nodiscard]] bool runs_out(const Answer& answer) const;
  /// How much of the lease was left, where that was most.
  [[nodiscard]] TimeNs most_left(const Answer& answer) const;
  /// How much of it was left at the least; 0: that is not known.
  [[nodiscard]] TimeNs least_left(const Answer& answer) const;

 private:
  struct Step {
    NameId lock;
    NameId owner;  ///< no_name: anybody's
    Subject subject;
    Moment at;
    std::int64_t value;   ///< from then on
    std::uint32_t place;  ///< of one moment's steps the last counts
  };

  void load_holds(const Observations& observations);
  void add_step(NameId lock, NameId owner, Subject subject, const Moment& at, std::int64_t value);
  template <typename Visit>
  void visit_steps(const Answer& answer, NameId owner, Subject subject, Visit visit) const;

  std::vector<Step> steps_;                        ///< by lock, owner, subject, then moment
  PairTable<std::array<std::int64_t, 2>> counts_;  ///< by (owner, lock), then mode
  PairTable<std::int64_t> everybodys_;             ///< by (lock, no_name)
};

}  // namespace lockstep::checker
