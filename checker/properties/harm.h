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
// A refused write harms nothing. Whether the writer held the lock does not matter here.
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
  struct Resource {
    const Access* last_write = nullptr;  ///< accepted
    std::size_t last_write_index = 0;
    const Access* highest_token = nullptr;  ///< the access that showed it
  };
  struct ReadUnderWay {
    const Access* read = nullptr;  ///< none: no read since the owner's last write
    std::size_t index = 0;
  };

  void judge_write(const Run& run, const Access& write, Verdict& verdict);
  void add_violation(const Run& run, const Access& write, const Access& by, const Access* since,
                     std::string what, Verdict& verdict);

  PairTable<Resource> resources_;  ///< by (resource, no_name)
  PairTable<ReadUnderWay> reads_;  ///< by (owner, resource)
  std::size_t violations_ = 0;
};

}  // namespace lockstep::checker
