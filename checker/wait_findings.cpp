#include "checker/wait_findings.h"

#include <fmt/format.h>

#include <tuple>

namespace lockstep::checker {
namespace {

bool is_violation(const WaitFinding& finding) { return finding.fault != WaitFault::unfinished; }

}  // namespace

std::string locks_of(const Names& names, Request request) {
  std::string text(request.size() == 1 ? "lock" : "locks");
  for (std::size_t index = 0; index < request.size(); ++index) {
    const bool is_last = index > 0 && index + 1 == request.size();
    const std::string_view before = index == 0 ? " " : is_last ? " and " : ", ";
    text += fmt::format("{}\"{}\"", before, name_of(names, request[index]->lock));
  }
  return text;
}

bool WaitFindings::tell_of(Request request) const {
  return std::any_of(findings_.begin(), findings_.end(), [&](const WaitFinding& finding) {
    return finding.request.data() == request.data();
  });
}

void WaitFindings::put_in_order() {
  std::sort(findings_.begin(), findings_.end(), [](const WaitFinding& a, const WaitFinding& b) {
    return std::tuple(!is_violation(a), a.span.from.order, a.request.data()) <
           std::tuple(!is_violation(b), b.span.from.order, b.request.data());
  });
}

std::size_t WaitFindings::violation_count() const {
  return static_cast<std::size_t>(std::count_if(findings_.begin(), findings_.end(), is_violation));
}

}  // namespace lockstep::checker
