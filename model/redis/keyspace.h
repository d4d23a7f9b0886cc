// Keys, values and expiry of one database.
//
// Values are byte strings, hashes, lists, sets and sorted sets. Small hashes keep insertion order,
// as Redis's listpack does. Iteration over keys is by key, so that nothing depends on hashing. A
// key is expired when now > expire_at_ms (not at equality); an expired key stays stored until
// something deletes it, as in Redis, and logical lookups pass it over.
//
// Locks create and delete the same few keys over and over, so the memory of deleted keys is kept
// for new ones: a warm keyspace allocates nothing. Not covered: hashes with very many fields, whose
// scan is linear (Redis turns to a hash table).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/redis/list_value.h"
#include "model/redis/set_value.h"
#include "model/redis/sorted_set_value.h"

namespace lockstep::redis {

/// Fields in order of insertion; found by a linear scan, which is what Redis's listpack does too.
class HashValue {
 public:
  using Field = std::pair<std::string, std::string>;
  [[nodiscard]] const std::string* find(std::string_view field) const;
  [[nodiscard]] std::string* find(std::string_view field);
  /// True where the field is new.
  bool set(std::string_view field, std::string_view value);
  /// Adds a field at the end. REQUIRES: it is not there yet.
  void add(std::string_view field, std::string_view value);
  bool erase(std::string_view field);
  void clear() { size_ = 0; }
  [[nodiscard]] std::span<const Field> fields() const { return {fields_.data(), size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Whether its memory is that of at most so many fields, each of at most so many bytes.
  [[nodiscard]] bool is_small(std::size_t fields_max, std::size_t bytes_max) const;

  friend bool operator==(const HashValue& a, const HashValue& b);

 private:
  std::vector<Field> fields_;  // the first size_ are fields, the others memory for new ones
  std::size_t size_ = 0;
};

using Value = std::variant<std::string, HashValue, ListValue, SetValue, SortedSetValue>;

struct Entry {
  Value value;
  std::optional<std::int64_t> expire_at_ms;

  [[nodiscard]] bool expired_at(std::int64_t now_ms) const {
    return expire_at_ms && now_ms > *expire_at_ms;
  }
  friend bool operator==(const Entry&, const Entry&) = default;
};

class Keyspace {
 public:
  using Map = std::map<std::string, Entry, std::less<>>;
  /// Where an entry stands; `end()` where there is none. Valid until that entry is erased.
  using Position = Map::iterator;

  Keyspace() = default;
  Keyspace(const Keyspace&) = delete;
  Keyspace& operator=(const Keyspace&) = delete;
  ~Keyspace() = default;

  /// The entry as stored, expired or not; null where there is none.
  [[nodiscard]] const Entry* stored(std::string_view key) const;
  [[nodiscard]] Entry* stored(std::string_view key);
  /// The entry as a client sees it at a moment; null where it is absent or expired.
  [[nodiscard]] const Entry* visible(std::string_view key, std::int64_t now_ms) const;
  Entry& put(std::string_view key, Entry entry);
  bool erase(std::string_view key);
  void clear();
  [[nodiscard]] const Map& entries() const { return entries_; }

  [[nodiscard]] Position find(std::string_view key) { return entries_.find(key); }
  [[nodiscard]] Position end() { return entries_.end(); }
  void erase(Position position);
  /// A new entry without expiry and with an empty value. REQUIRES: the key is not stored.
  template <class Type>
  Entry& create(std::string_view key);
  /// Becomes an equal copy.
  void copy_from(const Keyspace& other);

  friend bool operator==(const Keyspace& a, const Keyspace& b) { return a.entries_ == b.entries_; }

 private:
  using Spare = std::vector<Map::node_type>;
  static constexpr std::size_t spare_max = 64;

  Map entries_;
  std::array<Spare, std::variant_size_v<Value>> spares_;  // by type of value
};

}  // namespace lockstep::redis
