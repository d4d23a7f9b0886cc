#include "redis/values/key_slot.h"

#include <cassert>

namespace lockstep::redis {
namespace {

std::uint32_t crc16(std::string_view text) {
  constexpr std::uint32_t polynomial = 0x1021;
  std::uint32_t crc = 0;
  for (const char character : text) {
    crc ^= static_cast<std::uint32_t>(static_cast<unsigned char>(character)) << 8U;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc & 0x8000U) != 0 ? (crc << 1U) ^ polynomial : crc << 1U;
    }
    crc &= 0xFFFFU;
  }
  return crc;
}

std::string_view hashed_part(std::string_view key) {
  const std::size_t open = key.find('{');
  if (open == std::string_view::npos) return key;
  const std::size_t close = key.find('}', open + 1);
  if (close == std::string_view::npos || close == open + 1) return key;
  return key.substr(open + 1, close - open - 1);
}

}  // namespace

std::uint32_t key_slot(std::string_view key) { return crc16(hashed_part(key)) % slot_count; }

std::size_t master_of_slot(std::uint32_t slot, std::size_t count) {
  assert(slot < slot_count && count > 0);
  for (std::size_t master = 0; master + 1 < count; ++master) {
    // The range ends at (master + 1) · slot_count / count − 1, rounded to the nearest.
    const std::size_t twice = 2 * (master + 1) * slot_count;
    const std::size_t last = (twice + count) / (2 * count) - 1;
    if (slot <= last) return master;
  }
  return count - 1;
}

}  // namespace lockstep::redis
