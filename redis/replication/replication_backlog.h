// The replication backlog, with which a replica can continue after its link broke, and the
// replication ids of the history that the offsets count.
//
// Not covered: Redis drops the front in blocks of some KiB, so it keeps a little more than
// repl-backlog-size, and frees the backlog an hour after the last replica left.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::redis {

/// The replication id, and the one before it, which a promoted replica took over: offsets up to
/// `second_replid_offset` mean the same in both.
struct ReplicationIds {
  std::uint64_t id = 0;
  std::uint64_t previous_id = 0;  ///< 0: none
  std::int64_t second_replid_offset = -1;

  [[nodiscard]] bool includes(std::uint64_t asked_id, std::int64_t offset) const {
    return asked_id == id ||
           (asked_id == previous_id && previous_id != 0 && offset <= second_replid_offset);
  }
  /// From `offset` on it is another history.
  void shift_replication_id(std::uint64_t new_id, std::int64_t offset) {
    previous_id = id;
    second_replid_offset = offset;
    id = new_id;
  }
};

class ReplicationBacklog {
 public:
  void stop() {
    is_active_ = false;
    bytes_.clear();
  }
  /// Begins with the byte that follows `offset`.
  void start(std::int64_t offset) {
    is_active_ = true;
    bytes_.clear();
    begins_ = offset;
  }
  [[nodiscard]] bool is_active() const { return is_active_; }
  void append(std::string_view bytes, std::uint64_t size_max) {
    bytes_ += bytes;
    size_max_ = size_max;
    if (bytes_.size() > 2 * size_max) drop(bytes_.size() - size_max);
  }
  /// The bytes after `offset`; nothing if they are no longer, or not yet, there.
  [[nodiscard]] std::optional<std::string_view> since(std::int64_t offset) const {
    const std::int64_t end = begins_ + static_cast<std::int64_t>(bytes_.size());
    if (!is_active_ || offset < first_offset() || offset > end) return std::nullopt;
    return std::string_view(bytes_).substr(static_cast<std::size_t>(offset - begins_));
  }
  /// The offset before the first byte that is kept.
  [[nodiscard]] std::int64_t first_offset() const {
    const std::size_t surplus = bytes_.size() - std::min<std::size_t>(bytes_.size(), size_max_);
    return begins_ + static_cast<std::int64_t>(surplus);
  }
  [[nodiscard]] std::size_t size() const { return std::min<std::size_t>(bytes_.size(), size_max_); }

 private:
  void drop(std::size_t bytes) {
    bytes_.erase(0, bytes);
    begins_ += static_cast<std::int64_t>(bytes);
  }

  bool is_active_ = false;
  std::string bytes_;  // at most twice as much as is kept, so that dropping is rare
  std::int64_t begins_ = 0;
  std::uint64_t size_max_ = 0;
};

}  // namespace lockstep::redis
