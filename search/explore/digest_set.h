// The states that an exhaustive search has reached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/engine/run_listeners.h"

namespace lockstep::search {

class DigestSet {
 public:
  /// True if it is new.
  bool insert(model::StateDigest digest);
  [[nodiscard]] bool contains(model::StateDigest digest) const;
  [[nodiscard]] std::size_t size() const { return used_; }
  [[nodiscard]] std::size_t bytes() const { return places_.size() * sizeof(model::StateDigest); }
  /// All of them, in no order that matters.
  [[nodiscard]] std::vector<model::StateDigest> all() const;
  /// A digest of the set, independent of the order of insertion.
  [[nodiscard]] model::StateDigest hash() const { return hash_; }

 private:
  [[nodiscard]] std::size_t place_of(model::StateDigest digest) const;
  void grow();

  // Open addressing, a power of two of places, at most three quarters of them taken; nought is a
  // free one.
  std::vector<model::StateDigest> places_ = std::vector<model::StateDigest>(1024);
  std::size_t used_ = 0;
  model::StateDigest hash_;
};

}  // namespace lockstep::search
