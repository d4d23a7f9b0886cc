// The locks that an engine has loaded, by what scenarios say of them.
//
// A search prepares thousands of scenarios of one lock, and must not read its files for each of
// them. So a change of the files counts for engines that are made after it, not for this one.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/lock/lock_package.h"
#include "scenario/options.h"

namespace lockstep::scenario {
struct Scenario;
}

namespace lockstep::model {

class LoadedLocks {
 public:
  explicit LoadedLocks(std::vector<std::filesystem::path> script_folders)
      : script_folders_(std::move(script_folders)) {}

  /// As load_lock. A lock that is refused is tried again when it is asked for again.
  [[nodiscard]] LockPackage load(const scenario::Scenario& scenario);

 private:
  /// All of a scenario that load_lock goes by.
  struct Request {
    std::string lock;
    std::filesystem::path around;  ///< what a path to a lock is relative to
    scenario::Options options;
    std::vector<std::pair<std::string, scenario::Options>> options_of_clients;
    std::map<std::string, std::string> scripts;

    bool operator==(const Request&) const = default;
  };
  struct Loaded {
    Request request;
    LockPackage package;
  };
  [[nodiscard]] static Request request_of(const scenario::Scenario& scenario);

  std::vector<std::filesystem::path> script_folders_;
  std::vector<Loaded> loaded_;  // the newest first
};

}  // namespace lockstep::model
