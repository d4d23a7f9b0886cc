// Choices drawn from a seed: the same seed gives the same run on every machine and compiler.
//
// Each stream is its own generator (SplitMix64, Steele, Lea & Flood 2014), seeded from the root
// seed and the stream's name. Draws are unbiased (Lemire 2019, with integers only).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/choice_source.h"

namespace lockstep::sim {

class SeededChoices final : public ChoiceSource {
 public:
  explicit SeededChoices(std::uint64_t seed);

  /// Starts again from another seed; keeps the memory it has.
  void reset(std::uint64_t seed);

 private:
  struct Generator {
    Stream stream;
    std::uint32_t run = 0;  // the run it was made for; of an earlier run: a free place
    std::uint64_t state = 0;
  };

  std::uint64_t draw(Stream stream, std::uint64_t count) override;
  Generator& generator(Stream stream);
  [[nodiscard]] std::size_t place_of(Stream stream) const;
  void grow();

  std::uint64_t seed_;
  std::uint32_t run_ = 1;
  std::size_t used_ = 0;
  // A table with open addressing and a power of two of places, at most half of them taken. Nothing
  // depends on the order in it.
  std::vector<Generator> generators_;
};

}  // namespace lockstep::sim
