// What holds without which faults, and what breaks also where they strike at another time, in
// words for a console.
#pragma once

#include <string>
#include <vector>

namespace lockstep::search {
struct ScenarioOutcome;
}  // namespace lockstep::search

namespace lockstep::reports {

/// Sanitized.
struct NeededLine {
  std::string head;   ///< "without", "moved  "
  std::string words;  ///< "the fault: mutual-exclusion and harm hold"
};

/// Properties that need the same are on one line.
[[nodiscard]] std::vector<NeededLine> needed_in_words(const search::ScenarioOutcome& outcome);

}  // namespace lockstep::reports
