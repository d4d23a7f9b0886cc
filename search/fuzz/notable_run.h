// A run that a search picked out: which one it was, and what makes it again.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "search/fuzz/strategy.h"
#include "sim/recorded_choices.h"

namespace lockstep::scenario {
struct FaultSpec;
}  // namespace lockstep::scenario

namespace lockstep::search {

struct NotableRun {
  // Not here, where a fault is only declared.
  NotableRun();
  NotableRun(const NotableRun&);
  NotableRun(NotableRun&&) noexcept;
  NotableRun& operator=(const NotableRun&);
  NotableRun& operator=(NotableRun&&) noexcept;
  ~NotableRun();

  std::uint64_t run = 0;  ///< its number in the search, from 1
  StrategyKind strategy = StrategyKind::uniform;
  bool is_of_corpus = false;                ///< then no strategy made it
  std::vector<scenario::FaultSpec> faults;  ///< those of the run
  std::vector<sim::Choice> choices;
  std::uint64_t hash = 0;
  std::uint64_t seen = 1;  ///< how many runs were like it, this one included
};

/// "swarm"; "corpus" where no strategy made it.
[[nodiscard]] std::string_view found_by(const NotableRun& found);

}  // namespace lockstep::search
