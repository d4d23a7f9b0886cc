// Numbered places for items, used again: the lowest free number is not promised, but always the
// same one after the same calls. A freed item stays as it was, so that its memory serves the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::redis {

template <class Item>
class ItemPool {
 public:
  using Id = std::uint32_t;

  /// A place for an item; what is in it is left over from an earlier one.
  [[nodiscard]] Id take() {
    if (free_.empty()) {
      items_.emplace_back();
      return static_cast<Id>(items_.size() - 1);
    }
    const Id id = free_.back();
    free_.pop_back();
    return id;
  }
  void give_back(Id id) { free_.push_back(id); }
  [[nodiscard]] Item& operator[](Id id) { return items_[id]; }
  [[nodiscard]] const Item& operator[](Id id) const { return items_[id]; }
  /// How many places there are, free ones included.
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  /// Frees all; keeps memory.
  void clear() {
    free_.clear();
    for (std::size_t id = items_.size(); id > 0; --id) free_.push_back(static_cast<Id>(id - 1));
  }
  void release_memory() {
    items_ = {};
    free_ = {};
  }

 private:
  std::vector<Item> items_;
  std::vector<Id> free_;
};

}  // namespace lockstep::redis
