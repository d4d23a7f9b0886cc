#include "app/explore_jobs.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "model/simulation/engine.h"

namespace lockstep::app {
namespace {

constexpr std::size_t errands_of_worker = 16;  // in a batch
constexpr std::size_t far_batch = 8;

/// Makes the runs of batches, the caller's thread with the others.
class BatchWorkers {
 public:
  BatchWorkers(const model::Scenario& scenario, const search::ExploreBounds& bounds,
               search::PathRunner& own, const ExploreJobs& jobs)
      : scenario_(scenario), bounds_(bounds), own_(own), jobs_(jobs) {
    for (std::uint64_t i = 1; i < jobs.workers; ++i) threads_.emplace_back([this] { work(); });
  }
  BatchWorkers(const BatchWorkers&) = delete;
  BatchWorkers& operator=(const BatchWorkers&) = delete;
  ~BatchWorkers() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    begun_.notify_all();
  }

  std::vector<search::PathRecord> make(const std::vector<search::Errand>& errands,
                                       const search::DigestSet& visited) {
    std::vector<search::PathRecord> records(errands.size());
    {
      const std::lock_guard lock(mutex_);
      errands_ = &errands;
      visited_ = &visited;
      records_ = &records;
      next_ = 0;
      working_ = threads_.size();
      ++batch_;
    }
    begun_.notify_all();
    std::exception_ptr error;
    try {
      make_some(own_);
    } catch (...) {
      error = std::current_exception();
      next_ = errands.size();
    }
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return working_ == 0; });
    if (!error) error = error_;
    if (error) std::rethrow_exception(error);
    return records;
  }

 private:
  void make_some(search::PathRunner& runner) {
    for (std::size_t i = next_++; i < errands_->size(); i = next_++) {
      (*records_)[i] = runner.run((*errands_)[i], *visited_);
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
        next_ = errands_->size();
      }
      const std::lock_guard lock(mutex_);
      --working_;
      ended_.notify_one();
    }
  }

  /// Until there is another batch; false where it is all over.
  bool await(std::uint64_t& made) {
    std::unique_lock lock(mutex_);
    begun_.wait(lock, [&] { return is_over_ || batch_ != made; });
    made = batch_;
    return !is_over_;
  }

  const model::Scenario& scenario_;
  const search::ExploreBounds& bounds_;
  search::PathRunner& own_;
  const ExploreJobs& jobs_;
  std::mutex mutex_;
  std::condition_variable begun_;
  std::condition_variable ended_;
  std::uint64_t batch_ = 0;
  bool is_over_ = false;
  const std::vector<search::Errand>* errands_ = nullptr;
  const search::DigestSet* visited_ = nullptr;
  std::vector<search::PathRecord>* records_ = nullptr;
  std::atomic<std::size_t> next_{0};
  std::size_t working_ = 0;
  std::exception_ptr error_;
  std::vector<std::jthread> threads_;  // the last: they end before what they use
};

/// Where runs go far, what each of them takes over depends on what it knows of: so batches are the
/// same with any number of workers. Otherwise one alone makes no run longer than it has to be.
std::size_t batch_of(const search::Exploration& exploration, const ExploreJobs& jobs) {
  if (exploration.order() == search::Exploration::Order::far_first) return far_batch;
  return jobs.workers <= 1 ? 1 : errands_of_worker * static_cast<std::size_t>(jobs.workers);
}

}  // namespace

search::ExploreEnd explore_on(const model::Scenario& scenario, search::Exploration& exploration,
                              search::PathRunner& runner, const ExploreJobs& jobs) {
  BatchWorkers workers(scenario, exploration.plan().bounds, runner, jobs);
  while (!exploration.is_over()) {
    if (jobs.interrupted && jobs.interrupted()) return search::ExploreEnd::interrupted;
    if (exploration.bytes() > jobs.memory_bytes_max) return search::ExploreEnd::out_of_memory;
    const std::vector<search::Errand> errands =
        exploration.next_errands(batch_of(exploration, jobs));
    exploration.add(workers.make(errands, exploration.visited()));
    if (jobs.tell_progress) jobs.tell_progress();
  }
  return exploration.is_exhausted() ? search::ExploreEnd::exhausted : search::ExploreEnd::found;
}

}  // namespace lockstep::app
