// Runs scenarios ahead of who asks for their outcomes in order, with several threads that share
// nothing: each has its own engine. What is asked for does not depend on their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

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
  };

  /// Begins with the first of them, which outlive it; each is asked for once, in their order. At
  /// most one exists at a time.
  RunJobs(Plan plan, std::vector<const scenario::Scenario*> scenarios);
  RunJobs(const RunJobs&) = delete;
  RunJobs& operator=(const RunJobs&) = delete;
  /// Stops what was begun.
  ~RunJobs();

  /// Waits for the next outcome. Throws what running it threw.
  [[nodiscard]] search::ScenarioOutcome take();

 private:
  class Workers;
  std::unique_ptr<Workers> workers_;
};

}  // namespace lockstep::app
