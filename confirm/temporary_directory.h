// A directory that exists as long as this object.
#pragma once

#include <string>

namespace lockstep::confirm {

class TemporaryDirectory {
 public:
  /// Throws std::runtime_error if it cannot be created.
  TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace lockstep::confirm
