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

/// A place in a user's file. Lines and columns count from 1; 0: unknown.
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// Where a part of a scenario is written. It is no part of what the scenario says: all are equal.
struct Origin : SourceLocation {
  Origin() = default;
  Origin(SourceLocation place)  // NOLINT(google-explicit-constructor)
      : SourceLocation(std::move(place)) {}

  friend bool operator==(const Origin&, const Origin&) { return true; }
};

class InputError final : public std::exception {
 public:
  /// `message`: what was found, what was expected, and the nearest valid word if any.
  InputError(SourceLocation place, std::string message);
  /// Several independent errors: the first, with the others beside it. REQUIRES: not empty.
  explicit InputError(std::vector<InputError> mistakes);

  [[nodiscard]] const SourceLocation& place() const { return place_; }
  [[nodiscard]] const std::string& message() const { return message_; }
  /// The other errors, in the order of the file.
  [[nodiscard]] const std::vector<InputError>& also() const { return also_; }
  /// "file:line:column: error: message" without unknown parts.
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

 private:
  SourceLocation place_;
  std::string message_;
  std::string text_;
  std::vector<InputError> also_;
};

}  // namespace lockstep::scenario
