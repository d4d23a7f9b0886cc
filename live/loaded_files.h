// The files that a program has read before it forks: once one changes, it would start differently.
//
// Not covered: shared libraries that its executable names, and files that it asks for and that are
// not there.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace lockstep::live {

class LoadedFiles {
 public:
  /// Takes in what the descriptor is open on, where that is a file with a name. Of Python's
  /// compiled files (__pycache__) it is the source: Python reads that again once it has changed.
  void add(int descriptor);
  /// Whether they are as they were added.
  [[nodiscard]] bool are_on_disk() const;

 private:
  struct Version {
    std::int64_t changed_ns;
    std::int64_t bytes;
    friend bool operator==(const Version&, const Version&) = default;
  };
  [[nodiscard]] static bool look(const std::string& path, Version& version);

  std::map<std::string, Version, std::less<>> versions_;
};

}  // namespace lockstep::live
