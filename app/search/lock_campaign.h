// lockstep fuzz LOCK: searches a lock by its contract, makes what was found small, and saves it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "reports/formats/survival_report.h"
#include "search/campaign/campaign.h"
#include "search/fuzz/strategy.h"

namespace lockstep::app {

struct Context;
struct FuzzTarget;
class SavingTime;

struct LockCampaignPlan {
  std::uint64_t root_seed = 1;
  std::uint64_t runs = 0;
  search::StrategyKind strategy = search::StrategyKind::portfolio;
  std::uint64_t workers = 1;
  std::string folder;   ///< of what is saved: bugs there, limits in limits/
  std::string command;  ///< that searches so, behind "lockstep": "fuzz plain --seed 1"
  /// Asked between runs, by all workers; true ends the search.
  std::function<bool()> is_search_over;
  /// Begun when the search is over. Empty: there is no end of saving.
  std::function<SavingTime()> begin_saving;
  std::function<void(const search::CampaignResult&)> report_progress;
};

/// REQUIRES: the target is a lock. Throws scenario::InputError where it is wrong, or files can't be
/// written.
[[nodiscard]] reports::SurvivalReport search_lock(const FuzzTarget& target,
                                                  const LockCampaignPlan& plan,
                                                  const Context& context);

/// The scenario files that it would search, one after the other, for people to begin with.
[[nodiscard]] std::string campaign_in_words(const FuzzTarget& target, const Context& context);

}  // namespace lockstep::app
