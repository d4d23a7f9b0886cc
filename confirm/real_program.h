// The real servers at hand: the system's redis-server, those that tools/servers has fetched, and
// any program that is named by its path.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redis/server/server_version.h"

namespace lockstep::confirm {

/// A program that is a real server.
struct RealProgram {
  std::string path = "redis-server";  ///< one without a slash is looked for in PATH
  std::string release;                ///< "redis-7.0.15"; empty: not asked yet, 7.0 or later
  /// The simulated version that should be like it; nothing if none is.
  std::optional<redis::ServerVersion> version = redis::default_version;

  /// Whether its wall clock is one that it read up to a millisecond ago and what a monotonic clock
  /// says has passed since.
  [[nodiscard]] bool reckons_with_monotonic_clock() const {
    return version == redis::ServerVersion::valkey_9_1;
  }
  [[nodiscard]] bool runs_timers_by_wall_clock() const {
    return version == redis::ServerVersion::redis_6_0;
  }
  /// Whether DEBUG must be allowed by an option, which older servers do not know.
  [[nodiscard]] bool guards_debug() const { return version != redis::ServerVersion::redis_6_0; }
};

/// Asks a program what it is. Throws RedisUnusable if it is no Redis or Valkey.
[[nodiscard]] RealProgram identify_program(const std::string& path);

/// Where tools/servers puts what it fetches: $LOCKSTEP_SERVERS, or lockstep/servers in
/// $XDG_CACHE_HOME or ~/.cache.
[[nodiscard]] std::string servers_folder();

/// The system's redis-server, if there is one, and what was fetched, without what is the same
/// release; the oldest first.
[[nodiscard]] std::vector<RealProgram> programs_at_hand();

/// Those that are meant: paths, beginnings of names ("redis-8.0", "valkey"), or "all". Throws
/// RedisUnusable where a word means none.
[[nodiscard]] std::vector<RealProgram> find_programs(std::span<const std::string> words);

}  // namespace lockstep::confirm
