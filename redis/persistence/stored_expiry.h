// How Redis 6.0 stores an expiry in its append-only file: as the moment at which the key ends,
// where its stream to replicas says for how long it lives (feedAppendOnlyFile in aof.c of 6.0).
// Later versions say the moment in both.
//
//   SET k v PX 100 NX  →  SET k v · PEXPIREAT k 1700000000100
//   SETEX k 10 v       →  SET k v · PEXPIREAT k 1700000010000
//   EXPIRE k 10        →  PEXPIREAT k 1700000010000
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lockstep::redis {

/// What is stored instead of a command that gives a key an expiry.
struct StoredExpiry {
  std::string_view key;
  std::int64_t moment_ms = 0;  ///< by the server's clock
  /// The SET before it; none: the value stays.
  std::optional<std::array<std::string_view, 3>> set;
};

/// Nothing where the command is stored as it is. REQUIRES: it was executed, so that its words are
/// as the command wants them. The result is of the words given.
[[nodiscard]] std::optional<StoredExpiry> stored_expiry(std::span<const std::string_view> words,
                                                        std::int64_t now_ms);

}  // namespace lockstep::redis
