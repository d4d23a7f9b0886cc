#include "app/fuzz_jobs.h"

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

#include "model/simulation/engine.h"
#include "search/tally.h"

namespace lockstep::app {
namespace {

constexpr std::chrono::milliseconds between_tellings{200};

class Workers {
 public:
  Workers(const model::Scenario& scenario, const search::FuzzPlan& plan, const FuzzJobs& jobs)
      : scenario_(scenario), plan_(plan), jobs_(jobs), end_(plan.stretches()) {
    while (next_ < end_ && !plan_.is_mine(next_)) ++next_;
  }

  search::FuzzResult make() {
    search::FuzzResult result;
    {
      // A wrong scenario is told of before any worker begins.
      model::Engine engine(jobs_.script_folders);
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
      model::Engine engine(jobs_.script_folders);
      const std::unique_ptr<model::Simulation> simulation = engine.prepare(scenario_);
      while (const std::optional<std::uint64_t> stretch = take()) {
        // The end may come nearer while it is made: then nobody needs the rest of it.
        put(search::fuzz_stretch(
            scenario_, plan_, *stretch, engine, *simulation,
            [this, number = *stretch] { return number >= end_ || is_to_end(); }));
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
    const std::uint64_t stretch = next_++;
    while (next_ < end_ && !plan_.is_mine(next_)) ++next_;
    return stretch;
  }

  void put(search::StretchResult stretch) {
    const std::lock_guard lock(mutex_);
    if (stretch.stretch >= end_) return;
    is_interrupted_ = is_interrupted_ || stretch.outcome.interrupted;
    stop_after(stretch.stretch, stretch.outcome);
    const std::uint64_t number = stretch.stretch;
    made_.emplace(number, std::move(stretch));
    changed_.notify_one();
  }

  /// Where that is enough, be it of one stretch or of all up to it.
  void stop_after(std::uint64_t stretch, const search::ScenarioOutcome& outcome) {
    const bool may_stop = plan_.after_finding == search::FuzzPlan::AfterFinding::stop;
    if (may_stop && search::is_enough(outcome)) end_ = std::min(end_.load(), stretch + 1);
  }

  /// Puts what is made together, in order, until all workers are done.
  void collect(search::FuzzResult& result, std::size_t workers) {
    std::uint64_t wanted = 0;
    while (wanted < plan_.stretches() && !plan_.is_mine(wanted)) ++wanted;
    std::unique_lock lock(mutex_);
    for (bool is_over = false; !is_over;) {
      changed_.wait_for(lock, between_tellings);
      is_over = finished_ == workers;
      while (!made_.empty() && made_.begin()->first == wanted && wanted < end_) {
        add(result, std::move(made_.begin()->second));
        made_.erase(made_.begin());
        stop_after(wanted, result.outcome);
        do {
          ++wanted;
        } while (wanted < plan_.stretches() && !plan_.is_mine(wanted));
      }
      if (is_over && is_interrupted_) add_the_rest(result);
      lock.unlock();
      for (const search::Discovery& discovery : result.discoveries) {
        if (jobs_.keep) jobs_.keep(discovery);
      }
      result.discoveries.clear();
      if (jobs_.tell_progress) jobs_.tell_progress(result);
      lock.lock();
    }
  }

  void add(search::FuzzResult& result, search::StretchResult stretch) {
    if (jobs_.note) jobs_.note(stretch);
    search::add_stretch(result, std::move(stretch));
  }

  /// What was made past a stretch that nobody finished.
  void add_the_rest(search::FuzzResult& result) {
    for (auto& [number, stretch] : made_) {
      if (number < end_) add(result, std::move(stretch));
    }
    made_.clear();
  }

  const model::Scenario& scenario_;
  const search::FuzzPlan& plan_;
  const FuzzJobs& jobs_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_ = 0;          // the stretch that the next worker takes
  std::atomic<std::uint64_t> end_;  // the first that nobody needs; changes with mutex_ held
  std::map<std::uint64_t, search::StretchResult> made_;
  std::size_t finished_ = 0;
  bool is_interrupted_ = false;
  std::exception_ptr error_;
};

}  // namespace

search::FuzzResult make_stretches(const model::Scenario& scenario, const search::FuzzPlan& plan,
                                  const FuzzJobs& jobs) {
  return Workers(scenario, plan, jobs).make();
}

}  // namespace lockstep::app
