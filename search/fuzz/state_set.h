// Which abstract states a search has reached: a set of numbers that are mixed well already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::search {

class StateSet {
 public:
  /// True where it was not there yet.
  bool insert(std::uint64_t state);
  [[nodiscard]] bool contains(std::uint64_t state) const;
  [[nodiscard]] std::size_t size() const { return used_; }
  [[nodiscard]] std::vector<std::uint64_t> ascending() const;

 private:
  void grow();

  // Open addressing, a power of two of places, at most half of them taken; 0 is a free one.
  std::vector<std::uint64_t> places_ = std::vector<std::uint64_t>(1024);
  std::size_t used_ = 0;
};

}  // namespace lockstep::search
