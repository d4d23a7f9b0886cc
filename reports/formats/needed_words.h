// What holds without which faults, what breaks also where they strike at another time, and what the
// lock does not promise, in words for a console.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::checker {
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::search {
struct RunRecord;
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

/// What the lock's contract says of what broke: not that it is a bug where it says nothing, for the
/// callers of a scenario may do what the contract asks them not to. Of a lock that is a path only
/// its name is said.
[[nodiscard]] std::vector<NeededLine> limits_in_words(const search::RunRecord& example,
                                                      std::string_view path_of_lock);

/// "a hold outlasts the lease that its caller asked for": of what the run did not keep though the
/// property's promise assumes it; empty where nothing excuses it. Of a run with fewer faults where
/// there is one.
[[nodiscard]] std::vector<std::string_view> not_promised_where(const search::RunRecord& example,
                                                               checker::Property property);

/// Of what broke: whether the lock promises it, at least where its contract is kept.
[[nodiscard]] bool is_promised(const search::RunRecord& example, checker::Property property);

}  // namespace lockstep::reports
