// Explains in words why a property broke, from the faults that struck and from the trace.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/time.h"

namespace lockstep::checker {
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::search {
struct RunRecord;
}  // namespace lockstep::search

namespace lockstep::reports {

/// Sentences for a person, the first cause first; empty where nothing broke or nothing is known.
/// Sanitized text.
[[nodiscard]] std::vector<std::string> explain(const search::RunRecord& example);
/// The same of one property: what else broke in that run may have another cause.
[[nodiscard]] std::vector<std::string> explain(const search::RunRecord& example,
                                               checker::Property property);

/// A fault that struck.
struct StruckFault {
  sim::TimeNs at_ns;
  std::string what;  ///< "pause a for 15s when a acquired"; sanitized text
};
[[nodiscard]] std::vector<StruckFault> struck_faults(const search::RunRecord& example);

}  // namespace lockstep::reports
