#include <fmt/format.h>

#include "checker/measures.h"
#include "checker/text.h"
#include "scenario/text/durations.h"
#include "search/runs/scenario_outcome.h"

namespace lockstep::search {

std::string_view BoundSummary::name() const {
  switch (kind) {
    case BoundKind::overlap:
      return "overlap_at_most";
    case BoundKind::wait:
      return "wait_at_most";
    case BoundKind::requests:
      return "requests_per_second_at_most";
  }
  return "?";
}

std::string BoundSummary::limit() const {
  return is_duration() ? scenario::format_duration(at_most) : std::to_string(at_most);
}

std::string BoundSummary::measured() const {
  if (!is_duration()) return std::to_string(most);
  return most == sim::never_ns ? "for ever" : checker::milliseconds(most);
}

std::string BoundSummary::complaint() const {
  switch (kind) {
    case BoundKind::overlap:
      return fmt::format("{} is {}, but two believed at once that they had the lock for longer",
                         name(), limit());
    case BoundKind::wait:
      return fmt::format("{} is {}, but a thread waited for the lock for longer", name(), limit());
    case BoundKind::requests:
      return fmt::format("{} is {}, but a client sent more requests in a second", name(), limit());
  }
  return {};
}

std::int64_t measure_of(BoundKind kind, const checker::Measures& measures) {
  switch (kind) {
    case BoundKind::overlap:
      return measures.overlap_ns;
    case BoundKind::wait:
      return measures.wait_ns;
    case BoundKind::requests:
      return measures.requests_per_second;
  }
  return 0;
}

}  // namespace lockstep::search
