// RESP2 and RESP3, the protocols of Redis on sockets and of its replication stream: readers.
// Replies are written by resp_writer.h.
//
// Readers take bytes in pieces of any size and never trust them: lengths and nesting are limited,
// and what breaks the protocol is refused with the words of Redis 7.0. Not covered: RESP3's
// streamed strings and aggregates, which Redis never sends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redis/protocol/reply.h"

namespace lockstep::redis {

struct RespLimits {
  std::size_t bulk_bytes_max = std::size_t{512} * 1024 * 1024;
  std::size_t array_elements_max = 2'147'483'647;
  std::size_t line_bytes_max = std::size_t{64} * 1024;
  std::size_t nesting_max = 32;  ///< of arrays in replies
};

enum class RespRead : std::uint8_t {
  complete,    ///< one request or reply was read
  incomplete,  ///< more bytes are needed
  invalid,     ///< the peer broke the protocol; the connection is beyond repair
};

/// Reads one request, an array of bulk strings, that begins at `position` of `bytes`. Complete: the
/// words (views into `bytes`) are in `words`, none for an empty request, and `position` is past it.
/// Invalid: `error` says why, without "ERR ". Otherwise `position` stays.
RespRead read_request(std::string_view bytes, std::size_t& position, const RespLimits& limits,
                      std::vector<std::string_view>& words, std::string& error);

/// Reads requests from a connection: arrays of bulk strings, or inline commands as typed by hand.
class RequestReader {
 public:
  explicit RequestReader(const RespLimits& limits = {}) : limits_(limits) {}

  /// More bytes came in. Invalidates the words of the last request.
  void feed(std::string_view bytes);
  /// The next request; empty ones are passed over. After `invalid` every call is invalid.
  RespRead next();
  /// The request's words. Valid after next() was complete, until feed() or next().
  [[nodiscard]] std::span<const std::string_view> words() const { return words_; }
  /// Bytes fed that belong to no request read so far.
  [[nodiscard]] std::size_t unread_bytes() const { return bytes_.size() - position_; }
  /// The error reply's text after `invalid`: "ERR Protocol error: …".
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  /// Of a word, counted from the begin of its request.
  struct Place {
    std::size_t begin;
    std::size_t length;
  };
  RespRead read_array();
  RespRead read_inline();
  void set_aside(std::size_t at);
  void take_back();

  RespLimits limits_;
  std::string bytes_;
  std::size_t position_ = 0;
  std::vector<std::string_view> words_;
  // Of an array that has not come whole:
  std::vector<Place> words_set_aside_;
  std::size_t array_bytes_read_ = 0;
  std::int64_t words_missing_ = 0;
  std::string unquoted_;  // memory of an inline request's words
  std::string error_;
};

/// Reads replies of either protocol from a connection, for those who speak to a Redis. A push that
/// stands in the middle of a reply (EXEC with PUBLISH to oneself) comes before it. Attributes are
/// passed over.
class ReplyReader {
 public:
  explicit ReplyReader(const RespLimits& limits = {}) : limits_(limits) {}

  void feed(std::string_view bytes);
  /// The next reply. After `invalid` every call is invalid.
  RespRead next(Reply& reply);
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  RespRead read(std::size_t& position, Reply& reply, std::size_t nesting);
  RespRead read_element(std::size_t& position, Reply& reply, std::size_t nesting);
  RespRead read_line(std::string_view line, char kind, Reply& reply);
  RespRead read_bulk(std::size_t& position, std::int64_t length, char kind, Reply& reply);
  RespRead read_elements(std::size_t& position, std::int64_t count, char kind, Reply& reply,
                         std::size_t nesting);
  RespRead refuse(std::string_view why);

  RespLimits limits_;
  std::string bytes_;
  std::size_t position_ = 0;
  std::vector<Reply> pushes_;  // found within the reply that was read last, still to be given out
  std::string error_;
};

/// Appends a request as an array of bulk strings.
void append_request(std::span<const std::string_view> words, std::string& out);

}  // namespace lockstep::redis
