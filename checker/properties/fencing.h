// fencing: tokens grow strictly in the order of grants.
//
// Of two grants of one lock the one that had returned before the other was asked for has the lower
// token, and no two grants share one. Grants that overlap may have theirs in either order: nobody
// outside can say which came first. Grants without a token say nothing. Whether the resource
// refuses a stale token is harm's matter.
//
// Algorithm. Sorted by the moment at which they were asked for, grants are passed together with the
// same grants sorted by their return: whoever has returned by then is known, and of these the one
// with the highest token decides. Twins stand side by side where grants are sorted by token.
// O(n log n); nothing is allocated once warm while the property holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "checker/observations.h"

namespace lockstep::checker {

struct Run;
struct Verdict;

class Fencing {
 public:
  /// REQUIRES: `verdict` is fresh (holds, empty).
  void judge(const Run& run, Verdict& verdict);

 private:
  /// A grant with a token, and the one that it breaks the order with, if any.
  struct Fenced {
    const Grant* grant = nullptr;
    std::int64_t token = 0;
    const Grant* twin = nullptr;     ///< returned earlier, with the same token
    const Grant* earlier = nullptr;  ///< over before this one was asked for, with no lower token
  };

  void load(const Run& run);
  void find_twins();
  void find_earlier();
  static void add_violation(const Run& run, const Fenced& fenced, Verdict& verdict);

  std::vector<Fenced> fenced_;            ///< in the order of their returns
  std::vector<std::uint32_t> by_return_;  ///< by lock, then return: places in fenced_
  std::vector<std::uint32_t> by_asking_;  ///< by lock, then when they were asked for
  std::vector<std::uint32_t> by_token_;   ///< by lock, token, then return
};

}  // namespace lockstep::checker
