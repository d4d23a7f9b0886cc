// Collects errors from independent parts of a file, to report them all at once.
//
// Reading a part ends with its first error. Don't read what depends on a wrong part: its errors
// would only follow from that.
#pragma once

#include <cstddef>
#include <vector>

#include "scenario/text/input_error.h"

namespace lockstep::scenario {

class ErrorCollector {
 public:
  /// More would not help.
  static constexpr std::size_t reported_max = 10;

  /// Reads a part and keeps its InputError, if any.
  template <typename Read>
  void note(Read read) {
    try {
      read();
    } catch (const InputError& error) {
      found_.push_back(error);
    }
  }
  [[nodiscard]] bool none() const { return found_.empty(); }
  /// Throws if there were any: the first ten in the file's order.
  void raise() const;

 private:
  std::vector<InputError> found_;
};

/// The error and those beside it, each with the suffix.
[[nodiscard]] InputError with_suffix(const InputError& error, const std::string& suffix);

}  // namespace lockstep::scenario
