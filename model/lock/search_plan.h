// [search] of a lock.toml: what a search of the lock tries more often than usual, or never, and
// which options its runs have. docs/locks.md describes it.
//
// It narrows and weights what a search draws. It does not change what the lock promises.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::scenario {
struct Options;
}  // namespace lockstep::scenario

namespace lockstep::model {

struct SearchPlan {
  struct Weight {
    std::string workload;
    int weight = 1;  ///< turns for each that another workload has; 0: never
    // Where it is written, for error messages.
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
  };
  std::vector<Weight> weights;
  /// Workloads take these in turn, laid over the lock's own options.
  std::vector<scenario::Options> options;
};

}  // namespace lockstep::model
