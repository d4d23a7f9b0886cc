// The bytes of a file through one buffer, with the place of each: what the readers scan.
//
// Reads a stream in large pieces and keeps only one of them, so a file's size and the length of its
// lines cost no memory. Also reads a text that is in memory already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "checker/recorded/formats/read_error.h"

namespace lockstep::checker::recorded {

class ByteSource {
 public:
  static constexpr int end = -1;

  /// The stream must outlive it.
  explicit ByteSource(std::istream& stream) : stream_(&stream), buffer_(buffer_bytes) {}
  /// A piece of a file that begins at this place. The text must outlive it.
  ByteSource(std::string_view text, FilePlace begins_at)
      : at_(text.data()),
        end_(text.data() + text.size()),
        begin_(text.data()),
        line_(begins_at.line),
        line_begins_(0 - (begins_at.column - 1)) {}
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// The next byte (0 to 255), or `end`.
  [[nodiscard]] int peek() {
    if (at_ == end_ && !refill()) return end;
    return static_cast<unsigned char>(*at_);
  }
  /// Past the byte that peek() showed. REQUIRES: it was not `end`.
  void skip() {
    if (*at_ == '\n') {
      ++line_;
      line_begins_ = offset() + 1;
    }
    ++at_;
  }
  /// What of the coming bytes is in the buffer: at least one, unless the source is at its end.
  [[nodiscard]] std::string_view ahead() {
    if (at_ == end_) refill();
    return {at_, static_cast<std::size_t>(end_ - at_)};
  }
  /// Past so many bytes of ahead(). REQUIRES: no line feed among them.
  void skip(std::size_t bytes) { at_ += bytes; }
  /// What comes, without passing it: so many bytes, or more, or all there are. REQUIRES: at most
  /// half a buffer.
  [[nodiscard]] std::string_view look_ahead(std::size_t bytes);
  /// The coming line without its line feed, which is passed too. Valid until the next call. False
  /// at the end. Throws ReadError where the line is longer than `line_bytes_max`.
  bool take_line(std::string_view& line, std::size_t line_bytes_max);

  [[nodiscard]] FilePlace place() const { return {line_, offset() - line_begins_ + 1}; }
  [[nodiscard]] std::uint64_t line() const { return line_; }
  /// How many bytes were passed.
  [[nodiscard]] std::uint64_t offset() const {
    return passed_ + static_cast<std::uint64_t>(at_ - begin_);
  }

  /// Throws ReadError at the place of the next byte.
  [[noreturn]] void fail(const std::string& message) const { throw ReadError(place(), message); }

 private:
  static constexpr std::size_t buffer_bytes = 1U << 18U;

  bool refill();
  void read_behind(std::size_t kept);

  std::istream* stream_ = nullptr;
  std::vector<char> buffer_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  const char* begin_ = nullptr;  // of what is in the buffer
  std::uint64_t passed_ = 0;     // bytes before begin_
  std::uint64_t line_ = 1;
  std::uint64_t line_begins_ = 0;  // offset of the line's first byte, modulo 2^64
  std::string long_line_;          // one that did not fit into the buffer
};

}  // namespace lockstep::checker::recorded
