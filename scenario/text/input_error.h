// The one exception that a user's input can cause: a scenario, a lock folder, a trace, a flag.
//
// Caught at the borders (app/, tests); printed as `file:line:column: error: what`, exit code 2.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::scenario {

/// A place in a user's file. Line and column count from 1; 0: not known.
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

class InputError final : public std::exception {
 public:
  /// `message` says what was found, what was expected, and the nearest valid word if there is one.
  InputError(SourceLocation place, std::string message);
  /// Several mistakes that have nothing to do with each other: it is the first of them, and has the
  /// others beside it. REQUIRES: one at least.
  explicit InputError(std::vector<InputError> mistakes);

  [[nodiscard]] const SourceLocation& place() const { return place_; }
  [[nodiscard]] const std::string& message() const { return message_; }
  /// What else is wrong, in the order of the file.
  [[nodiscard]] const std::vector<InputError>& also() const { return also_; }
  /// "file:line:column: error: message"; parts that are not known are left out.
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

 private:
  SourceLocation place_;
  std::string message_;
  std::string text_;
  std::vector<InputError> also_;
};

}  // namespace lockstep::scenario
