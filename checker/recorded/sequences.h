// Gives equal sequences of numbers the same small number, so that a state that is a list or a map
// costs four bytes and is compared at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace lockstep::checker::recorded {

class Sequences {
 public:
  /// Number 0 is the empty sequence.
  Sequences() { number_of({}); }

  std::uint32_t number_of(std::span<const std::uint32_t> sequence) {
    if (2 * ends_.size() >= table_.size()) grow();
    std::size_t slot = hash(sequence) & (table_.size() - 1);
    while (table_[slot] != none) {
      const std::span<const std::uint32_t> there = at(table_[slot]);
      if (std::equal(there.begin(), there.end(), sequence.begin(), sequence.end())) {
        return table_[slot];
      }
      slot = (slot + 1) & (table_.size() - 1);
    }
    table_[slot] = static_cast<std::uint32_t>(ends_.size());
    numbers_.insert(numbers_.end(), sequence.begin(), sequence.end());
    ends_.push_back(numbers_.size());
    return table_[slot];
  }

  /// Valid until the next sequence is numbered.
  [[nodiscard]] std::span<const std::uint32_t> at(std::uint32_t number) const {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return {numbers_.data() + begin, ends_[number] - begin};
  }

  [[nodiscard]] std::uint64_t memory_bytes() const {
    return numbers_.capacity() * sizeof(numbers_[0]) + ends_.capacity() * sizeof(ends_[0]) +
           table_.capacity() * sizeof(table_[0]);
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  [[nodiscard]] static std::size_t hash(std::span<const std::uint32_t> sequence) {
    std::uint64_t hash = sequence.size();
    for (const std::uint32_t number : sequence) {
      hash = (hash ^ number) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 29U;
    }
    return static_cast<std::size_t>(hash);
  }
  void grow() {
    table_.assign(std::max<std::size_t>(64, 2 * table_.size()), none);
    for (std::uint32_t number = 0; number < ends_.size(); ++number) {
      std::size_t slot = hash(at(number)) & (table_.size() - 1);
      while (table_[slot] != none) slot = (slot + 1) & (table_.size() - 1);
      table_[slot] = number;
    }
  }

  std::vector<std::uint32_t> numbers_;
  std::vector<std::size_t> ends_;
  std::vector<std::uint32_t> table_;  ///< open addressing; a power of two
};

}  // namespace lockstep::checker::recorded
