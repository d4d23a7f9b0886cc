// One message of RESP2 or RESP3 as it came over a connection, for comparisons of bytes.
//
// Knows nothing of what the server's own reply types can hold, so that a comparison does not look
// through the eyes of the code that it checks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::redis::test {

struct RespMessage {
  char kind = '_';                    ///< the letter it begins with
  bool is_null = false;               ///< `$-1`, `*-1`
  std::string text;                   ///< all but what has elements
  std::vector<RespMessage> elements;  ///< of `*`, `~`, `>`; of `%` keys and values in turn

  friend bool operator==(const RespMessage&, const RespMessage&) = default;
};

/// Reads messages from bytes that come in pieces.
class RespMessageReader {
 public:
  void feed(std::string_view bytes) { bytes_.append(bytes); }
  /// The next message, where all of it is there. Throws std::runtime_error at what is none.
  std::optional<RespMessage> next();
  /// Whether nothing is left over.
  [[nodiscard]] bool is_empty() const { return position_ == bytes_.size(); }

 private:
  bool read(std::size_t& position, RespMessage& message) const;

  std::string bytes_;
  std::size_t position_ = 0;
};

/// On one line, much as redis-cli prints it; what RESP3 adds is marked by its letter.
[[nodiscard]] std::string describe(const RespMessage& message);

/// A word as redis-cli takes it: in quotes where it has to be.
[[nodiscard]] std::string in_quotes(std::string_view word);

/// A request as it could be typed into redis-cli.
[[nodiscard]] std::string cli_line(const std::vector<std::string>& words);

}  // namespace lockstep::redis::test
