#include "redis/replication/master_link.h"

#include <cassert>

#include "redis/protocol/letter_case.h"
#include "redis/protocol/resp.h"

namespace lockstep::redis {

void MasterLink::start() {
  is_up_ = false;
  down_since_ms_.reset();
  session_.database = 0;
  partial_stream_.clear();
  address_ = {};
}

void MasterLink::set_address(std::string_view host, std::int64_t port) {
  address_.host.assign(host);
  address_.port = port;
}

void MasterLink::mark_up() {
  is_up_ = true;
  down_since_ms_.reset();
}

void MasterLink::mark_down(std::int64_t now_ms) {
  partial_stream_.clear();
  if (is_up_) down_since_ms_ = now_ms;
  is_up_ = false;
}

std::string_view MasterLink::joined_with(std::string_view bytes) {
  if (partial_stream_.empty()) return bytes;
  return partial_stream_.append(bytes);
}

std::optional<MasterLink::Unit> MasterLink::read_unit(std::string_view stream,
                                                      std::size_t position) {
  std::string error;
  for (std::size_t requests = 0;;) {
    if (requests == unit_.size()) unit_.emplace_back();
    std::vector<std::string_view>& words = unit_[requests];
    const RespRead read = read_request(stream, position, {}, words, error);
    assert(read != RespRead::invalid && "a master sent what is no stream");
    if (read != RespRead::complete) return std::nullopt;
    if (!words.empty()) ++requests;
    const bool is_open = requests > 0 && equals_ignoring_case(unit_[0][0], "multi");
    if (is_open && !equals_ignoring_case(unit_[requests - 1][0], "exec")) continue;
    return Unit{{unit_.data(), requests}, position};
  }
}

void MasterLink::keep_rest(std::string_view stream, std::size_t applied) {
  if (stream.data() == partial_stream_.data()) {
    partial_stream_.erase(0, applied);
  } else {
    partial_stream_.assign(stream.substr(applied));
  }
}

}  // namespace lockstep::redis
