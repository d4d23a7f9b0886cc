// Lines of a stream, one at a time, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>

#include "scenario/text/input_error.h"

namespace lockstep::reports {

class LineReader {
 public:
  struct Limits {
    std::size_t line_bytes_max;
    std::size_t bytes_max;
  };

  LineReader(std::string path, std::istream& in, Limits limits)
      : path_(std::move(path)), in_(in), limits_(limits) {}

  /// The next line without its end (a line feed, or a carriage return and one) in line(); false
  /// where the stream is over. Throws scenario::InputError beyond a limit, and where reading fails.
  bool next();
  [[nodiscard]] const std::string& line() const { return line_; }
  /// Counts from 1; 0 before the first.
  [[nodiscard]] std::uint32_t number() const { return number_; }

  /// Throws scenario::InputError at this line.
  [[noreturn]] void fail(const std::string& message) const;

 private:
  bool read();

  std::string path_;
  std::istream& in_;
  Limits limits_;
  std::string line_;
  std::uint32_t number_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace lockstep::reports
