// The files that a program has read before it forks: once one changes, or one of their sort appears
// beside them, it would start differently.
//
// Not covered: shared libraries that its executable names, and files that appear in folders from
// which it has read nothing of that sort.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace lockstep::live {

class LoadedFiles {
 public:
  /// Takes in what the descriptor is open on, where that is a file with a name. Of Python's
  /// compiled files (__pycache__) it is the source: Python reads that again once it has changed.
  void add(int descriptor);
  /// Whether they are as they were added, and alone: what else is in their folders, if it ends as
  /// one of them does (".py") or is a folder itself, was there before. What the program writes
  /// there, a log, does not count.
  [[nodiscard]] bool are_on_disk() const;

 private:
  struct Version {
    std::uint64_t device;
    std::uint64_t file;
    std::int64_t written_ns;
    std::int64_t changed_ns;  // also where it was written and given its old time
    std::int64_t bytes;
    friend bool operator==(const Version&, const Version&) = default;
  };
  struct File {
    Version version;
    /// Of a file that was written just before it was added, all of it: a clock that stands still
    /// for some milliseconds doesn't show what is written after that. Else empty.
    std::string content;
  };
  struct Folder {
    std::set<std::string, std::less<>> endings;  // of the files that were read
    std::set<std::string, std::less<>> names;
  };

  [[nodiscard]] static bool look(const std::string& path, Version& version);
  [[nodiscard]] static std::set<std::string, std::less<>> names_in(const std::string& folder);

  std::map<std::string, File, std::less<>> files_;
  std::map<std::string, Folder, std::less<>> folders_;
};

}  // namespace lockstep::live
