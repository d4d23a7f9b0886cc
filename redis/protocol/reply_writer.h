// How commands give their replies.
//
// A command writes its reply to a ReplyWriter, which may be a Lua stack (redis.call), a Reply value
// (a simulated connection) or RESP bytes (a real socket), so that no tree is built where none is
// needed. Texts are without the leading '+' or '-' and without CRLF: error("ERR syntax error").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lockstep::redis {

class ErrorCounts;

/// The protocol of a connection; HELLO changes it.
enum class Protocol : std::uint8_t { resp2 = 2, resp3 = 3 };

/// How numbers with a fraction are written.
enum class NumberFormat : std::uint8_t {
  seventeen_digits,  ///< "%.17g": Redis up to 7.0
  shortest,          ///< as few digits as tell the number from all others
};

class ReplyWriter {
 public:
  /// The protocol of the replies. Server::execute sets it to the session's.
  [[nodiscard]] Protocol protocol() const { return protocol_; }
  void set_protocol(Protocol protocol) { protocol_ = protocol; }
  /// Of scores and the like; Server::execute sets it to its version's.
  void set_number_format(NumberFormat format) { number_format_ = format; }
  [[nodiscard]] NumberFormat number_format() const { return number_format_; }
  /// Sets the counter for errors written from now on; nullptr disables counting. Not owned.
  void set_error_counts(ErrorCounts* counts) { error_counts_ = counts; }
  /// Writes an error that a script's call has counted already.
  void counted_error(std::string_view text);

  virtual void integer(std::int64_t value) = 0;
  virtual void bulk(std::string_view text) = 0;
  virtual void null_bulk() = 0;   ///< RESP2 `$-1`, RESP3 `_`
  virtual void null_array() = 0;  ///< RESP2 `*-1`, RESP3 `_`
  virtual void status(std::string_view text) = 0;
  virtual void error(std::string_view text) = 0;
  /// The next `count` replies written are its elements.
  virtual void array(std::size_t count) = 0;

  // What RESP3 tells apart. A writer that keeps these defaults knows RESP2 only; others check
  // protocol().
  /// The next 2 × `count` replies written are its keys and values, in turn.
  virtual void map(std::size_t count) { array(2 * count); }
  /// The next `count` replies written are its members.
  virtual void set(std::size_t count) { array(count); }
  /// A number as scores are written, by number_format(), or "inf" and "-inf".
  virtual void real(double value);
  virtual void boolean(bool value) { integer(value ? 1 : 0); }
  /// Text for people; `format` is three letters ("txt").
  virtual void verbatim(std::string_view /*format*/, std::string_view text) { bulk(text); }
  virtual void big_number(std::string_view digits) { bulk(digits); }
  /// The next `count` replies written form a push: a message, or a subscription's confirmation.
  virtual void push(std::size_t count) { array(count); }

 protected:
  explicit ReplyWriter(Protocol protocol = Protocol::resp2) : protocol_(protocol) {}
  ~ReplyWriter() = default;
  /// To be called for each error that is written.
  void count_error(std::string_view text);

 private:
  Protocol protocol_;
  NumberFormat number_format_ = NumberFormat::seventeen_digits;
  ErrorCounts* error_counts_ = nullptr;
};

/// A number as Redis writes it into a reply.
class RealText {
 public:
  explicit RealText(double value, NumberFormat format = NumberFormat::seventeen_digits);
  [[nodiscard]] std::string_view view() const { return {text_.data(), length_}; }

 private:
  std::array<char, 32> text_;
  std::size_t length_;
};

/// A verbatim string's format as it is sent: three letters, cut or filled up with blanks.
[[nodiscard]] std::array<char, 3> verbatim_format(std::string_view format);

/// Throws replies away: a replica's, to what its master sends.
class DiscardingReplyWriter final : public ReplyWriter {
 public:
  void integer(std::int64_t /*value*/) override {}
  void bulk(std::string_view /*text*/) override {}
  void null_bulk() override {}
  void null_array() override {}
  void status(std::string_view /*text*/) override {}
  void error(std::string_view /*text*/) override {}
  void array(std::size_t /*count*/) override {}
};

}  // namespace lockstep::redis
