// Keys, values and expiry of one database.
//
// Values are byte strings, hashes and (from the fidelity work on) the other Redis types. Small hashes
// keep insertion order, as Redis's listpack does. Iteration over keys is by key, so that nothing
// depends on hashing. A key is expired when now > expire_at_ms (not at equality); an expired key stays
// stored until something deletes it, as in Redis, and logical lookups pass it over.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep::redis {

/// Fields in order of insertion; found by a linear scan, which is what Redis's listpack does too.
class HashValue {
 public:
  using Field = std::pair<std::string, std::string>;
  [[nodiscard]] const std::string* find(std::string_view field) const;
  [[nodiscard]] std::string* find(std::string_view field);
  /// True where the field is new.
  bool set(std::string_view field, std::string_view value);
  bool erase(std::string_view field);
  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }

 private:
  std::vector<Field> fields_;
};

struct Entry {
  std::variant<std::string, HashValue> value;
  std::optional<std::int64_t> expire_at_ms;

  [[nodiscard]] bool expired_at(std::int64_t now_ms) const {
    return expire_at_ms && now_ms > *expire_at_ms;
  }
};

class Keyspace {
 public:
  using Map = std::map<std::string, Entry, std::less<>>;

  /// The entry as stored, expired or not; null where there is none.
  [[nodiscard]] const Entry* stored(std::string_view key) const;
  [[nodiscard]] Entry* stored(std::string_view key);
  /// The entry as a client sees it at a moment; null where it is absent or expired.
  [[nodiscard]] const Entry* visible(std::string_view key, std::int64_t now_ms) const;
  Entry& put(std::string_view key, Entry entry);
  bool erase(std::string_view key);
  void clear() { entries_.clear(); }
  [[nodiscard]] const Map& entries() const { return entries_; }

 private:
  Map entries_;
};

}  // namespace lockstep::redis
