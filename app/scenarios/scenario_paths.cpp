#include "app/scenarios/scenario_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include "app/context.h"
#include "app/folders.h"
#include "scenario/text/input_error.h"
#include "scenario/text/source_file.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void complain_unreadable(const fs::path& folder, const std::error_code& error) {
  throw scenario::InputError::about(folder.string(),
                                    fmt::format("cannot read this folder: {}", error.message()));
}

bool is_lock(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "lock.toml", error);
}

[[noreturn]] void complain_of_lock(const std::string& path, std::string_view what,
                                   std::string_view lock) {
  const std::string word = shell_quoted(lock.empty() ? "." : lock);
  throw scenario::InputError::about(
      path,
      fmt::format("{}; expected a scenario: 'lockstep new scenario NAME --lock {}' makes one, "
                  "and 'lockstep fuzz {}' needs none",
                  what, word, word));
}

/// Whether it says which lock it is about, as a scenario does.
bool names_lock(const fs::path& file) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line) && !line.starts_with('[');) {
    if (line.starts_with("lock ") || line.starts_with("lock=")) return true;
  }
  return false;
}

/// What is no scenario though it belongs to a lock. REQUIRES: the file exists.
void refuse_part_of_lock(const fs::path& file) {
  const fs::path folder = file.parent_path();
  if (file.filename() == "lock.toml" && !names_lock(file)) {
    complain_of_lock(file.string(), "this describes a lock", folder.generic_string());
  }
  if (file.extension() != ".lua") return;
  if (is_lock(folder)) {
    complain_of_lock(file.string(), "this is Lua, a part of a lock", folder.generic_string());
  }
  throw scenario::InputError::about(
      file.string(),
      "this is Lua; expected a scenario, or for fuzz a lock's folder: 'lockstep new "
      "lock NAME' makes one");
}

std::vector<fs::path> scenarios_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  if (error) complain_unreadable(folder, error);
  for (; entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (scenario::is_scenario_file(entry->path()) && entry->is_regular_file(error)) {
      files.push_back(entry->path());
    }
  }
  if (error) complain_unreadable(folder, error);
  if (files.empty()) {
    if (is_lock(folder)) {
      complain_of_lock(folder.string(), "this is a lock's folder and has no scenario",
                       folder.generic_string());
    }
    throw scenario::InputError::about(
        folder.string(), "this folder has no scenario; expected files that end in .toml");
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The scenarios of several paths, each with a unique name.
class Found {
 public:
  void add(const fs::path& file, const fs::path& name, FoundAs found_as) {
    std::string unique = name.generic_string();
    for (int number = 2; !names_.insert(unique).second; ++number) {
      unique = fmt::format("{}-{}", name.generic_string(), number);
    }
    scenarios_.push_back({file.string(), std::move(unique), found_as});
  }

  [[nodiscard]] std::vector<ScenarioPath> take() { return std::move(scenarios_); }

 private:
  std::set<std::string> names_;
  std::vector<ScenarioPath> scenarios_;
};

/// "scenarios/…" means those that came with the program where there are none of one's own here.
fs::path existing_path(const std::string& text) {
  fs::path path(text);
  std::error_code error;
  if (!path.empty() && *path.begin() == "scenarios" && !fs::exists("scenarios", error)) {
    fs::path shipped = shipped_scenarios().parent_path() / path;
    if (fs::exists(shipped, error)) return shipped;
  }
  return path;
}

}  // namespace

std::vector<ScenarioPath> find_scenarios(const std::vector<std::string>& paths) {
  Found found;
  for (const std::string& text : paths) {
    const fs::path path = existing_path(text);
    std::error_code error;
    if (!fs::exists(path, error)) {
      const bool is_name = !path.empty() && path.is_relative() && *path.begin() != "..";
      if (is_name && is_lock(shipped_locks() / *path.begin())) {
        complain_of_lock(text, "this is a lock's name", text);
      }
      throw scenario::InputError::about(text, "there is no such file or folder");
    }
    if (!fs::is_directory(path, error)) {
      refuse_part_of_lock(path);
      found.add(path, path.stem(), FoundAs::named);
      continue;
    }
    for (const fs::path& file : scenarios_below(path)) {
      found.add(file, file.lexically_relative(path).replace_extension(), FoundAs::in_folder);
    }
  }
  return found.take();
}

}  // namespace lockstep::app
