#include "app/search/fuzz_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/context.h"
#include "app/output/file_names.h"
#include "app/scenarios/scenario_paths.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/fuzz/fuzz.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

bool holds_a_lock(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "lock.toml", error);
}

/// The absolute path of a folder, with its own name at the end even for "." and "..".
fs::path whole_path(const fs::path& folder) {
  return fs::absolute(folder / ".").lexically_normal().parent_path();
}

/// The lock's path as a scenario in the current folder would name it. Ends with the folder's name,
/// which is the lock's.
std::string lock_in_folder(const fs::path& folder) {
  const fs::path whole = whole_path(folder);
  const fs::path up = whole.parent_path().lexically_relative(fs::current_path());
  const std::string lock = (up / whole.filename()).lexically_normal().generic_string();
  return lock.starts_with("../") ? lock : "./" + lock;
}

std::shared_ptr<const scenario::Scenario> named(const std::string& lock, const std::string& word,
                                                std::string path) {
  const auto scenario = std::make_shared<scenario::Scenario>();
  scenario->path = std::move(path);
  scenario->lock = lock;
  scenario->lock_place = {word, 0, 0};
  return scenario;
}

FuzzTarget target_of_folder(const std::string& word, const fs::path& folder,
                            const std::string& variant) {
  std::string lock = lock_in_folder(folder);
  std::string file_name = whole_path(folder).filename().string();
  if (!variant.empty()) {
    lock += "/" + variant;
    file_name += "-" + variant;
  }
  return {named(lock, word, "lock.toml"), true, word, file_name};
}

FuzzTarget target_of_name(const std::string& lock) {
  std::string file_name = lock;
  std::replace(file_name.begin(), file_name.end(), '/', '-');
  return {named(lock, lock, lock + ".toml"), true, lock, file_name};
}

}  // namespace

std::vector<FuzzTarget> find_targets(const std::vector<std::string>& words,
                                     const scenario::FaultChoice& faults) {
  std::vector<FuzzTarget> targets;
  for (const std::string& word : words) {
    std::error_code error;
    const fs::path place(word);
    if (holds_a_lock(place)) {
      targets.push_back(target_of_folder(word, place, ""));
      continue;
    }
    if (!fs::exists(place, error)) {
      const fs::path folder = place.parent_path();
      const bool is_variant = !folder.empty() && holds_a_lock(folder);
      targets.push_back(is_variant ? target_of_folder(word, folder, place.filename().string())
                                   : target_of_name(word));
      continue;
    }
    for (const ScenarioPath& path : find_scenarios({word})) {
      for (scenario::Scenario& row : scenario::load_scenarios(path.path)) {
        std::string name = row.name();
        std::string file_name = file_name_of_row(path.name, row.row);
        if (faults.is_given()) row = scenario::narrowed(row, faults);
        targets.push_back({std::make_shared<const scenario::Scenario>(std::move(row)), false,
                           std::move(name), std::move(file_name)});
      }
    }
  }
  for (FuzzTarget& target : targets) target.faults = faults;
  return targets;
}

std::string search_command(const FuzzTarget& target, const search::FuzzPlan& plan) {
  // A lock is found by its name; a row of a file with parameters by that file.
  fs::path named = target.is_lock ? target.name : target.scenario->path;
  if (named.is_absolute()) named = named.lexically_relative(fs::current_path());
  std::string command =
      fmt::format("fuzz {} --seed {}", shell_quoted(named.string()), plan.root_seed);
  if (plan.strategy != search::StrategyKind::portfolio) {
    command += fmt::format(" --strategy {}", search::to_string(plan.strategy));
  }
  command += target.faults.in_words();
  const bool goes_on = plan.after_finding == search::FuzzPlan::AfterFinding::go_on;
  if (goes_on && !target.is_lock) command += " --keep-going";
  return command;
}

}  // namespace lockstep::app
