// The least that a lock's scripts need of a Redis: hash tables and a switch.
//
// The physical limit that the simulated server is compared with. No types, no errors, no expiry but
// a stored deadline, no effects, no trace.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace lockstep::bench {

class StubStore {
 public:
  std::int64_t exists(std::string_view key) const { return keys_.count(key) != 0; }

  std::int64_t hexists(std::string_view key, std::string_view field) const {
    const auto found = keys_.find(key);
    return found != keys_.end() && found->second.fields.count(field) != 0;
  }

  std::int64_t hincrby(std::string_view key, std::string_view field, std::int64_t by) {
    auto hash = keys_.find(key);
    if (hash == keys_.end()) hash = keys_.emplace(key, Hash()).first;
    auto count = hash->second.fields.find(field);
    if (count == hash->second.fields.end()) count = hash->second.fields.emplace(field, 0).first;
    return count->second += by;
  }

  std::int64_t pexpire(std::string_view key, std::int64_t lease_ms) {
    const auto found = keys_.find(key);
    if (found == keys_.end()) return 0;
    found->second.expire_at_ms = now_ms_ + lease_ms;
    return 1;
  }

  std::int64_t pttl(std::string_view key) const {
    const auto found = keys_.find(key);
    return found == keys_.end() ? -2 : found->second.expire_at_ms - now_ms_;
  }

  std::int64_t del(std::string_view key) {
    const auto found = keys_.find(key);
    if (found == keys_.end()) return 0;
    keys_.erase(found);
    return 1;
  }

  /// Executes a command whose arguments are `argument(1)`, `argument(2)`, …
  template <typename Argument>
  std::int64_t execute(std::string_view command, const Argument& argument) {
    if (command == "exists") return exists(argument(1));
    if (command == "hexists") return hexists(argument(1), argument(2));
    if (command == "hincrby") return hincrby(argument(1), argument(2), number(argument(3)));
    if (command == "pexpire") return pexpire(argument(1), number(argument(2)));
    if (command == "pttl") return pttl(argument(1));
    if (command == "del") return del(argument(1));
    return 0;  // publish: nobody listens
  }

 private:
  /// Lets a view find a string without a copy.
  struct ViewHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  template <typename Value>
  using Map = std::unordered_map<std::string, Value, ViewHash, std::equal_to<>>;

  struct Hash {
    Map<std::int64_t> fields;
    std::int64_t expire_at_ms = 0;
  };

  static std::int64_t number(std::string_view text) {
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }

  std::int64_t now_ms_ = 1'700'000'000'000;
  Map<Hash> keys_;
};

}  // namespace lockstep::bench
