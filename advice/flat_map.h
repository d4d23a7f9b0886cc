// A small map in one block of memory. Symbolic execution copies its states often.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <utility>
#include <vector>

namespace lockstep::advice {

/// Sorted by key. Insertion takes linear time.
template <typename Key, typename Item>
class FlatMap {
 public:
  using Entry = std::pair<Key, Item>;

  [[nodiscard]] const Item* find(const Key& key) const {
    const auto at = lower(key);
    return at != entries_.end() && at->first == key ? &at->second : nullptr;
  }
  [[nodiscard]] bool contains(const Key& key) const { return find(key) != nullptr; }
  void set(const Key& key, const Item& item) {
    const auto at = entries_.begin() + (lower(key) - entries_.cbegin());
    if (at != entries_.end() && at->first == key) {
      at->second = item;
    } else {
      entries_.insert(at, {key, item});
    }
  }
  /// Erases the keys from `first` to before `end`.
  void erase_range(const Key& first, const Key& end) {
    const auto begin = lower(first);
    entries_.erase(begin, std::max(begin, lower(end)));
  }
  template <typename Predicate>
  void erase_if(Predicate predicate) {
    std::erase_if(entries_, predicate);
  }
  void clear() { entries_.clear(); }

  friend auto operator<=>(const FlatMap&, const FlatMap&) = default;
  friend bool operator==(const FlatMap&, const FlatMap&) = default;

 private:
  [[nodiscard]] typename std::vector<Entry>::const_iterator lower(const Key& key) const {
    return std::lower_bound(entries_.begin(), entries_.end(), key,
                            [](const Entry& entry, const Key& word) { return entry.first < word; });
  }

  std::vector<Entry> entries_;
};

}  // namespace lockstep::advice
