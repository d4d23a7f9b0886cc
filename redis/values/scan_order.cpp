#include "redis/values/scan_order.h"

#include <algorithm>

#include "redis/values/byte_hash.h"

namespace lockstep::redis {
namespace {

ScanOrder::Cursor place_of(std::string_view key) {
  constexpr unsigned bits_dropped = 16;
  return std::max<ScanOrder::Cursor>(1, byte_hash(key) >> bits_dropped);
}

}  // namespace

void ScanOrder::add(std::string_view key) { keys_.emplace(place_of(key), key); }

void ScanOrder::remove(std::string_view key) { keys_.erase({place_of(key), key}); }

ScanOrder::Part ScanOrder::part(Cursor from, std::size_t count) const {
  Part part;
  auto position = keys_.lower_bound({from, {}});
  Cursor last = 0;
  // Keys of the same place stay together: a cursor cannot stand between them.
  while (position != keys_.end() && (part.keys.size() < count || position->first == last)) {
    last = position->first;
    part.keys.emplace_back(position->second);
    ++position;
  }
  if (position != keys_.end()) part.next = position->first;
  return part;
}

}  // namespace lockstep::redis
