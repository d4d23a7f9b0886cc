// Runs scenarios ahead of who asks for their outcomes in order, with several threads that share
// nothing: each has its own engine. They part the scenarios among them, and the seeds of each. What
// comes out does not depend on their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace lockstep::model {
class ProgramLauncher;
}  // namespace lockstep::model

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {
struct ScenarioOutcome;
}  // namespace lockstep::search

namespace lockstep::app {

class RunJobs {
 public:
  struct Plan {
    std::uint64_t workers = 1;
    std::uint64_t first_seed = 1;
    std::uint64_t seeds = 1;
    std::vector<std::filesystem::path> script_folders;
    model::ProgramLauncher* programs = nullptr;  ///< starts real programs; outlives this
  };
  struct Row {
    const scenario::Scenario* scenario;  ///< outlives this
    bool has_program;
  };

  /// Begins with the first of them; each is asked for once, in their order. One with real programs
  /// is begun only then: whoever asks has tried before whether they do the same twice. At most one
  /// of this exists at a time.
  RunJobs(Plan plan, const std::vector<Row>& rows);
  RunJobs(const RunJobs&) = delete;
  RunJobs& operator=(const RunJobs&) = delete;
  /// Stops what was begun.
  ~RunJobs();

  /// Waits for the next outcome, and tells `on_runs` meanwhile how many more runs were made. Throws
  /// what running it threw.
  [[nodiscard]] search::ScenarioOutcome take(const std::function<void(std::uint64_t)>& on_runs);

 private:
  class Workers;
  std::unique_ptr<Workers> workers_;
};

}  // namespace lockstep::app
