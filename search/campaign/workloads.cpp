#include "search/campaign/workloads.h"

#include <array>
#include <utility>

#include "checker/property.h"
#include "model/lock/lock_package.h"
#include "model/lock/usage.h"
#include "search/campaign/counter_workloads.h"
#include "search/campaign/lock_times.h"
#include "search/campaign/mutex_workloads.h"
#include "search/campaign/offered_words.h"
#include "search/campaign/workload_draft.h"

namespace lockstep::search {
namespace {

std::vector<WorkloadDraft> drafts_of(const model::LockPackage& lock, const OfferedWords& words,
                                     const LockTimes& times) {
  switch (lock.state_shape) {
    case model::StateShape::holds_by_owner:
    case model::StateShape::owner_token:
    case model::StateShape::readers_and_writer:
      return mutex_workloads(words, times);
    case model::StateShape::permits:
      return semaphore_workloads(words, {});
    case model::StateShape::permits_in_use:
      // Each is a member of its own: a client model need not take several at once.
      return semaphore_workloads(words, {1, lock.permit_life_ms});
    case model::StateShape::count:
      return latch_workloads(words);
  }
  return {};
}

/// A quorum of as many as there usually are; also of an even number, which can be split.
void spread_over_masters(std::vector<WorkloadDraft>& drafts) {
  constexpr std::array masters = {3, 5, 3, 4};
  std::size_t next = 0;
  for (WorkloadDraft& draft : drafts) {
    if (!draft.redis.empty()) continue;
    draft.redis = "masters = " + std::to_string(masters[next++ % masters.size()]);
  }
}

/// An ordinary run takes some hundred to some thousand events. What takes more waits for as long as
/// it may, and a search learns nothing from that.
std::int64_t events_max(const LockTimes& times) {
  if (times.is_vote) return 100'000;
  return times.polls ? 40'000 : 20'000;
}

}  // namespace

std::vector<Workload> workloads_of(const model::LockPackage& lock,
                                   std::span<const scenario::StepKind> offered,
                                   std::string_view lock_name) {
  const OfferedWords words(offered);
  const LockTimes times = times_of(lock);
  std::vector<WorkloadDraft> drafts = drafts_of(lock, words, times);
  if (times.is_vote) spread_over_masters(drafts);
  const std::string own_name = lock.full_name();
  FileHead head{lock_name.empty() ? std::string_view(own_name) : lock_name, {}, events_max(times)};
  for (const checker::Property property : lock.promises) {
    head.promises.push_back(checker::to_string(property));
  }
  std::vector<Workload> workloads;
  for (WorkloadDraft& draft : drafts) {
    std::string text = file_of(draft, head);
    workloads.push_back({std::move(draft.name), std::move(text), std::move(draft.breaks)});
  }
  return workloads;
}

}  // namespace lockstep::search
