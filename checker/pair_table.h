// A small map from a pair of names (an owner and a lock, say) to a value, reused from run to run.
//
// A run has a handful of such pairs and looks them up for every event, so it is one flat array with
// linear probing. It offers no order and no removal: nothing that is reported may depend on a walk
// through it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "checker/history.h"

namespace lockstep::checker {

template <typename Value>
class PairTable {
 public:
  PairTable() : slots_(16) {}

  /// Forgets everything; keeps the memory.
  void clear() {
    if (size_ == 0) return;
    slots_.assign(slots_.size(), Slot{});
    size_ = 0;
  }

  /// The pair's value, made by default where it is new. Valid until the next call.
  Value& at(NameId first, NameId second) {
    const std::uint64_t key = key_of(first, second);
    Slot& slot = slots_[place_of(key)];
    return slot.used ? slot.value : add(key);
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    bool used = false;
    Value value{};
  };

  static std::uint64_t key_of(NameId first, NameId second) {
    return (static_cast<std::uint64_t>(first) << 32U) | static_cast<std::uint64_t>(second);
  }

  /// Where the key is, or where it would go. The array is never full, so the walk ends.
  [[nodiscard]] std::size_t place_of(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = (key * 0x9E3779B97F4A7C15U >> 32U) & mask;
    while (slots_[place].used && slots_[place].key != key) place = (place + 1) & mask;
    return place;
  }

  /// Out of line, so that every look-up stays small enough to be inlined: most pairs are there.
  [[gnu::noinline]] Value& add(std::uint64_t key) {
    if ((size_ + 1) * 2 > slots_.size()) grow();
    ++size_;
    Slot& slot = slots_[place_of(key)];
    slot = {key, true, Value{}};
    return slot.value;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.used) slots_[place_of(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;  ///< a power of two, at most half used
  std::size_t size_ = 0;
};

}  // namespace lockstep::checker
