// Text for terminals that show no characters beyond ASCII.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace lockstep::app {

/// Each character beyond ASCII as something that every terminal shows: "…" as "...", "✗" as "x",
/// what has nothing alike as "?".
[[nodiscard]] std::string in_ascii(std::string_view text);

/// While it lives, whatever goes to a stream is written in ASCII. Does not own the stream.
class AsciiOutput final : private std::streambuf {
 public:
  explicit AsciiOutput(std::ostream& stream) : stream_(stream), below_(stream.rdbuf(this)) {}
  AsciiOutput(const AsciiOutput&) = delete;
  AsciiOutput& operator=(const AsciiOutput&) = delete;
  ~AsciiOutput() override;

 private:
  int_type overflow(int_type byte) override;
  int sync() override;
  /// Passes on what is whole; a character that is not yet waits.
  bool pass_on(bool is_all);

  std::ostream& stream_;
  std::streambuf* below_;
  std::string waiting_;
};

}  // namespace lockstep::app
