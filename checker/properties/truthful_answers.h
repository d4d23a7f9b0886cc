// truthful-answers: what a call answers was true at some instant between its invocation and its
// return, and who is refused holds nothing that it did not hold before.
//
// What an answer claims, and what contradicts it:
// 1. a release says yes: its owner held the lock, and then held less of it, or it removed a permit
//    that had ended and was still there. A release or an extension says no: it didn't;
// 2. an acquire says no: as much as it asked for was not available (where refusals are truthful);
//    its owner did not have it all the while (where it may take it again); in the end it has no
//    hold more than before. An acquire or an await says no: it did not give up before half of the
//    time for which it was to wait. Permits are given: so many were there;
// 3. an extension says yes: its owner held the lock, its lease came to end no sooner than the new
//    lease after the invocation, and no later validity was told than the lease's end (both as far
//    as the declared drift goes);
// 4. a question says who holds the lock, or how often: so it was. It says how much of the lease is
//    left: so much was left. Less may be said: who takes off a margin (half of the lease, 10 s at
//    most) or counts from its call on is no liar; but less than a tenth of the rest is another
//    unit;
//    A count that the client alone keeps is what its calls since the hold began come to, or all of
//    its calls: a client may count on after a loss that it has not heard of;
// 5. a forced release says whether somebody held the lock, and neither that one nor a release says
// no
//    that took a hold away; a setting of permits or of a latch's
//    count, whether it was done: there were so many permits, the latch was closed;
// 6. a count_down has counted down, where there was anything to count; permits are given back: more
//    are left than before, however many, or somebody waits for them.
//
// Latency, expiry and failover are thus no lies: they change what is true within a call. A "no",
// and a count of holds, may also stem from what a client knows of itself; so they aren't judged of
// an owner any of whose requests went unanswered. Which answers are claims at all is for the teller
// (Answer).
//
// Algorithm. What was true is a list of steps for each thing that may be asked for, sorted once; an
// answer finds the state at its invocation by binary search and walks the steps until its return.
// O(n log n), and the steps within each call; nothing is allocated once warm while the property
// holds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checker/check.h"
#include "checker/observations.h"
#include "checker/pair_table.h"

namespace lockstep::checker {

class TruthfulAnswers {
 public:
  /// REQUIRES: `verdict` is fresh (holds, empty).
  void judge(const Run& run, Verdict& verdict);

 private:
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

  struct Step {
    NameId lock;
    NameId owner;  ///< no_name: anybody's
    Subject subject;
    Moment at;
    std::int64_t value;   ///< from then on
    std::uint32_t place;  ///< of one moment's steps the last counts
  };

  /// What was true during a call.
  struct Span {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t least = 0;
    std::int64_t most = 0;
    bool sinks = false;  ///< it was less than the moment before, once
    bool rises = false;  ///< it was more than the moment before, once
  };

  void load(const Observations& observations);
  void load_holds(const Observations& observations);
  void add_step(NameId lock, NameId owner, Subject subject, const Moment& at, std::int64_t value);
  [[nodiscard]] Span during(const Answer& answer, NameId owner, Subject subject) const;
  [[nodiscard]] Span holds_during(const Answer& answer) const;
  /// The lease's end, as late as it ever was during the call.
  [[nodiscard]] TimeNs latest_end(const Answer& answer) const;
  /// Whether the lease that there was as the call began was over before it returned.
  [[nodiscard]] bool runs_out(const Answer& answer) const;
  /// How much of the lease was left, where that was most.
  [[nodiscard]] TimeNs most_left(const Answer& answer) const;
  /// How much of it was left at the least; 0: that is not known.
  [[nodiscard]] TimeNs least_left(const Answer& answer) const;
  [[nodiscard]] static TimeNs explained_ns(const Run& run, const Answer& answer, TimeNs left_ns);
  template <typename Visit>
  void visit_steps(const Answer& answer, NameId owner, Subject subject, Visit visit) const;

  // What was true instead; none: the answer may have been true.
  [[nodiscard]] std::optional<std::string> contradiction(const Run& run,
                                                         const Answer& answer) const;
  [[nodiscard]] std::optional<std::string> to_acquire(const Run& run, const Answer& answer) const;
  [[nodiscard]] std::optional<std::string> to_extension(const Run& run, const Answer& answer) const;
  [[nodiscard]] std::optional<std::string> to_setting(const Run& run, const Answer& answer) const;
  [[nodiscard]] std::optional<std::string> to_counting(const Run& run, const Answer& answer) const;
  [[nodiscard]] std::optional<std::string> to_hold_count(const Run& run,
                                                         const Answer& answer) const;
  [[nodiscard]] std::optional<std::string> to_remaining_lease(const Run& run,
                                                              const Answer& answer) const;

  std::vector<Step> steps_;                        ///< by lock, owner, subject, then moment
  PairTable<std::array<std::int64_t, 2>> counts_;  ///< by (owner, lock), then mode
  PairTable<std::int64_t> everybodys_;             ///< by (lock, no_name)
};

}  // namespace lockstep::checker
