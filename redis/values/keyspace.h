// Keys, values and expiry of one database.
//
// Values are byte strings, hashes, lists, sets and sorted sets. Small hashes keep insertion order,
// as Redis's listpack does. Iteration over keys is by key, so that nothing depends on hashing. A
// key is expired when now > expire_at_ms (not at equality); an expired key stays stored until
// something deletes it, as in Redis, and logical lookups pass it over.
//
// Locks create and delete the same few keys over and over, so the memory of deleted keys is kept
// for new ones: a warm keyspace allocates nothing.
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

#include "redis/values/hash_value.h"
#include "redis/values/list_value.h"
#include "redis/values/scan_order.h"
#include "redis/values/set_value.h"
#include "redis/values/sorted_set_value.h"
#include "sim/digest.h"

namespace lockstep::redis {

using Value = std::variant<std::string, HashValue, ListValue, SetValue, SortedSetValue>;

/// How Redis would keep a string, as OBJECT ENCODING tells.
enum class StringEncoding : std::uint8_t {
  natural,  ///< as an integer where it is one
  text,     ///< not as an integer: INCRBYFLOAT wrote it
  raw,      ///< open to changes: APPEND or SETRANGE wrote into it
};

struct Entry {
  Value value;
  std::optional<std::int64_t> expire_at_ms;
  StringEncoding form = StringEncoding::natural;

  [[nodiscard]] bool expired_at(std::int64_t now_ms) const {
    return expire_at_ms && now_ms > *expire_at_ms;
  }
  /// The form is left out: replicas may keep a string in another.
  friend bool operator==(const Entry& a, const Entry& b) {
    return a.value == b.value && a.expire_at_ms == b.expire_at_ms;
  }
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

  [[nodiscard]] Position find(std::string_view key) {
    if (is_recent(key)) return recent_;
    return recent_ = entries_.find(key);
  }
  [[nodiscard]] Position end() { return entries_.end(); }
  /// The first key that is not before this one in memcmp's order.
  [[nodiscard]] Position from(std::string_view key) { return entries_.lower_bound(key); }
  void erase(Position position);
  /// A new entry without expiry and with an empty value. One that is stored gives way to it: on a
  /// replica an expired key is not there for commands, yet stays until its master deletes it.
  template <class Type>
  Entry& create(std::string_view key);
  /// Becomes an equal copy, as by a snapshot: each value in the form that suits it
  /// (rdb_load_encoding.h).
  void copy_from(const Keyspace& other);
  void swap(Keyspace& other);
  /// Takes an entry with its expiry to another key, here or in another keyspace. What is stored
  /// there gives way, as in create.
  void move_entry(Position position, Keyspace& target, std::string_view key);
  /// Keys in an order that new and deleted keys do not disturb, for SCAN. Costs something from the
  /// first call on, until the keyspace is cleared.
  [[nodiscard]] const ScanOrder& scan_order();

  /// Keys, values and what is left of their lives at this reading of the server's clock
  /// (keyspace_digest.cpp).
  void digest_into(sim::Digest& digest, std::int64_t now_ms) const;

  friend bool operator==(const Keyspace& a, const Keyspace& b) { return a.entries_ == b.entries_; }

 private:
  using Spare = std::vector<Map::node_type>;
  static constexpr std::size_t spare_max = 64;

  Map::iterator added(Map::iterator position) {
    if (scan_order_) scan_order_->add(position->first);
    return position;
  }

  [[nodiscard]] bool is_recent(std::string_view key) const {
    return recent_ != entries_.end() && recent_->first == key;
  }

  Map entries_;
  /// What was found last, or the end: most commands have the key of the one before.
  Position recent_ = entries_.end();
  std::optional<ScanOrder> scan_order_;
  std::array<Spare, std::variant_size_v<Value>> spares_;  // by type of value
};

}  // namespace lockstep::redis
