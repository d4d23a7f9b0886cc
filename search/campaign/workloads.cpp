#include "search/campaign/workloads.h"

#include <algorithm>
#include <array>
#include <utility>

#include "checker/property.h"
#include "model/lock/lock_package.h"
#include "model/lock/usage.h"
#include "scenario/options.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/source_location.h"
#include "scenario/text/suggest.h"
#include "scenario/text/toml_text.h"
#include "search/campaign/counter_workloads.h"
#include "search/campaign/lock_times.h"
#include "search/campaign/mutex_workloads.h"
#include "search/campaign/offered_words.h"
#include "search/campaign/workload_draft.h"

namespace lockstep::search {
namespace {

/// Counters as mutexes have it: one message that is lost is an error there.
std::vector<WorkloadDraft> with_one_asked_once(std::vector<WorkloadDraft> drafts,
                                               const LockTimes& times) {
  const auto found = std::find_if(drafts.begin(), drafts.end(), [](const WorkloadDraft& draft) {
    return draft.name == "waits that end";
  });
  if (!times.resends || found == drafts.end()) return drafts;
  WorkloadDraft once = *found;
  once.name = "asked once";
  once.purpose = "Requests that are not sent again, so that one lost message is an error.";
  once.options = {{"retry_attempts", std::int64_t{0}}};
  drafts.push_back(std::move(once));
  return drafts;
}

/// 0 where permits do not end, or nobody says when.
std::int64_t lease_of_permits(const model::LockPackage& lock, const LockTimes& times) {
  if (lock.permit_life_ms > 0) return lock.permit_life_ms;
  const bool ends = lock.scores == model::StateScores::ends && !lock.contract.own_lease.empty();
  return ends ? times.lease_ms : 0;
}

std::vector<WorkloadDraft> drafts_of(const model::LockPackage& lock, const OfferedWords& words,
                                     const LockTimes& times, PermitsAtOnce permits) {
  switch (lock.state_shape) {
    case model::StateShape::holds_by_owner:
    case model::StateShape::owner_token:
    case model::StateShape::readers_and_writer:
      return mutex_workloads(words, times);
    case model::StateShape::permits:
      return with_one_asked_once(semaphore_workloads(words, {}), times);
    case model::StateShape::permits_in_use:
      // Each is a member of its own: a client model need not take several at once.
      return with_one_asked_once(semaphore_workloads(words, {permits.count, lock.permit_life_ms,
                                                             lease_of_permits(lock, times)}),
                                 times);
    case model::StateShape::count:
      return with_one_asked_once(latch_workloads(words), times);
  }
  return {};
}

/// What single nodes have otherwise, in [redis].
std::string drifts_of(int masters, std::int64_t drift_ppm) {
  scenario::TomlTable nodes;
  for (int node = 1; node <= masters; ++node) {
    scenario::TomlTable drift;
    drift.add_text("drift", std::to_string(drift_ppm) + "ppm");
    nodes.add("n" + std::to_string(node), drift.inline_text());
  }
  return "nodes = " + nodes.inline_text();
}

/// A quorum of as many as there usually are; also of an even number, which can be split.
void spread_over_masters(std::vector<WorkloadDraft>& drafts) {
  constexpr std::array masters = {3, 5, 3, 4};
  std::size_t next = 0;
  for (WorkloadDraft& draft : drafts) {
    if (!draft.redis.empty()) continue;
    const int count = masters[next++ % masters.size()];
    draft.redis = "masters = " + std::to_string(count);
    if (draft.servers_drift_ppm != 0)
      draft.redis += "\n" + drifts_of(count, draft.servers_drift_ppm);
  }
}

/// An ordinary run takes some hundred to some thousand events. What takes more waits for as long as
/// it may, and a search learns nothing from that.
std::int64_t events_max(const LockTimes& times) {
  // A waiter behind a dead head of a queue may ask on and on.
  if (times.is_vote || times.patience_ms > 0) return 100'000;
  return times.polls ? 40'000 : 20'000;
}

/// As [search] of lock.toml says.
void apply_plan(const model::SearchPlan& plan, std::vector<WorkloadDraft>& drafts) {
  for (std::size_t i = 0; i < drafts.size() && !plan.options.empty(); ++i) {
    scenario::Options options = plan.options[i % plan.options.size()];
    options.merge(drafts[i].options);
    drafts[i].options = std::move(options);
  }
  for (const model::SearchPlan::Weight& each : plan.weights) {
    const auto found = std::find_if(drafts.begin(), drafts.end(), [&](const WorkloadDraft& draft) {
      return draft.name == each.workload;
    });
    if (found == drafts.end()) {
      std::vector<std::string_view> names;
      for (const WorkloadDraft& draft : drafts) names.push_back(draft.name);
      throw scenario::InputError({each.file, each.line, each.column},
                                 "unknown workload " + scenario::in_quotes(each.workload) +
                                     scenario::did_you_mean(each.workload, names) + " (there are " +
                                     scenario::listed(names) + ")");
    }
    found->weight = static_cast<std::size_t>(each.weight);
  }
  std::erase_if(drafts, [](const WorkloadDraft& draft) { return draft.weight == 0; });
}

/// What the workload does not ask too much for.
std::vector<std::string_view> judged_in(const model::LockPackage& lock,
                                        const WorkloadDraft& draft) {
  std::vector<std::string_view> judged;
  for (const checker::Property promise : lock.promises) {
    const bool is_asked_too_much =
        std::any_of(draft.breaks.begin(), draft.breaks.end(),
                    [&](model::Usage usage) { return lock.contract.asks_for(usage, promise); });
    if (!is_asked_too_much) judged.push_back(checker::to_string(promise));
  }
  return judged;
}

}  // namespace

std::vector<Workload> workloads_of(const model::LockPackage& lock,
                                   std::span<const scenario::StepKind> offered,
                                   std::string_view lock_name, PermitsAtOnce permits) {
  const OfferedWords words(offered);
  const LockTimes times = times_of(lock);
  std::vector<WorkloadDraft> drafts = drafts_of(lock, words, times, permits);
  if (times.is_vote) spread_over_masters(drafts);
  for (WorkloadDraft& draft : drafts) {
    if (draft.redis.empty() && draft.servers_drift_ppm != 0) {
      draft.redis = drifts_of(1, draft.servers_drift_ppm);
    }
  }
  apply_plan(lock.search_plan, drafts);
  const std::string own_name = lock.full_name();
  FileHead head;
  head.lock = lock_name.empty() ? std::string_view(own_name) : lock_name;
  head.drift_ppm = lock.contract.drift_ppm;
  head.events_max = events_max(times);
  std::vector<Workload> workloads;
  for (WorkloadDraft& draft : drafts) {
    head.promises = judged_in(lock, draft);
    if (head.promises.empty() && !lock.promises.empty()) continue;  // it asks for too much
    std::string text = file_of(draft, head);
    workloads.push_back({std::move(draft.name), std::move(text), std::move(draft.breaks),
                         draft.weight, std::move(draft.faults)});
  }
  return workloads;
}

}  // namespace lockstep::search
