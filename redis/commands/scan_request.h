// What SCAN and its like on one key share: the cursor, MATCH, COUNT and TYPE, and the form of the
// reply.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redis/server/command_call.h"

namespace lockstep::redis {

/// The cursor at an index; where the word is none, replies so and returns nothing.
[[nodiscard]] std::optional<std::uint64_t> read_scan_cursor(Call& call, std::size_t index);

enum class ScanOf : std::uint8_t { keys, members };

struct ScanOptions {
  std::optional<std::string_view> pattern;  ///< nothing: all match
  std::size_t count = 10;
  std::optional<std::string_view> type;  ///< of keys; nothing: all

  [[nodiscard]] bool match(std::string_view text) const;
};

/// MATCH pattern, COUNT n and, of keys, TYPE name, from an index on; where they make no sense,
/// replies so and returns nothing.
[[nodiscard]] std::optional<ScanOptions> read_scan_options(Call& call, std::size_t index,
                                                           ScanOf what = ScanOf::members);

/// Which of so many places one step of a scan looks at, and where the next goes on. Scans go from
/// the last place to the first, so that what is added at the end, or moved to a place before, is
/// never missed.
struct ScanStep {
  std::size_t first = 0;
  std::size_t last = 0;  ///< not with it
  [[nodiscard]] std::uint64_t next_cursor() const { return first; }
};
[[nodiscard]] ScanStep scan_step(std::uint64_t cursor, std::size_t count, std::size_t places);

/// [next cursor, [item…]]
void reply_scan(Call& call, std::uint64_t next_cursor, const std::vector<std::string>& items);

}  // namespace lockstep::redis
