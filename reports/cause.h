// Why it broke, in words: out of the faults that struck and what the trace tells besides.
#pragma once

#include <string>
#include <vector>

#include "search/campaign.h"

namespace lockstep::reports {

/// Sentences for a person, the first cause first; empty where nothing broke or nothing is known.
/// Harmless text.
[[nodiscard]] std::vector<std::string> explain(const search::Example& example);

/// A fault that struck.
struct StruckFault {
  sim::TimeNs at_ns;
  std::string what;  ///< "pause a for 15s when a acquired"; harmless text
};
[[nodiscard]] std::vector<StruckFault> struck_faults(const search::Example& example);

}  // namespace lockstep::reports
