#include "app/search/run_jobs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "app/interruption.h"
#include "model/engine/engine.h"
#include "search/runs/scenario_outcome.h"
#include "search/runs/seed_runs.h"

namespace lockstep::app {
namespace {

/// How many outcomes may wait to be asked for: an example run may take much memory.
constexpr std::size_t ahead_of_each_worker = 4;

/// Parts of one scenario: enough that none waits long for the last. Real programs are started once
/// for each.
constexpr std::uint64_t parts_of_each_worker = 4;
constexpr std::uint64_t seeds_of_a_part = 16;
constexpr std::uint64_t seeds_of_a_part_with_programs = 4;

/// The search calls a plain function, which needs this to know.
std::atomic<bool>& is_stopped() {
  static std::atomic<bool> stopped{false};  // NOLINT(*-non-const-global-variables)
  return stopped;
}

std::atomic<std::uint64_t>& runs_made() {
  static std::atomic<std::uint64_t> made{0};  // NOLINT(*-non-const-global-variables)
  return made;
}

bool ask_between_runs() {
  ++runs_made();
  return is_stopped() || is_interrupted();
}

}  // namespace

class RunJobs::Workers {
 public:
  Workers(Plan plan, const std::vector<Row>& rows) : plan_(std::move(plan)) {
    is_stopped() = false;
    runs_made() = 0;
    for (const Row& each : rows) tasks_.push_back(task_of(each));
    for (std::uint64_t i = 0; i < plan_.workers; ++i) threads_.emplace_back([this] { work(); });
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() {
    is_stopped() = true;
    {
      const std::lock_guard lock(mutex_);
      next_ = tasks_.size();
    }
    may_begin_.notify_all();
  }

  search::ScenarioOutcome take(const std::function<void(std::uint64_t)>& on_runs) {
    std::unique_lock lock(mutex_);
    Task& task = tasks_[taken_++];
    may_begin_.notify_all();
    while (!is_concluded_.wait_for(lock, std::chrono::milliseconds(100),
                                   [&task] { return task.outcome || task.error; })) {
      on_runs(runs_made().exchange(0));
    }
    on_runs(runs_made().exchange(0));
    if (task.error) std::rethrow_exception(task.error);
    search::ScenarioOutcome outcome = std::move(*task.outcome);
    task.outcome.reset();
    return outcome;
  }

 private:
  /// What a worker runs at once: successive seeds of one scenario.
  struct Part {
    std::optional<search::CountedRuns> runs;
    std::exception_ptr error;
  };
  struct Task {
    explicit Task(const Row& of) : row(of) {}

    Row row;
    std::uint64_t seeds_of_part = 1;
    std::vector<Part> parts;
    std::size_t parts_begun = 0;
    std::size_t parts_made = 0;
    std::optional<search::ScenarioOutcome> outcome;
    std::exception_ptr error;
  };
  struct Next {
    Task* task;
    std::size_t part;
  };

  [[nodiscard]] Task task_of(const Row& row) const {
    Task task(row);
    const std::uint64_t least = row.has_program ? seeds_of_a_part_with_programs : seeds_of_a_part;
    const std::uint64_t parts_most = plan_.workers * parts_of_each_worker;
    task.seeds_of_part = std::max(least, (plan_.seeds + parts_most - 1) / parts_most);
    task.parts.resize((plan_.seeds + task.seeds_of_part - 1) / task.seeds_of_part);
    return task;
  }

  [[nodiscard]] bool may_begin_task() const {
    if (next_ >= tasks_.size()) return true;  // to learn that there is nothing left
    if (tasks_[next_].row.has_program) return next_ < taken_;
    return next_ < taken_ + ahead_of_each_worker * plan_.workers;
  }

  /// None: there is nothing left.
  std::optional<Next> begin_next() {
    std::unique_lock lock(mutex_);
    may_begin_.wait(lock, [this] { return may_begin_task(); });
    if (next_ >= tasks_.size()) return std::nullopt;
    Task& task = tasks_[next_];
    const Next next{&task, task.parts_begun++};
    if (task.parts_begun == task.parts.size()) ++next_;
    return next;
  }

  [[nodiscard]] search::SeedRunOptions options_of(const Task& task, std::size_t part) const {
    const std::uint64_t before = part * task.seeds_of_part;
    return {plan_.first_seed + before, std::min(task.seeds_of_part, plan_.seeds - before),
            &ask_between_runs};
  }

  void work() {
    model::Engine engine(plan_.script_folders, plan_.programs);
    while (const std::optional<Next> next = begin_next()) {
      Task& task = *next->task;
      Part part;
      try {
        part.runs = search::count_runs(*task.row.scenario, options_of(task, next->part), engine);
      } catch (...) {
        part.error = std::current_exception();
      }
      {
        const std::lock_guard lock(mutex_);
        task.parts[next->part] = std::move(part);
        if (++task.parts_made < task.parts.size()) continue;
      }
      conclude(task, engine);
    }
  }

  /// Whoever made the last part does this, and nobody else looks at the parts any more.
  void conclude(Task& task, model::Engine& engine) {
    std::optional<search::ScenarioOutcome> outcome;
    std::exception_ptr error;
    try {
      for (const Part& each : task.parts) {
        if (each.error) std::rethrow_exception(each.error);
      }
      search::CountedRuns all = std::move(*task.parts.front().runs);
      for (std::size_t i = 1; i < task.parts.size(); ++i) add_runs(all, *task.parts[i].runs);
      task.parts.clear();
      outcome = search::conclude_runs(std::move(all),
                                      {plan_.first_seed, plan_.seeds, &ask_between_runs}, engine);
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    task.outcome = std::move(outcome);
    task.error = error;
    is_concluded_.notify_all();
  }

  Plan plan_;
  std::mutex mutex_;
  std::condition_variable may_begin_;
  std::condition_variable is_concluded_;
  std::vector<Task> tasks_;
  std::size_t next_ = 0;  ///< the first of them with a part that is not begun
  std::size_t taken_ = 0;
  std::vector<std::jthread> threads_;  // last member: joined before the others are destroyed
};

RunJobs::RunJobs(Plan plan, const std::vector<Row>& rows)
    : workers_(std::make_unique<Workers>(std::move(plan), rows)) {}

RunJobs::~RunJobs() = default;

search::ScenarioOutcome RunJobs::take(const std::function<void(std::uint64_t)>& on_runs) {
  return workers_->take(on_runs);
}

}  // namespace lockstep::app
