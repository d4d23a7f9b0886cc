// Which of the scenarios that were found a command runs: those whose name or title has some words,
// those that were not as expected when they were run last.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/scenarios/scenario_paths.h"

namespace lockstep::app {

/// Keeps those in whose name or title all of the words are, whatever their case; words are
/// separated by blanks, and `not WORD` is one that must not be. Files that can't be read stay, so
/// that they are told of.
[[nodiscard]] std::vector<ScenarioPath> with_words(std::vector<ScenarioPath> scenarios,
                                                   std::string_view words);

/// Scenario files that were not as expected when they were run last: a line each, in a file of the
/// output folder.
class LastFailed {
 public:
  explicit LastFailed(const std::filesystem::path& folder);

  [[nodiscard]] const std::set<std::string>& paths() const { return paths_; }
  void note(const std::string& path, bool is_as_expected);
  /// Writes them if something changed; throws scenario::InputError if they can't be written.
  void save() const;

 private:
  std::filesystem::path file_;
  std::set<std::string> paths_;
  bool is_changed_ = false;
};

}  // namespace lockstep::app
