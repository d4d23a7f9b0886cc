#include "confirm/stream_link.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <vector>

#include "confirm/request_text.h"
#include "redis/protocol/letter_case.h"
#include "redis/protocol/resp.h"

namespace lockstep::confirm {
namespace {

bool is_housekeeping(const std::vector<std::string_view>& words) {
  if (words.size() == 1) return redis::equals_ignoring_case(words[0], "ping");
  return words.size() == 3 && redis::equals_ignoring_case(words[0], "replconf") &&
         redis::equals_ignoring_case(words[1], "getack");
}

}  // namespace

StreamLink::StreamLink(std::string answer, std::int64_t real_offset, std::int64_t simulated_offset)
    : answer_(std::move(answer)),
      received_offset_(real_offset),
      real_offset_(real_offset),
      simulated_offset_(simulated_offset),
      handed_over_offset_(real_offset),
      offsets_{{simulated_offset, real_offset}} {}

void StreamLink::cut(std::string& bytes, std::int64_t& offset, std::deque<Request>& requests) {
  std::vector<std::string_view> words;
  std::string error;
  std::size_t position = 0;
  for (;;) {
    const std::size_t begin = position;
    const redis::RespRead read = redis::read_request(bytes, position, {}, words, error);
    if (read == redis::RespRead::invalid) {
      throw std::runtime_error("a replication stream has what is no request: " + error);
    }
    if (read == redis::RespRead::incomplete) break;
    offset += static_cast<std::int64_t>(position - begin);
    if (words.empty()) continue;
    requests.push_back({bytes.substr(begin, position - begin), describe_request(words),
                        is_housekeeping(words), offset});
  }
  bytes.erase(0, position);
}

void StreamLink::receive(std::string_view bytes) {
  received_offset_ += static_cast<std::int64_t>(bytes.size());
  real_bytes_ += bytes;
  cut(real_bytes_, real_offset_, real_);
}

void StreamLink::expect(std::string_view bytes) {
  simulated_bytes_ += bytes;
  cut(simulated_bytes_, simulated_offset_, simulated_);
}

std::optional<StreamLink::Mismatch> StreamLink::compare() {
  for (;;) {
    while (!simulated_.empty() && simulated_.front().is_housekeeping) simulated_.pop_front();
    while (!real_.empty() && real_.front().is_housekeeping) {
      offsets_.back().real = real_.front().offset_after;
      ready_.push_back(std::move(real_.front()));
      real_.pop_front();
    }
    if (simulated_.empty() && real_.empty()) return std::nullopt;
    if (simulated_.empty()) return Mismatch{{}, real_.front().text};
    if (real_.empty()) return Mismatch{simulated_.front().text, {}};
    if (simulated_.front().bytes != real_.front().bytes) {
      return Mismatch{simulated_.front().text, real_.front().text};
    }
    ++equal_requests_;
    offsets_.push_back({simulated_.front().offset_after, real_.front().offset_after});
    simulated_.pop_front();
    ready_.push_back(std::move(real_.front()));
    real_.pop_front();
  }
}

std::string StreamLink::hand_over(std::string_view simulated_bytes) {
  wanted_bytes_ += simulated_bytes;
  std::int64_t offset = 0;
  std::deque<Request> wanted;
  cut(wanted_bytes_, offset, wanted);
  std::string real = std::exchange(answer_, {});
  for (const Request& request : wanted) {
    if (request.is_housekeeping) continue;
    for (bool is_found = false; !is_found; ready_.pop_front()) {
      if (ready_.empty()) throw std::runtime_error("a replica got what its master never wrote");
      is_found = !ready_.front().is_housekeeping;
      real += ready_.front().bytes;
      handed_over_offset_ = ready_.front().offset_after;
    }
  }
  return real;
}

std::int64_t StreamLink::acknowledge(std::int64_t simulated_offset) {
  acknowledged_ = simulated_offset;
  return real_acknowledged_ = real_offset_of(simulated_offset);
}

std::optional<std::int64_t> StreamLink::acknowledge_housekeeping() {
  const Offsets& last = offsets_.back();
  if (acknowledged_ < last.simulated || real_acknowledged_ >= last.real) return std::nullopt;
  return real_acknowledged_ = last.real;
}

/// Of who has the simulated stream up to this offset, with what the real master wrote by itself
/// before the next request.
std::int64_t StreamLink::real_offset_of(std::int64_t simulated_offset) const {
  const auto beyond = std::upper_bound(
      offsets_.begin() + 1, offsets_.end(), simulated_offset,
      [](std::int64_t offset, const Offsets& offsets) { return offset < offsets.simulated; });
  return std::prev(beyond)->real;
}

}  // namespace lockstep::confirm
