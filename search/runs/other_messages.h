// Other messages for a fault that strikes those of one name: what a lock calls them, where the file
// has a name that none has.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "search/runs/likely_changes.h"

namespace lockstep::scenario {
struct FaultSpec;
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {

struct RunRecord;

/// Between which hosts the file has messages struck, where others go by another name: "; without
/// `to`".
[[nodiscard]] std::string_view without_ends(const scenario::FaultSpec& fault);

/// `is_of_nothing`: no message of that name was sent in any run; `of_fault` says which fault a line
/// belongs to. An answer stays one, and a request: who asks what a lost answer does is not told
/// what a lost request does.
[[nodiscard]] std::vector<LikelyChange> changes_to_message(const scenario::Scenario& scenario,
                                                           const RunRecord& example,
                                                           std::size_t fault, bool is_of_nothing,
                                                           const std::string& of_fault);

}  // namespace lockstep::search
