// hold-count: a lock is free exactly when releases match acquires, and a non-holder's release
// removes nobody's hold.
//
// Three clauses, judged on the changes of the true counts and on the checks taken when calls
// returned:
// 1. a release lowers only the count of the owner who asked for it, or of one whose hold was over;
// 2. the true count never exceeds what the owner's own counting says (a release too few would leave
//    the lock held), unless something else than its own acquires raised it: a failover brings back
//    what had been given back, say;
// 3. nor does it fall short, unless the hold was taken away: by expiry, failover, a forced release,
//    an operator, a takeover, or by clause 1's culprit, who is reported there; or the lock was
//    never the owner's, which is a matter of valid-grant. What remains is an owner whose own
//    releases removed more than it released, or one of whose acquires was not counted.
//
// A hold is over, for clause 1, where every lease that the owner has asked for is: invocation +
// lease × (1 − the declared drift), of all its operations that set one and were not refused. What
// the lock's key still says of it then is a remnant, as of a reader that died beside others. Two
// have more rights: an owner that took the lock without a lease of its own has it for as long as it
// believes, and one whose operations were never declared for good. Each of a reader's holds has a
// lease of its own, and may go with the release of another once that is over; what is left where a
// reader gives one back may be the hold with the lease that ends first.
//
// A hold in clauses 2 and 3 begins where the owner's own counting stands at zero: what else changed
// the count from then on excuses every difference until it stands at zero again. An owner that lost
// a hold, and never learnt that, counts too much from then on; it is not blamed for it.
//
// What an owner holds as a reader and as the writer are two holds, each with its own count.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

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
    bool given_back = false;  ///< something else than its own acquires raised it
    std::int64_t lost_with_server =
        0;  ///< a server went down with so many, and may bring them back
    // Since the own counting stood at zero: what the lock counted, and what the owner did.
    std::int64_t raised = 0;
    std::int64_t lowered = 0;
    std::int64_t released = 0;
    std::int64_t believed = 0;  ///< at the last check
    // Its rights.
    std::optional<TimeNs> lease_ends_ns;        ///< of those declared, the one that ends last
    std::optional<TimeNs> first_lease_ends_ns;  ///< the one that ends first
    const Belief* belief = nullptr;             ///< the last
  };

  /// What came before that moment, or at it, has happened.
  void advance_to(const Run& run, const Moment& moment);
  void judge_change(const Run& run, const HoldChange& change, Verdict& verdict);
  void judge_check(const Run& run, const HoldCheck& check, Verdict& verdict);
  [[nodiscard]] static bool is_over(const Hold& hold, const Moment& at);
  void add_violation(std::string what, NameId who, const Moment& at, Verdict& verdict);

  [[nodiscard]] Hold& hold_of(NameId owner, NameId lock, HoldMode mode);

  PairTable<std::array<Hold, 2>> holds_;  ///< by (owner, lock), then mode
  std::size_t next_operation_ = 0;
  std::size_t next_belief_ = 0;
  std::size_t violations_ = 0;
};

}  // namespace lockstep::checker
