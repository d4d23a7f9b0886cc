// harm: writes under the lock to a protected resource are never lost or interleaved, and a stale
// fencing token is never accepted.
//
// Judged on the accesses as the resource handled them, resource by resource:
// 1. lost update: an accepted write is based on another version than the one which it replaced;
// 2. interleaved: another owner's accepted write came between a read and the same owner's next
// write;
// 3. stale token: a write was accepted with a token lower than the highest that the resource had
// seen
//    (on an access that it accepted).
// A refused write harms nothing. Whether the writer held the lock does not matter here. Where a
// process owns as one, what its threads do to each other is their own matter: who has a lock may
// use it twice at once.
#pragma once

#include <cstddef>
#include <optional>

#include "checker/observations.h"
#include "checker/pair_table.h"

namespace lockstep::checker {

struct Run;
struct Verdict;

class Harm {
 public:
  /// O(n). REQUIRES: `verdict` is fresh (holds, empty).
  void judge(const Run& run, Verdict& verdict);

 private:
  /// The foremost of the accesses, and the foremost of those by other owners than that one's.
  struct Foremost {
    const Access* access = nullptr;
    const Access* of_others = nullptr;

    void put_first(const Access& next);
    /// Of those that somebody else than the writer's own other threads made; nullptr: none.
    [[nodiscard]] const Access* against(const Access& write) const;
  };
  struct Resource {
    Foremost last_write;     ///< accepted
    Foremost highest_token;  ///< the access that showed it
  };

  static void note_token(Foremost& highest, const Access& access);

  void judge_write(const Run& run, const Access& write, Verdict& verdict);
  void add_violation(const Run& run, const Access& write, const Access& by, const Access* since,
                     std::string what, Verdict& verdict);

  PairTable<Resource> resources_;   ///< by (resource, no_name)
  PairTable<const Access*> reads_;  ///< by (thread, resource); none since its last write: nullptr
  std::size_t violations_ = 0;
};

}  // namespace lockstep::checker
