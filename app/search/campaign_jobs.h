// Makes the batches of a campaign with several threads, each with an engine of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "scenario/scenario.h"
#include "search/campaign/campaign.h"

namespace lockstep::search {
class ContractJudge;
}  // namespace lockstep::search

namespace lockstep::app {

struct CampaignJobs {
  std::span<const search::CampaignPart> parts;
  std::span<const scenario::Scenario> scenarios;  ///< one for each part
  const search::ContractJudge& judge;
  std::uint64_t root_seed = 1;
  std::uint64_t runs = 0;  ///< of all parts together, rounded up to whole batches
  search::StrategyKind strategy = search::StrategyKind::portfolio;
  std::uint64_t workers = 1;
  std::vector<std::filesystem::path> script_folders;
  /// Asked between runs by all workers; true ends the search.
  std::function<bool()> interrupted;
  /// Called now and then, by the caller's thread.
  std::function<void(const search::CampaignResult&)> report_progress;
};

/// The result is the same for any number of workers, unless it was interrupted.
[[nodiscard]] search::CampaignResult make_campaign(const CampaignJobs& jobs);

}  // namespace lockstep::app
