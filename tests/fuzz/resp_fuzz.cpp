// Hostile bytes for the readers of the protocol: in one piece and in pieces of other sizes they
// must be read alike, and what was read must survive being written again.
//
// The first byte says how large the pieces are; the others are what comes over the connection.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "redis/protocol/resp.h"

namespace lockstep::redis {
namespace {

constexpr RespLimits limits{
    .bulk_bytes_max = 4096, .array_elements_max = 1024, .line_bytes_max = 512, .nesting_max = 8};

void require(bool holds) {
  if (!holds) std::abort();
}

/// What a reader made of the bytes.
struct Reading {
  std::vector<std::vector<std::string>> requests;
  std::vector<std::string> replies;
  std::string error;

  friend bool operator==(const Reading&, const Reading&) = default;
};

std::string_view take_piece(std::string_view& bytes, std::size_t size) {
  const std::string_view piece = bytes.substr(0, size);
  bytes.remove_prefix(piece.size());
  return piece;
}

Reading read_requests(std::string_view bytes, std::size_t piece_size) {
  Reading reading;
  RequestReader reader(limits);
  while (!bytes.empty() && reading.error.empty()) {
    reader.feed(take_piece(bytes, piece_size));
    for (RespRead read = reader.next(); read != RespRead::incomplete; read = reader.next()) {
      if (read == RespRead::invalid) {
        reading.error = reader.error();
        require(!reading.error.empty());
        break;
      }
      require(!reader.words().empty());
      reading.requests.emplace_back(reader.words().begin(), reader.words().end());
    }
  }
  return reading;
}

Reading read_replies(std::string_view bytes, std::size_t piece_size) {
  Reading reading;
  ReplyReader reader(limits);
  Reply reply;
  while (!bytes.empty() && reading.error.empty()) {
    reader.feed(take_piece(bytes, piece_size));
    for (RespRead read = reader.next(reply); read != RespRead::incomplete;
         read = reader.next(reply)) {
      if (read == RespRead::invalid) {
        reading.error = "invalid";
        break;
      }
      reading.replies.push_back(describe(reply));
    }
  }
  return reading;
}

void require_same_after_writing(const std::vector<std::string>& words) {
  const std::vector<std::string_view> views(words.begin(), words.end());
  std::string bytes;
  append_request(views, bytes);
  const Reading again = read_requests(bytes, bytes.size());
  require(again.error.empty() && again.requests.size() == 1 && again.requests[0] == words);
}

}  // namespace
}  // namespace lockstep::redis

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lockstep::redis;
  if (size < 2) return 0;
  const std::size_t piece_size = 1 + data[0] % 32;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Reading requests = read_requests(bytes, bytes.size());
  require(read_requests(bytes, piece_size) == requests);
  for (const auto& words : requests.requests) require_same_after_writing(words);
  require(read_replies(bytes, piece_size) == read_replies(bytes, bytes.size()));
  return 0;
}
