#include "app/fuzz_targets.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/file_names.h"
#include "app/new_scenario.h"
#include "app/scenario_paths.h"
#include "model/scenario/scenario_file.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

std::string file_name_of_lock(std::string name) {
  std::replace(name.begin(), name.end(), '/', '-');
  return name;
}

/// As a scenario names a folder, seen from the one that we are in.
std::string lock_in_folder(const std::string& word) {
  const fs::path path = fs::path(word + "/.").lexically_normal();
  const std::string folder = path.parent_path().generic_string();
  return path.is_absolute() ? folder : "./" + folder;
}

FuzzTarget target_of_lock(const std::string& word, const std::string& lock,
                          const Context& context) {
  const bool is_folder = lock != word;
  const std::string file_name = is_folder ? fs::path(lock).filename().string() : word;
  return {
      model::parse_scenario((is_folder ? "lock" : word) + ".toml", open_scenario_of(lock, context)),
      word, file_name_of_lock(file_name)};
}

}  // namespace

std::vector<FuzzTarget> find_targets(const std::vector<std::string>& words,
                                     const Context& context) {
  std::vector<FuzzTarget> targets;
  for (const std::string& word : words) {
    std::error_code error;
    if (!fs::exists(word, error)) {
      targets.push_back(target_of_lock(word, word, context));
      continue;
    }
    if (fs::exists(fs::path(word) / "lock.toml", error)) {
      targets.push_back(target_of_lock(word, lock_in_folder(word), context));
      continue;
    }
    for (const ScenarioPath& path : find_scenarios({word})) {
      for (model::Scenario& row : model::load_scenarios(path.path)) {
        std::string name = row.name();
        std::string file_name = file_name_of_row(path.name, row.row);
        targets.push_back({std::move(row), std::move(name), std::move(file_name)});
      }
    }
  }
  return targets;
}

}  // namespace lockstep::app
