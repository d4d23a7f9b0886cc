// Replies: how commands give them, and how they are kept.
//
// A command writes its reply to a ReplyWriter, which may be a Lua stack (redis.call), a Reply value
// (a simulated connection) or RESP bytes (a real socket), so that no tree is built where none is
// needed. Texts are without the leading '+' or '-' and without CRLF: error("ERR syntax error").
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::redis {

class ReplyWriter {
 public:
  virtual void integer(std::int64_t value) = 0;
  virtual void bulk(std::string_view text) = 0;
  virtual void null_bulk() = 0;   ///< RESP2 `$-1`, RESP3 `_`
  virtual void null_array() = 0;  ///< RESP2 `*-1`, RESP3 `_`
  virtual void status(std::string_view text) = 0;
  virtual void error(std::string_view text) = 0;
  /// The next `count` replies written are its elements.
  virtual void array(std::size_t count) = 0;

  // What RESP3 tells apart; who speaks RESP2 only keeps these.
  /// The next 2 × `count` replies written are its keys and values, in turn.
  virtual void map(std::size_t count) { array(2 * count); }
  /// The next `count` replies written are its members.
  virtual void set(std::size_t count) { array(count); }
  /// A number as Redis 7.0 writes scores: "%.17g", or "inf" and "-inf".
  virtual void real(double value);
  virtual void boolean(bool value) { integer(value ? 1 : 0); }
  /// Text for people; `format` is three letters ("txt").
  virtual void verbatim(std::string_view /*format*/, std::string_view text) { bulk(text); }
  virtual void big_number(std::string_view digits) { bulk(digits); }

 protected:
  ~ReplyWriter() = default;
};

/// A reply as a value.
struct Reply {
  enum class Kind : std::uint8_t { null_bulk, null_array, integer, bulk, status, error, array };
  Kind kind = Kind::null_bulk;
  std::int64_t integer = 0;
  std::string text;             ///< bulk, status, error
  std::vector<Reply> elements;  ///< array

  [[nodiscard]] bool is_error() const { return kind == Kind::error; }
  [[nodiscard]] bool is_null() const { return kind == Kind::null_bulk || kind == Kind::null_array; }
  friend bool operator==(const Reply&, const Reply&) = default;
};

/// Writes one reply into a Reply, whose memory it reuses.
class ReplyBuilder final : public ReplyWriter {
 public:
  explicit ReplyBuilder(Reply& target) : target_(&target) {}
  void integer(std::int64_t value) override;
  void bulk(std::string_view text) override;
  void null_bulk() override;
  void null_array() override;
  void status(std::string_view text) override;
  void error(std::string_view text) override;
  void array(std::size_t count) override;

 private:
  struct OpenArray {
    Reply* array;
    std::size_t filled;
  };
  Reply& next(Reply::Kind kind);

  Reply* target_;                ///< null once something was written
  std::vector<OpenArray> open_;  ///< arrays still missing elements, innermost last
};

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

/// As redis-cli prints it on one line: `(integer) 1`, `"text"`, `(nil)`, `OK`, `(error) ERR …`,
/// `[…]`.
[[nodiscard]] std::string describe(const Reply& reply);

}  // namespace lockstep::redis
