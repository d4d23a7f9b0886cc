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
//    no that took a hold away; a setting of permits or of a latch's count says whether it was done:
//    there were so many permits, the latch was closed;
// 6. a count_down has counted down, where there was anything to count; permits are given back: more
//    are left than before, however many, or somebody waits for them.
//
// Latency, expiry and failover are thus no lies: they change what is true within a call. A "no",
// and a count of holds, may also stem from what a client knows of itself; so they aren't judged of
// an owner any of whose requests went unanswered. Which answers are claims at all is for the teller
// (Answer).
//
// O(n log n), and what changed within each call (what_was_true.h); nothing is allocated once warm
// while the property holds.
#pragma once

#include <optional>
#include <string>

#include "checker/check.h"
#include "checker/observations.h"
#include "checker/properties/answers/what_was_true.h"

namespace lockstep::checker {

class TruthfulAnswers {
 public:
  /// REQUIRES: `verdict` is fresh (holds, empty).
  void judge(const Run& run, Verdict& verdict);

 private:
  using Subject = WhatWasTrue::Subject;

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

  WhatWasTrue truth_;
};

}  // namespace lockstep::checker
