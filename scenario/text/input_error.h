// The one exception that a user's input can cause: a scenario, a lock folder, a trace, a flag.
//
// Caught at the borders (app/, tests); printed as `file:line:column: error: what`, exit code 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::scenario {

struct SourceLocation;

class InputError final : public std::exception {
 public:
  /// `message`: what was found, what was expected, and the nearest valid word if any.
  InputError(SourceLocation place, std::string message);
  /// About a file (a folder, a flag) as a whole, or a line of it.
  [[nodiscard]] static InputError about(std::string file, std::string message,
                                        std::uint32_t line = 0);
  /// Several independent errors: the first, with the others beside it. REQUIRES: not empty.
  explicit InputError(std::vector<InputError> mistakes);

  [[nodiscard]] const SourceLocation& place() const;
  [[nodiscard]] const std::string& message() const;
  /// The other errors, in the order of the file.
  [[nodiscard]] const std::vector<InputError>& also() const;
  /// "file:line:column: error: message" without unknown parts.
  [[nodiscard]] const char* what() const noexcept override;

 private:
  struct Details;

  std::shared_ptr<const Details> details_;  // shared, so that copying an error never throws
};

/// Collects errors from independent parts of a file, to report them all at once. Reading a part
/// ends with its first error. Don't read what depends on a wrong part: its errors would only follow
/// from that.
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
