// The cluster slot of a key: which of the 16,384 parts of the key space it belongs to.
//
// Source: Redis Cluster specification, "Key distribution model" and "Hash tags".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lockstep::redis {

inline constexpr std::uint32_t slot_count = 16384;

/// CRC16 (XMODEM) of the key, or of what lies between its first '{' and the next '}' if that is not
/// empty, modulo slot_count.
[[nodiscard]] std::uint32_t key_slot(std::string_view key);

/// Which of `count` masters has the slot where the slots are shared out in equal ranges in order,
/// as `redis-cli --cluster create` does; counted from 0. REQUIRES: slot < slot_count, 0 < count.
[[nodiscard]] std::size_t master_of_slot(std::uint32_t slot, std::size_t count);

}  // namespace lockstep::redis
