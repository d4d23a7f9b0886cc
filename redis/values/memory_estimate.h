// How much memory a key costs: an estimate of our own, for maxmemory and INFO.
//
// A real server counts what its allocator hands out, which depends on the machine. Here a key costs
// its bytes, those of its value and a fixed amount for each part, about what Redis's own structures
// take. Of values with many parts the first few stand for all, so that an estimate costs the same
// for every size.
#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep::redis {

struct Entry;

/// What a server without data takes: measured on Redis 7.0.15 just started.
inline constexpr std::uint64_t empty_server_bytes = 876'168;

[[nodiscard]] std::uint64_t estimated_bytes(std::string_view key, const Entry& entry);

}  // namespace lockstep::redis
