// Text for terminals that show no characters beyond ASCII.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace lockstep::app {

/// Replaces each character beyond ASCII: "…" by "...", "✗" by "x", others by "?".
[[nodiscard]] std::string in_ascii(std::string_view text);

/// Writes a stream's output in ASCII during its lifetime. Does not own the stream.
class AsciiOutput final : private std::streambuf {
 public:
  explicit AsciiOutput(std::ostream& stream) : stream_(stream), below_(stream.rdbuf(this)) {}
  AsciiOutput(const AsciiOutput&) = delete;
  AsciiOutput& operator=(const AsciiOutput&) = delete;
  ~AsciiOutput() override;

 private:
  int_type overflow(int_type byte) override;
  int sync() override;
  /// Passes on complete characters; keeps an incomplete one, unless is_all.
  bool pass_on(bool is_all);

  std::ostream& stream_;
  std::streambuf* below_;
  std::string waiting_;
};

}  // namespace lockstep::app
