#include "app/search/explore_jobs.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "model/engine/engine.h"
#include "scenario/scenario.h"
#include "search/explore/exploration.h"
#include "search/explore/path_runner.h"

namespace lockstep::app {
namespace {

constexpr std::size_t path_jobs_per_worker = 16;  // in a wave
constexpr std::size_t depth_first_wave = 8;

/// Makes the runs of waves. The caller's thread works, too.
class WaveWorkers {
 public:
  WaveWorkers(const scenario::Scenario& scenario, const search::ExploreBounds& bounds,
              search::PathRunner& own, const ExploreJobs& jobs)
      : scenario_(scenario), bounds_(bounds), own_(own), jobs_(jobs) {
    for (std::uint64_t i = 1; i < jobs.workers; ++i) threads_.emplace_back([this] { work(); });
  }
  WaveWorkers(const WaveWorkers&) = delete;
  WaveWorkers& operator=(const WaveWorkers&) = delete;
  ~WaveWorkers() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    begun_.notify_all();
  }

  std::vector<search::PathRecord> make(const std::vector<search::PathJob>& path_jobs,
                                       const search::DigestSet& visited) {
    std::vector<search::PathRecord> records(path_jobs.size());
    {
      const std::lock_guard lock(mutex_);
      path_jobs_ = &path_jobs;
      visited_ = &visited;
      records_ = &records;
      next_ = 0;
      working_ = threads_.size();
      ++wave_;
    }
    begun_.notify_all();
    std::exception_ptr error;
    try {
      make_some(own_);
    } catch (...) {
      error = std::current_exception();
      next_ = path_jobs.size();
    }
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return working_ == 0; });
    if (!error) error = error_;
    if (error) std::rethrow_exception(error);
    return records;
  }

 private:
  void make_some(search::PathRunner& runner) {
    for (std::size_t i = next_++; i < path_jobs_->size(); i = next_++) {
      (*records_)[i] = runner.run((*path_jobs_)[i], *visited_);
    }
  }

  void work() {
    std::unique_ptr<model::Engine> engine;
    std::unique_ptr<search::PathRunner> runner;
    std::uint64_t made = 0;
    while (await(made)) {
      try {
        if (!runner) {
          engine = std::make_unique<model::Engine>(jobs_.script_folders);
          runner = std::make_unique<search::PathRunner>(scenario_, bounds_, *engine);
        }
        make_some(*runner);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        next_ = path_jobs_->size();
      }
      const std::lock_guard lock(mutex_);
      --working_;
      ended_.notify_one();
    }
  }

  /// Waits for another wave. Returns false if there is none.
  bool await(std::uint64_t& made) {
    std::unique_lock lock(mutex_);
    begun_.wait(lock, [&] { return is_over_ || wave_ != made; });
    made = wave_;
    return !is_over_;
  }

  const scenario::Scenario& scenario_;
  const search::ExploreBounds& bounds_;
  search::PathRunner& own_;
  const ExploreJobs& jobs_;
  std::mutex mutex_;
  std::condition_variable begun_;
  std::condition_variable ended_;
  std::uint64_t wave_ = 0;
  bool is_over_ = false;
  const std::vector<search::PathJob>* path_jobs_ = nullptr;
  const search::DigestSet* visited_ = nullptr;
  std::vector<search::PathRecord>* records_ = nullptr;
  std::atomic<std::size_t> next_{0};
  std::size_t working_ = 0;
  std::exception_ptr error_;
  std::vector<std::jthread> threads_;  // last member: joined before the others are destroyed
};

/// Depth first, what a run takes over depends on the states it knows of, so waves must be the same
/// for any number of workers. Otherwise waves of one keep a single worker's runs as short as
/// possible.
std::size_t wave_size(const search::Exploration& exploration, const ExploreJobs& jobs) {
  if (exploration.order() == search::Exploration::Order::depth_first) return depth_first_wave;
  return jobs.workers <= 1 ? 1 : path_jobs_per_worker * static_cast<std::size_t>(jobs.workers);
}

}  // namespace

search::ExploreEnd explore_in_parallel(const scenario::Scenario& scenario,
                                       search::Exploration& exploration, search::PathRunner& runner,
                                       const ExploreJobs& jobs) {
  WaveWorkers workers(scenario, exploration.plan().bounds, runner, jobs);
  while (!exploration.is_over()) {
    if (jobs.interrupted && jobs.interrupted()) return search::ExploreEnd::interrupted;
    if (exploration.bytes() > jobs.memory_bytes_max) return search::ExploreEnd::out_of_memory;
    const std::vector<search::PathJob> path_jobs =
        exploration.next_path_jobs(wave_size(exploration, jobs));
    exploration.add(workers.make(path_jobs, exploration.visited()));
    if (jobs.report_progress) jobs.report_progress();
  }
  return exploration.is_exhausted() ? search::ExploreEnd::exhausted : search::ExploreEnd::found;
}

}  // namespace lockstep::app
