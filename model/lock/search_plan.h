// [search] of a lock.toml: what a search of the lock does more often than it would, or never, and
// which options its runs have. docs/locks.md describes it.
//
// It narrows and weights what a search draws. It says nothing of what the lock promises.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/lock/placed_option.h"
#include "scenario/text/source_location.h"

namespace lockstep::scenario {
class TableReader;
}  // namespace lockstep::scenario

namespace lockstep::model {

struct SearchPlan {
  struct Weight {
    std::string workload;
    int weight = 1;  ///< turns for each that another workload has; 0: never
    scenario::SourceLocation place;
  };
  std::vector<Weight> weights;
  /// The workloads have these, over the lock's own, in turn. Durations: "timeout_ms".
  std::vector<std::map<std::string, PlacedOption>> options;
};

/// Reads [search]; nothing where there is none. Throws InputError.
[[nodiscard]] SearchPlan read_search_plan(const scenario::TableReader& lock_toml);

}  // namespace lockstep::model
