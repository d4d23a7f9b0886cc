#include "app/search/campaign_jobs.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "model/engine/engine.h"
#include "reports/cause/story.h"

namespace lockstep::app {
namespace {

constexpr std::chrono::milliseconds between_progress_reports{200};

class CampaignWorkers {
 public:
  explicit CampaignWorkers(const CampaignJobs& jobs)
      : jobs_(jobs), rota_(jobs.parts), batches_(rota_.sizes().batches(jobs.runs)) {}

  search::CampaignResult make() {
    search::CampaignResult result;
    std::vector<std::jthread> threads;
    const std::uint64_t workers = std::max<std::uint64_t>(jobs_.workers, 1);
    for (std::uint64_t i = 0; i < workers; ++i) threads.emplace_back([this] { work(); });
    collect(result, workers);
    threads.clear();
    if (error_) std::rethrow_exception(error_);
    return result;
  }

 private:
  void work() {
    try {
      model::Engine engine(jobs_.script_folders);
      std::vector<std::unique_ptr<model::Simulation>> prepared(jobs_.parts.size());
      while (const std::optional<std::uint64_t> batch = take()) {
        const std::size_t part = rota_.part_of(*batch);
        const scenario::Scenario& scenario = jobs_.scenarios[part];
        if (prepared[part] == nullptr) prepared[part] = engine.prepare(scenario);
        put(*batch, search::fuzz_batch(scenario, plan(part), *batch, engine, *prepared[part],
                                       jobs_.interrupted));
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      next_ = batches_;
    }
    const std::lock_guard lock(mutex_);
    ++finished_;
    changed_.notify_one();
  }

  [[nodiscard]] search::FuzzPlan plan(std::size_t part) const {
    search::FuzzPlan plan;
    plan.root_seed = jobs_.root_seed;
    plan.runs = jobs_.runs;
    plan.strategy = jobs_.strategy;
    plan.after_finding = search::FuzzPlan::AfterFinding::go_on;
    plan.contract = &jobs_.judge;
    plan.limits_untold = jobs_.parts[part].limits_untold;
    plan.story_of = &reports::story_of;
    plan.sizes = rota_.sizes();
    return plan;
  }

  std::optional<std::uint64_t> take() {
    const std::lock_guard lock(mutex_);
    if (next_ >= batches_ || is_interrupted_) return std::nullopt;
    return next_++;
  }

  void put(std::uint64_t number, search::BatchResult batch) {
    const std::lock_guard lock(mutex_);
    is_interrupted_ = is_interrupted_ || batch.outcome.interrupted;
    made_.emplace(number, std::move(batch));
    changed_.notify_one();
  }

  /// Adds the results in order, until all workers are done.
  void collect(search::CampaignResult& result, std::uint64_t workers) {
    std::uint64_t wanted = 0;
    std::unique_lock lock(mutex_);
    for (bool is_over = false; !is_over;) {
      changed_.wait_for(lock, between_progress_reports);
      is_over = finished_ == workers;
      // An interrupted search has gaps.
      while (!made_.empty() && (made_.begin()->first == wanted || is_over)) {
        wanted = made_.begin()->first + 1;
        search::add_batch(result, rota_.part_of(made_.begin()->first),
                          std::move(made_.begin()->second));
        made_.erase(made_.begin());
      }
      result.interrupted = is_interrupted_;
      lock.unlock();
      if (jobs_.report_progress) jobs_.report_progress(result);
      lock.lock();
    }
  }

  const CampaignJobs& jobs_;
  search::Rota rota_;
  std::uint64_t batches_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_ = 0;
  std::map<std::uint64_t, search::BatchResult> made_;
  std::uint64_t finished_ = 0;
  bool is_interrupted_ = false;
  std::exception_ptr error_;
};

}  // namespace

search::CampaignResult make_campaign(const CampaignJobs& jobs) {
  return CampaignWorkers(jobs).make();
}

}  // namespace lockstep::app
