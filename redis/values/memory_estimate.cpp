#include "redis/values/memory_estimate.h"

#include <algorithm>
#include <cstddef>
#include <variant>

#include "redis/values/keyspace.h"

namespace lockstep::redis {
namespace {

// A key's place in the table, its object and its header; the same for an expiry; what a value that
// has parts takes by itself, and each part beside its bytes.
constexpr std::uint64_t key_bytes = 72;
constexpr std::uint64_t expiry_bytes = 32;
constexpr std::uint64_t container_bytes = 64;
constexpr std::uint64_t part_bytes = 16;
constexpr std::uint64_t intset_member_bytes = 8;

/// The bytes of `size` parts, of which the first few are looked at.
template <class BytesOf>
std::uint64_t bytes_of_parts(std::size_t size, BytesOf bytes_of) {
  constexpr std::size_t sample_size = 8;
  const std::size_t sampled = std::min(size, sample_size);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < sampled; ++i) sum += bytes_of(i);
  if (sampled == sample_size) sum = sum * size / sample_size;
  return container_bytes + size * part_bytes + sum;
}

std::uint64_t bytes_of_value(const std::string& text) { return text.size(); }

std::uint64_t bytes_of_value(const HashValue& hash) {
  return bytes_of_parts(hash.size(), [&](std::size_t i) {
    const auto& [field, value] = hash.fields()[i];
    return field.size() + value.size();
  });
}

std::uint64_t bytes_of_value(const ListValue& list) {
  return bytes_of_parts(list.size(), [&](std::size_t i) { return list[i].size(); });
}

std::uint64_t bytes_of_value(const SetValue& set) {
  if (set.is_intset()) return container_bytes + set.size() * intset_member_bytes;
  return bytes_of_parts(set.size(), [&](std::size_t i) { return set.at(i).view().size(); });
}

std::uint64_t bytes_of_value(const SortedSetValue& set) {
  return bytes_of_parts(set.size(),
                        [&](std::size_t i) { return set.at(i).member.size() + sizeof(double); });
}

}  // namespace

std::uint64_t estimated_bytes(std::string_view key, const Entry& entry) {
  const std::uint64_t value =
      std::visit([](const auto& each) { return bytes_of_value(each); }, entry.value);
  return key_bytes + key.size() + value + (entry.expire_at_ms ? expiry_bytes : 0);
}

}  // namespace lockstep::redis
