#include "checker/properties/wait_anomalies.h"

#include <fmt/format.h>

#include <tuple>

namespace lockstep::checker {
namespace {

bool is_violation(const WaitAnomaly& finding) {
  return finding.fault != WaitAnomalyKind::unfinished;
}

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

bool WaitAnomalies::contains(Request request) const {
  return std::any_of(anomalies_.begin(), anomalies_.end(), [&](const WaitAnomaly& finding) {
    return finding.request.data() == request.data();
  });
}

void WaitAnomalies::put_in_order() {
  std::sort(anomalies_.begin(), anomalies_.end(), [](const WaitAnomaly& a, const WaitAnomaly& b) {
    return std::tuple(!is_violation(a), a.span.from.order, a.request.data()) <
           std::tuple(!is_violation(b), b.span.from.order, b.request.data());
  });
}

std::size_t WaitAnomalies::violation_count() const {
  return static_cast<std::size_t>(
      std::count_if(anomalies_.begin(), anomalies_.end(), is_violation));
}

}  // namespace lockstep::checker
