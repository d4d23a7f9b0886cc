#include "checker/wait_findings.h"

#include <tuple>

namespace lockstep::checker {
namespace {

bool is_violation(const WaitFinding& finding) { return finding.fault != WaitFault::unfinished; }

}  // namespace

bool WaitFindings::tells_of(const Wait& wait) const {
  return std::any_of(findings_.begin(), findings_.end(),
                     [&](const WaitFinding& finding) { return finding.wait == &wait; });
}

void WaitFindings::put_in_order() {
  std::sort(findings_.begin(), findings_.end(), [](const WaitFinding& a, const WaitFinding& b) {
    return std::tuple(!is_violation(a), a.span.from.order, a.wait) <
           std::tuple(!is_violation(b), b.span.from.order, b.wait);
  });
}

std::size_t WaitFindings::violation_count() const {
  return static_cast<std::size_t>(std::count_if(findings_.begin(), findings_.end(), is_violation));
}

}  // namespace lockstep::checker
