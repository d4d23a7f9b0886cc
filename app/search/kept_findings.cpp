#include "app/search/kept_findings.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <system_error>

#include "app/context.h"
#include "app/interruption.h"
#include "app/scenarios/scenario_paths.h"
#include "model/engine/engine.h"
#include "reports/text.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/runs/seed_runs.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

/// Few: they break in each run, as a rule, and whoever asked for something else waits.
constexpr std::uint64_t seeds_of_kept = 5;

bool has_scenarios(const fs::path& folder) {
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (scenario::is_scenario_file(entry->path())) return true;
  }
  return false;
}

bool is_one_of(const std::string& path, const std::set<std::string>& files) {
  for (const std::string& each : files) {
    std::error_code error;
    if (fs::equivalent(path, each, error)) return true;
  }
  return false;
}

}  // namespace

std::string lock_of(const scenario::Scenario& scenario) {
  if (!scenario.lock.starts_with('.')) return scenario.lock;
  std::error_code error;
  const fs::path folder = fs::path(scenario.path).parent_path() / scenario.lock;
  const fs::path canonical = fs::weakly_canonical(folder, error);
  return (error ? folder.lexically_normal() : canonical).generic_string();
}

ExitCode KeptFindings::run(const std::vector<const scenario::Scenario*>& scenarios,
                           const std::set<std::string>& files_named) {
  if (!has_scenarios(folder)) return exit_code_;
  std::set<std::string> locks;
  for (const scenario::Scenario* each : scenarios) locks.insert(lock_of(*each));
  for (const ScenarioPath& path : find_scenarios({folder})) {
    if (is_interrupted()) break;
    if (is_one_of(path.path, files_named)) continue;
    try {
      for (const scenario::Scenario& kept : scenario::load_scenarios(path.path)) {
        if (locks.contains(lock_of(kept))) run_one(kept);
      }
    } catch (const scenario::InputError& error) {
      print_error(context_, error);
      exit_code_ = worse(exit_code_, ExitCode::bad_input);
    }
  }
  if (as_kept_ > 0) {
    context_.errors << fmt::format("{}: {} {} as kept, run first\n", folder, as_kept_,
                                   as_kept_ == 1 ? "finding is" : "findings are");
  }
  return exit_code_;
}

void KeptFindings::run_one(const scenario::Scenario& kept) {
  const search::ScenarioOutcome outcome = search::run_scenario(
      kept, {1, seeds_of_kept, &is_interrupted, search::SeedRunOptions::Needs::left_open}, engine_);
  if (outcome.interrupted) return;
  const std::string name = reports::sanitized(kept.name());
  if (outcome.kind == search::OutcomeKind::as_expected) {
    ++as_kept_;
  } else if (outcome.kind == search::OutcomeKind::unknown) {
    context_.errors << fmt::format("{}: unknown whether it still breaks\n", name);
  } else if (kept.expect.violates.empty()) {
    context_.errors << fmt::format("{}: what was mended is broken again\n", name);
    exit_code_ = worse(exit_code_, ExitCode::not_as_expected);
  } else {
    context_.errors << fmt::format(
        "{}: it does not break any more; where the lock was mended, '{} keep --mended {}' has it "
        "hold from now on\n",
        name, context_.program, reports::sanitized(kept.path));
  }
}

}  // namespace lockstep::app
