// Redis's active expire cycle: its position in each database, and whether it is enabled.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "redis/persistence/stored_files.h"

namespace lockstep::redis {

class ExpireCycle {
 public:
  void start() {
    next_key_ = {};
    is_on_ = true;
  }
  /// DEBUG SET-ACTIVE-EXPIRE.
  void set_on(bool is_on) { is_on_ = is_on; }
  /// Looks at some thousand keys of each database, after those of the last call, and calls
  /// expire(database, position) for each that is expired, expire_fields for each other one that is
  /// a hash whose fields expire.
  template <typename Expire, typename ExpireFields>
  void run(Databases& databases, std::int64_t now_ms, Expire expire, ExpireFields expire_fields) {
    constexpr std::size_t keys_looked_at_max = 10'000;
    if (!is_on_) return;
    for (std::size_t i = 0; i < database_count; ++i) {
      Keyspace& keys = databases[i];
      if (keys.entries().empty()) continue;
      Keyspace::Position next = keys.from(next_key_[i]);
      for (std::size_t n = 0; n < keys_looked_at_max && next != keys.end(); ++n) {
        const Keyspace::Position looked_at = next++;
        const auto database = static_cast<std::uint8_t>(i);
        const auto* const hash = std::get_if<HashValue>(&looked_at->second.value);
        if (looked_at->second.expired_at(now_ms)) {
          expire(database, looked_at);
        } else if (hash != nullptr && hash->has_expiries()) {
          expire_fields(database, looked_at);
        }
      }
      next_key_[i] = next == keys.end() ? std::string() : next->first;
    }
  }
  void digest_into(sim::Digest& digest) const;

 private:
  std::array<std::string, database_count> next_key_;
  bool is_on_ = true;
};

}  // namespace lockstep::redis
