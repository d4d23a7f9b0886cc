// What is wrong in parts of a file that don't depend on each other: a user is told of all at once.
//
// Each part is read by itself, and ends with its first mistake. What depends on a part that is
// wrong should not be read: it would complain about what follows from that.
#pragma once

#include <cstddef>
#include <vector>

#include "scenario/text/input_error.h"

namespace lockstep::scenario {

class ErrorCollector {
 public:
  /// More help nobody.
  static constexpr std::size_t reported_max = 10;

  /// Reads a part; takes down the InputError with which that ends.
  template <typename Read>
  void note(Read read) {
    try {
      read();
    } catch (const InputError& error) {
      found_.push_back(error);
    }
  }
  [[nodiscard]] bool none() const { return found_.empty(); }
  /// Throws where there were any: the first ten, as they stand in the file.
  void raise() const;

 private:
  std::vector<InputError> found_;
};

/// The error with something added to what it says, and to all beside it.
[[nodiscard]] InputError with_suffix(const InputError& error, const std::string& suffix);

}  // namespace lockstep::scenario
