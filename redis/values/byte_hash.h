// A hash of bytes that is the same in every run and on every machine (FNV-1a, mixed).
#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep::redis {

[[nodiscard]] constexpr std::uint64_t byte_hash(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 1099511628211ULL;
  }
  hash ^= hash >> 32U;
  hash *= 0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 29U);
}

}  // namespace lockstep::redis
