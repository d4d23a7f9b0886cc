// What the properties of liveness found of single waits, and how that makes a verdict.
//
// A wait that broke its bound, or that was left when the run had come to rest, is a violation. One
// that was still under way when the run was cut off leaves the verdict unknown, if there is no
// violation: nobody can say how it would have gone on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "checker/observations.h"
#include "checker/stretches.h"
#include "checker/text.h"
#include "checker/verdict.h"

namespace lockstep::checker {

enum class WaitFault : std::uint8_t {
  bound_broken,  ///< it went on for longer than it may
  left_at_rest,  ///< it was left when the run came to rest
  unfinished,    ///< it was still under way when the run was cut off
};

struct WaitFinding {
  const Wait* wait = nullptr;
  WaitFault fault = WaitFault::bound_broken;
  Span span = {};           ///< what is to be shown of it
  std::int64_t grants = 0;  ///< to others meanwhile, where they are counted
};

class WaitFindings {
 public:
  void clear() { findings_.clear(); }
  void add(const WaitFinding& finding) { findings_.push_back(finding); }
  [[nodiscard]] bool tells_of(const Wait& wait) const;

  /// Fills the verdict: the finding whose span began first is told in the summary, by
  /// describe(finding). REQUIRES: `verdict` is fresh (holds, empty).
  template <typename Describe>
  void report(Describe describe, Verdict& verdict) {
    put_in_order();
    const std::size_t violations = violation_count();
    const std::size_t shown = violations > 0 ? violations : std::min<std::size_t>(size(), 1);
    if (shown == 0) return;
    verdict.kind = violations > 0 ? VerdictKind::violated : VerdictKind::unknown;
    for (std::size_t index = 0; index < std::min(shown, evidence_max); ++index) {
      const WaitFinding& each = findings_[index];
      verdict.evidence.push_back(
          {describe(each), each.wait->owner, each.span.from, each.span.until});
    }
    verdict.summary = verdict.evidence.front().what + in_all(violations, "such waits");
  }

 private:
  [[nodiscard]] std::size_t size() const { return findings_.size(); }
  /// Violations first, then by the beginning of their spans.
  void put_in_order();
  [[nodiscard]] std::size_t violation_count() const;

  std::vector<WaitFinding> findings_;
};

}  // namespace lockstep::checker
