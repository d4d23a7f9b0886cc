// Why it broke where no fault explains it: what the clients themselves did last.
//
// Used by cause.h, which looks for better reasons first.
#pragma once

#include <string>
#include <vector>

namespace lockstep::search {
struct RunRecord;
}  // namespace lockstep::search

namespace lockstep::reports {

/// Sentences for a person about those whom the violations name; empty where nothing broke. Harmless
/// text.
[[nodiscard]] std::vector<std::string> explain_by_steps(const search::RunRecord& example);

}  // namespace lockstep::reports
