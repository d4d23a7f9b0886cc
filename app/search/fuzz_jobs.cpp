#include "app/search/fuzz_jobs.h"

#include <algorithm>
#include <atomic>
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
#include "search/runs/tally.h"

namespace lockstep::app {
namespace {

constexpr std::chrono::milliseconds between_reports{200};

class Workers {
 public:
  Workers(const scenario::Scenario& scenario, const search::FuzzPlan& plan, const FuzzJobs& jobs)
      : scenario_(scenario), plan_(plan), jobs_(jobs), end_(plan.batches()) {
    while (next_ < end_ && !plan_.is_mine(next_)) ++next_;
  }

  search::FuzzResult make() {
    search::FuzzResult result;
    {
      // Reports a wrong scenario before any worker begins.
      model::Engine engine(jobs_.script_folders, jobs_.programs);
      result = search::empty_result(scenario_, plan_, engine.prepare(scenario_)->judged());
    }
    std::vector<std::jthread> threads;
    for (std::uint64_t i = 0; i < std::max<std::uint64_t>(jobs_.workers, 1); ++i) {
      threads.emplace_back([this] { work(); });
    }
    collect(result, threads.size());
    threads.clear();
    if (error_) std::rethrow_exception(error_);
    return result;
  }

 private:
  void work() {
    try {
      model::Engine engine(jobs_.script_folders, jobs_.programs);
      const std::unique_ptr<model::Simulation> simulation = engine.prepare(scenario_);
      while (const std::optional<std::uint64_t> batch = take()) {
        // Stops if the end moves before this batch in the meantime.
        put(search::fuzz_batch(scenario_, plan_, *batch, engine, *simulation,
                               [this, number = *batch] { return number >= end_ || is_to_end(); }));
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      end_ = 0;
    }
    const std::lock_guard lock(mutex_);
    ++finished_;
    changed_.notify_one();
  }

  [[nodiscard]] bool is_to_end() const { return jobs_.interrupted && jobs_.interrupted(); }

  std::optional<std::uint64_t> take() {
    const std::lock_guard lock(mutex_);
    if (next_ >= end_ || is_interrupted_) return std::nullopt;
    const std::uint64_t batch = next_++;
    while (next_ < end_ && !plan_.is_mine(next_)) ++next_;
    return batch;
  }

  void put(search::BatchResult batch) {
    const std::lock_guard lock(mutex_);
    if (batch.batch >= end_) return;
    is_interrupted_ = is_interrupted_ || batch.outcome.interrupted;
    stop_after(batch.batch, batch.outcome);
    const std::uint64_t number = batch.batch;
    made_.emplace(number, std::move(batch));
    changed_.notify_one();
  }

  /// Whether to stop, after one batch or after all up to it.
  void stop_after(std::uint64_t batch, const search::ScenarioOutcome& outcome) {
    const bool may_stop = plan_.after_finding == search::FuzzPlan::AfterFinding::stop;
    if (may_stop && search::is_enough(outcome)) end_ = std::min(end_.load(), batch + 1);
  }

  /// Adds the results in order, until all workers are done.
  void collect(search::FuzzResult& result, std::size_t workers) {
    std::uint64_t wanted = 0;
    while (wanted < plan_.batches() && !plan_.is_mine(wanted)) ++wanted;
    std::unique_lock lock(mutex_);
    for (bool is_over = false; !is_over;) {
      changed_.wait_for(lock, between_reports);
      is_over = finished_ == workers;
      while (!made_.empty() && made_.begin()->first == wanted && wanted < end_) {
        add(result, std::move(made_.begin()->second));
        made_.erase(made_.begin());
        stop_after(wanted, result.outcome);
        do {
          ++wanted;
        } while (wanted < plan_.batches() && !plan_.is_mine(wanted));
      }
      if (is_over && is_interrupted_) add_the_rest(result);
      lock.unlock();
      for (const search::Discovery& discovery : result.discoveries) {
        if (jobs_.keep) jobs_.keep(discovery);
      }
      result.discoveries.clear();
      if (jobs_.report_progress) jobs_.report_progress(result);
      lock.lock();
    }
  }

  void add(search::FuzzResult& result, search::BatchResult batch) {
    if (jobs_.note) jobs_.note(batch);
    search::add_batch(result, std::move(batch));
  }

  /// Adds batches behind one that was not finished.
  void add_the_rest(search::FuzzResult& result) {
    for (auto& [number, batch] : made_) {
      if (number < end_) add(result, std::move(batch));
    }
    made_.clear();
  }

  const scenario::Scenario& scenario_;
  const search::FuzzPlan& plan_;
  const FuzzJobs& jobs_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_ = 0;          // the batch that the next worker takes
  std::atomic<std::uint64_t> end_;  // the first batch not needed; changes with mutex_ held
  std::map<std::uint64_t, search::BatchResult> made_;
  std::size_t finished_ = 0;
  bool is_interrupted_ = false;
  std::exception_ptr error_;
};

}  // namespace

search::FuzzResult fuzz_in_parallel(const scenario::Scenario& scenario,
                                    const search::FuzzPlan& plan, const FuzzJobs& jobs) {
  return Workers(scenario, plan, jobs).make();
}

}  // namespace lockstep::app
