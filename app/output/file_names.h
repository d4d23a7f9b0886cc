// Names of files below an output folder.
#pragma once

#include <set>
#include <string>

namespace lockstep::app {

/// "gc-pause" and "[lease=5s]" give "gc-pause-lease=5s", safe for shells and folders.
[[nodiscard]] std::string file_name_of_row(const std::string& name, const std::string& row);

/// Returns each name once; "name-2" the next time.
class UniqueNames {
 public:
  [[nodiscard]] std::string take(const std::string& name);

 private:
  std::set<std::string> taken_;
};

}  // namespace lockstep::app
