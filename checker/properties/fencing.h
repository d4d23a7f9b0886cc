// fencing: tokens grow strictly in the order of grants and of holds.
//
// Of two grants of one lock the one that had returned before the other was asked for has the lower
// token, and so has the one whose hold began before the other's in true state: else the resource
// takes the stale holder for the rightful one. No two grants share a token. Grants that overlap and
// of which one began no hold (a re-entry) may have theirs in either order. Grants without a token
// say nothing. Whether the resource refuses a stale token is harm's matter.
//
// The hold of a grant is the last that began, by its owner's own request, between asking for it and
// its return.
//
// Algorithm. Sorted by the moment at which they were asked for, grants are passed together with the
// same grants sorted by their return: whoever has returned by then is known, and of these the one
// with the highest token decides. Sorted by the beginnings of their holds, the highest token of
// those before decides. Twins stand side by side where grants are sorted by token. O(n log n);
// nothing is allocated once warm while the property holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
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
    const Grant* twin = nullptr;      ///< returned earlier, with the same token
    const Grant* earlier = nullptr;   ///< over before this one was asked for, with no lower token
    std::optional<Moment> held_from;  ///< when its hold began; none: it began none
    const Fenced* held_before = nullptr;  ///< whose hold began earlier, with a higher token
  };

  void load(const Run& run);
  void load_holds(const Run& run);
  [[nodiscard]] std::optional<Moment> hold_of(const Grant& grant) const;
  void find_twins();
  void find_earlier();
  void find_held_before();
  [[nodiscard]] static std::string describe_holds(const Names& names, const Fenced& fenced,
                                                  const Fenced& before);
  static void add_violation(const Run& run, const Fenced& fenced, Verdict& verdict);

  std::vector<Fenced> fenced_;            ///< in the order of their returns
  std::vector<std::uint32_t> by_return_;  ///< by lock, then return: places in fenced_
  std::vector<std::uint32_t> by_asking_;  ///< by lock, then when they were asked for
  std::vector<std::uint32_t> by_token_;   ///< by lock, token, then return
  std::vector<std::uint32_t> by_hold_;    ///< by lock, then the beginning of the hold
  std::vector<const HoldChange*> begun_;  ///< holds, by lock, owner, mode, then moment
};

}  // namespace lockstep::checker
