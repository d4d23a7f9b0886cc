#include "app/search/run_jobs.h"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "app/interruption.h"
#include "model/engine/engine.h"
#include "search/runs/seed_runs.h"

namespace lockstep::app {
namespace {

/// How many outcomes may wait to be asked for: an example run may take much memory.
constexpr std::size_t ahead_of_each_worker = 4;

/// The search calls a plain function, which needs this to know.
std::atomic<bool>& is_stopped() {
  static std::atomic<bool> stopped{false};  // NOLINT(*-non-const-global-variables)
  return stopped;
}

bool asks_to_stop() { return is_stopped() || is_interrupted(); }

}  // namespace

class RunJobs::Workers {
 public:
  Workers(Plan plan, std::vector<const scenario::Scenario*> scenarios)
      : plan_(std::move(plan)), scenarios_(std::move(scenarios)), results_(scenarios_.size()) {
    is_stopped() = false;
    for (std::uint64_t i = 0; i < plan_.workers; ++i) threads_.emplace_back([this] { work(); });
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() {
    is_stopped() = true;
    {
      const std::lock_guard lock(mutex_);
      next_ = scenarios_.size();
    }
    may_begin_.notify_all();
  }

  search::ScenarioOutcome take() {
    std::unique_lock lock(mutex_);
    Result& result = results_[taken_];
    is_made_.wait(lock, [&result] { return result.outcome || result.error; });
    ++taken_;
    may_begin_.notify_all();
    if (result.error) std::rethrow_exception(result.error);
    search::ScenarioOutcome outcome = std::move(*result.outcome);
    result.outcome.reset();
    return outcome;
  }

 private:
  struct Result {
    std::optional<search::ScenarioOutcome> outcome;
    std::exception_ptr error;
  };

  /// The next scenario's number; none: there is none left.
  std::optional<std::size_t> begin_next() {
    std::unique_lock lock(mutex_);
    may_begin_.wait(lock, [this] {
      return next_ >= scenarios_.size() || next_ < taken_ + ahead_of_each_worker * threads_max();
    });
    if (next_ >= scenarios_.size()) return std::nullopt;
    return next_++;
  }

  [[nodiscard]] std::size_t threads_max() const { return static_cast<std::size_t>(plan_.workers); }

  void work() {
    model::Engine engine(plan_.script_folders);
    while (const std::optional<std::size_t> number = begin_next()) {
      Result result;
      try {
        result.outcome = search::run_scenario(
            *scenarios_[*number], {plan_.first_seed, plan_.seeds, &asks_to_stop}, engine);
      } catch (...) {
        result.error = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      results_[*number] = std::move(result);
      is_made_.notify_all();
    }
  }

  Plan plan_;
  std::vector<const scenario::Scenario*> scenarios_;
  std::mutex mutex_;
  std::condition_variable may_begin_;
  std::condition_variable is_made_;
  std::vector<Result> results_;
  std::size_t next_ = 0;
  std::size_t taken_ = 0;
  std::vector<std::jthread> threads_;  // last member: joined before the others are destroyed
};

RunJobs::RunJobs(Plan plan, std::vector<const scenario::Scenario*> scenarios)
    : workers_(std::make_unique<Workers>(std::move(plan), std::move(scenarios))) {}

RunJobs::~RunJobs() = default;

search::ScenarioOutcome RunJobs::take() { return workers_->take(); }

}  // namespace lockstep::app
