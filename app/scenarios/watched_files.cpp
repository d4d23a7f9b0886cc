#include "app/scenarios/watched_files.h"

#include <chrono>
#include <system_error>
#include <thread>

#include "app/interruption.h"
#include "app/scenarios/scenario_paths.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds pause_between_looks{200};

/// The folder of the lock that a scenario names by its path.
void add_locks_of(const std::string& scenario_file, std::vector<fs::path>& folders) {
  try {
    for (const scenario::Scenario& each : scenario::load_scenarios(scenario_file)) {
      if (each.lock.starts_with('.')) {
        folders.push_back(fs::path(scenario_file).parent_path() / each.lock);
      }
    }
  } catch (const scenario::InputError&) {
    // It is told of when it is run.
  }
}

}  // namespace

WatchedFiles::WatchedFiles(const std::vector<std::string>& paths,
                           const std::vector<fs::path>& lock_folders)
    : folders_(lock_folders) {
  for (const std::string& path : paths) {
    std::error_code error;
    const fs::path parent = fs::path(path).parent_path();
    folders_.push_back(fs::is_directory(path, error) ? fs::path(path)
                                                     : (parent.empty() ? fs::path(".") : parent));
  }
  try {
    for (const ScenarioPath& each : find_scenarios(paths)) add_locks_of(each.path, folders_);
  } catch (const scenario::InputError&) {
    // Nothing to watch besides the folders.
  }
  states_ = look();
}

WatchedFiles::States WatchedFiles::look() const {
  States states;
  for (const fs::path& folder : folders_) {
    std::error_code error;
    for (fs::recursive_directory_iterator each(folder, error), end; !error && each != end;
         each.increment(error)) {
      const std::string ending = each->path().extension().string();
      if (ending != ".toml" && ending != ".lua") continue;
      std::error_code gone;
      const State state{each->last_write_time(gone), each->file_size(gone)};
      if (!gone) states.insert_or_assign(each->path().lexically_normal().string(), state);
    }
  }
  return states;
}

std::string WatchedFiles::await_change() {
  while (!is_interrupted()) {
    std::this_thread::sleep_for(pause_between_looks);
    States now = look();
    if (now == states_) continue;
    std::string changed;
    for (const auto& [path, state] : now) {
      const auto before = states_.find(path);
      if (before == states_.end() || before->second != state) changed = path;
    }
    for (const auto& [path, state] : states_) {
      if (changed.empty() && !now.contains(path)) changed = path;
    }
    states_ = std::move(now);
    return changed;
  }
  return {};
}

}  // namespace lockstep::app
