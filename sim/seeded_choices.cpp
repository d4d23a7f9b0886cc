#include "sim/seeded_choices.h"

#include <cassert>

#include "sim/mixing.h"

namespace lockstep::sim {
namespace {

__extension__ using UnsignedWide = unsigned __int128;

constexpr std::size_t first_places = 64;

constexpr std::uint64_t key_of(Stream stream) {
  return (static_cast<std::uint64_t>(stream.purpose) << 32) | stream.owner;
}

constexpr std::uint64_t next(std::uint64_t& state) {
  state += golden_gamma;
  return mix(state);
}

}  // namespace

SeededChoices::SeededChoices(std::uint64_t seed) : seed_(seed), generators_(first_places) {}

void SeededChoices::reset(std::uint64_t seed) {
  seed_ = seed;
  used_ = 0;
  if (++run_ == 0) {  // after 2^32 runs: no place may seem to be of this run
    generators_.assign(generators_.size(), Generator{});
    run_ = 1;
  }
}

// Lemire's method: of the 128-bit product, the high half is the answer; the low half tells whether
// this answer has one preimage too many, which happens with a chance below count / 2^64.
std::uint64_t SeededChoices::draw(Stream stream, std::uint64_t count) {
  assert(count >= 2);
  std::uint64_t& state = generator(stream).state;
  UnsignedWide product = UnsignedWide{next(state)} * count;
  if (static_cast<std::uint64_t>(product) < count) {
    const std::uint64_t excess = (0 - count) % count;
    while (static_cast<std::uint64_t>(product) < excess)
      product = UnsignedWide{next(state)} * count;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

SeededChoices::Generator& SeededChoices::generator(Stream stream) {
  std::size_t place = place_of(stream);
  if (generators_[place].run != run_) {
    if (2 * (used_ + 1) > generators_.size()) {
      grow();
      place = place_of(stream);
    }
    ++used_;
    // Two rounds, so that neither nearby seeds nor nearby owners give related states.
    generators_[place] = {stream, run_, mix(mix(seed_ + golden_gamma) ^ mix(~key_of(stream)))};
  }
  return generators_[place];
}

/// Where the stream's generator is, or else the free place for it.
std::size_t SeededChoices::place_of(Stream stream) const {
  const std::size_t last = generators_.size() - 1;
  std::size_t place = static_cast<std::size_t>(mix(key_of(stream))) & last;
  while (generators_[place].run == run_ && generators_[place].stream != stream) {
    place = (place + 1) & last;
  }
  return place;
}

void SeededChoices::grow() {
  std::vector<Generator> old(2 * generators_.size());
  old.swap(generators_);
  for (const Generator& moved : old) {
    if (moved.run == run_) generators_[place_of(moved.stream)] = moved;
  }
}

}  // namespace lockstep::sim
