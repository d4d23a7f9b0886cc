// hold-count: a lock is free exactly when releases match acquires, and a non-holder's release
// removes nobody's hold.
//
// Three clauses, judged on the changes of the true counts and on the checks taken when calls
// returned:
// 1. a release lowers only the count of the owner who asked for it;
// 2. the true count never exceeds what the owner's own counting says (a release too few would leave
//    the lock held);
// 3. nor does it fall short, unless the hold was taken away: by expiry, failover, a forced release,
//    an operator, a takeover, or by clause 1's culprit, who is reported there. What remains is an
//    owner whose own releases removed more than it released.
//
// A hold in clause 3 begins where the owner's own counting stands at zero: a loss from then on
// excuses every shortfall until it stands at zero again. An owner that lost a hold, and never
// learnt that, counts too much from then on; it is not blamed for it.
//
// What an owner holds as a reader and as the writer are two holds, each with its own count.
#pragma once

#include <array>
#include <cstddef>

#include "checker/observations.h"
#include "checker/pair_table.h"

namespace lockstep::checker {

struct Run;
struct Verdict;

class HoldCount {
 public:
  /// O(n). REQUIRES: `verdict` is fresh (holds, empty).
  void judge(const Run& run, Verdict& verdict);

 private:
  struct Hold {
    bool taken_away = false;  ///< something else than its own releases lowered the count
  };

  void judge_change(const Run& run, const HoldChange& change, Verdict& verdict);
  void judge_check(const Run& run, const HoldCheck& check, Verdict& verdict);
  void add_violation(std::string what, NameId who, const Moment& at, Verdict& verdict);

  [[nodiscard]] Hold& hold_of(NameId owner, NameId lock, HoldMode mode);

  PairTable<std::array<Hold, 2>> holds_;  ///< by (owner, lock), then mode
  std::size_t violations_ = 0;
};

}  // namespace lockstep::checker
