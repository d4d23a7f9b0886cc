// What the properties of liveness found of single requests, and how that makes a verdict.
//
// A request that broke its bound, or that was left when the run had come to rest, is a violation.
// One that was still under way when the run was cut off leaves the verdict unknown, if there is no
// violation: how it would have gone on is unknown.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "checker/evidence.h"
#include "checker/properties/wait_spans.h"
#include "checker/text.h"
#include "checker/verdict.h"

namespace lockstep::checker {

enum class WaitAnomalyKind : std::uint8_t {
  bound_broken,      ///< it went on for longer than it may
  overdue,           ///< it went on for longer than it was ready to wait
  stranded_at_rest,  ///< it was left when the run came to rest
  asked_in_vain,     ///< it had been refused again and again when the run was cut off
  stranded_in_ring,  ///< it waited for itself, or for who waited for it, when the run was cut off
  unfinished,        ///< it was still under way when the run was cut off
};

struct WaitAnomaly {
  Request request;
  WaitAnomalyKind fault = WaitAnomalyKind::bound_broken;
  Span span = {};           ///< what is to be shown of it
  std::int64_t grants = 0;  ///< to others meanwhile, where they are counted

  [[nodiscard]] const Wait& wait() const { return *request.front(); }
};

/// "lock "orders"", "locks "orders" and "stock"".
[[nodiscard]] std::string locks_of(const Names& names, Request request);

class WaitAnomalies {
 public:
  void clear() { anomalies_.clear(); }
  void add(const WaitAnomaly& finding) { anomalies_.push_back(finding); }
  [[nodiscard]] bool contains(Request request) const;

  /// Fills the verdict: the finding whose span began first is told in the summary, by
  /// describe(finding). REQUIRES: `verdict` is fresh (holds, empty).
  template <typename Describe>
  void report(Describe describe, Verdict& verdict) {
    if (anomalies_.empty()) return;
    put_in_order();
    const std::size_t violations = violation_count();
    verdict.kind = violations > 0 ? VerdictKind::violated : VerdictKind::unknown;
    const std::size_t shown = std::clamp<std::size_t>(violations, 1, evidence_max);
    for (std::size_t index = 0; index < shown; ++index) {
      const WaitAnomaly& each = anomalies_[index];
      verdict.evidence.push_back(
          {describe(each), thread_of(each.wait()), each.span.from, each.span.until});
    }
    verdict.summary = verdict.evidence.front().what + in_all(violations, "such waits");
  }

 private:
  /// Violations first, then by the beginning of their spans.
  void put_in_order();
  [[nodiscard]] std::size_t violation_count() const;

  std::vector<WaitAnomaly> anomalies_;
};

}  // namespace lockstep::checker
