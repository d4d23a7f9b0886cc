// The files that scenarios are made of, and when one of them changes: for `run --watch`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lockstep::app {

class WatchedFiles {
 public:
  /// The scenario files and Lua scripts below the paths (of a file: in its folder), and those of
  /// the locks that are folders of their own.
  WatchedFiles(const std::vector<std::string>& paths,
               const std::vector<std::filesystem::path>& lock_folders);

  /// Waits until one is changed, made or removed, and returns its path; empty if Ctrl-C was
  /// pressed.
  [[nodiscard]] std::string await_change();

 private:
  struct State {
    std::filesystem::file_time_type changed;
    std::uintmax_t bytes;
    friend bool operator==(const State&, const State&) = default;
  };
  using States = std::map<std::string, State>;

  [[nodiscard]] States look() const;

  std::vector<std::filesystem::path> folders_;
  States states_;
};

}  // namespace lockstep::app
