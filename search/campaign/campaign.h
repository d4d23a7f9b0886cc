// A campaign: the search for what breaks a lock, judged by the lock's contract.
//
// Its parts are workloads: each without faults, with faults that the contract does not mention,
// and with faults against one assumption of the contract at a time. Batches of runs go round the
// parts in turn. A batch depends on the plan, its part and its own number only, so they can be made
// in any order by any number of workers with the same overall result.
//
// Not covered: running the batches (app/search/campaign_jobs.h), shrinking findings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/lock/assumption.h"
#include "scenario/faults/fault_choice.h"
#include "search/fuzz/batch_sizes.h"
#include "search/fuzz/fuzz.h"

namespace lockstep::model {
struct LockPackage;
}  // namespace lockstep::model

namespace lockstep::search {

struct Workload;

enum class Tier : std::uint8_t {
  without_faults,
  within_contract,  ///< with faults that may still go beyond what the contract allows
  beyond_contract,  ///< with faults that one assumption excludes
};

struct CampaignPart {
  std::string workload;  ///< its name
  Tier tier = Tier::without_faults;
  std::size_t weight = 1;
  std::optional<model::Assumption> against;  ///< beyond the contract: which assumption
  std::string text;                          ///< a scenario file
  std::vector<checker::Property> judged;     ///< promises that the workload's usage allows to judge
  /// Of those, the ones whose limits mean nothing here, since the callers provoke them.
  std::vector<checker::Property> limits_untold;
};

/// The parts of a lock's campaign, the most rewarding first. Parts for which the
/// choice leaves no fault are omitted.
[[nodiscard]] std::vector<CampaignPart> parts_of(const model::LockPackage& lock,
                                                 std::span<const Workload> workloads,
                                                 const scenario::FaultChoice& choice = {});

/// Which part each batch belongs to, and how long the batches are: parts take turns, those that
/// find more more often. Before that there is a round of short batches of all workloads, so that
/// what breaks easily is found in the first seconds, whichever workload it takes.
class Rota {
 public:
  explicit Rota(std::span<const CampaignPart> parts);
  [[nodiscard]] std::size_t part_of(std::uint64_t batch) const {
    const std::uint64_t turn = batch < first_round_ ? batch : batch - first_round_;
    return turns_[static_cast<std::size_t>(turn % turns_.size())];
  }
  [[nodiscard]] BatchSizes sizes() const { return {25, first_round_, 5}; }

 private:
  std::vector<std::size_t> turns_;
  std::uint64_t first_round_ = 0;  ///< so many turns have each workload once, or twice: with faults
};

/// A finding, and the part that made it.
struct PartFinding : Finding {
  std::size_t part = 0;

  /// Bugs of different workloads may be different bugs; limits are the contract's.
  [[nodiscard]] bool is_the_same(const PartFinding& other) const;
};
struct PartIncident : Incident {
  std::size_t part = 0;
};

struct CampaignResult {
  std::uint64_t runs = 0;
  bool interrupted = false;
  Survival survival;
  std::vector<PartFinding> findings;  ///< in the order in which they were first seen
  std::vector<PartIncident> incidents;
};
/// Adds a batch of that part. REQUIRES: they are added in the order of their numbers.
void add_batch(CampaignResult& result, std::size_t part, BatchResult batch);

/// Whether it broke while all assumptions of the contract held.
[[nodiscard]] bool is_bug(const Finding& finding);

}  // namespace lockstep::search
