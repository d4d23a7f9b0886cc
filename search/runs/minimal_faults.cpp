// Invariant: with the faults that are kept, the property breaks. Leaving one out may make another
// needless (a restart without its crash), so the faults are gone through until a whole round leaves
// all of them in.
#include "search/runs/minimal_faults.h"

#include <algorithm>

#include "scenario/scenario.h"

namespace lockstep::search {
scenario::Scenario with_faults(const scenario::Scenario& scenario,
                               const std::vector<std::size_t>& faults) {
  scenario::Scenario result = scenario;
  for (std::size_t i = 0; i < result.faults.size(); ++i) {
    if (std::find(faults.begin(), faults.end(), i) != faults.end()) continue;
    result.faults[i].trigger = {.when = std::nullopt, .after_ns = scenario.horizon_ns + 1};
    result.faults[i].open.clear();
  }
  return result;
}

std::vector<std::size_t> minimal_faults(const scenario::Scenario& scenario,
                                        checker::Property property, Rerun& rerun,
                                        const std::function<bool()>& interrupted) {
  return fewest_faults(
      scenario.faults.size(),
      [&](const std::vector<std::size_t>& faults) {
        return rerun.breaks(with_faults(scenario, faults), property);
      },
      interrupted);
}

std::vector<std::size_t> fewest_faults(std::size_t count, const BreaksWith& breaks_with,
                                       const std::function<bool()>& interrupted) {
  std::vector<std::size_t> kept(count);
  for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = i;
  for (std::size_t tried = 0; tried < kept.size();) {
    if (interrupted && interrupted()) break;
    std::vector<std::size_t> fewer = kept;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(tried));
    if (breaks_with(fewer)) {
      kept = std::move(fewer);
      tried = 0;
    } else {
      ++tried;
    }
  }
  return kept;
}

}  // namespace lockstep::search
