// Why a history can't be read, and where.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace lockstep::checker::recorded {

/// A place in a file; both count from 1, the column in bytes.
struct FilePlace {
  std::uint64_t line = 1;
  std::uint64_t column = 1;
};

/// "expected …, not …", without the place: the caller prints that in front.
class ReadError final : public std::runtime_error {
 public:
  ReadError(FilePlace place, const std::string& message)
      : std::runtime_error(message), place_(place) {}

  [[nodiscard]] FilePlace place() const { return place_; }

 private:
  FilePlace place_;
};

/// The history is readable as far as it was read, but needs more memory than was granted.
class HistoryTooLarge final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace lockstep::checker::recorded
