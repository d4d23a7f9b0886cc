#include "search/explore/digest_set.h"

#include <utility>

#include "sim/mixing.h"

namespace lockstep::search {
namespace {

constexpr model::StateDigest free_place{};

/// Nought stands for a free place; the digest itself is as good as any other number.
model::StateDigest stored(model::StateDigest digest) {
  return digest == free_place ? model::StateDigest{0, 1} : digest;
}

}  // namespace

std::size_t DigestSet::place_of(model::StateDigest digest) const {
  const std::size_t last = places_.size() - 1;
  auto place = static_cast<std::size_t>(sim::mix(digest.low)) & last;
  while (places_[place] != free_place && places_[place] != digest) place = (place + 1) & last;
  return place;
}

bool DigestSet::contains(model::StateDigest digest) const {
  return places_[place_of(stored(digest))] != free_place;
}

bool DigestSet::insert(model::StateDigest digest) {
  digest = stored(digest);
  std::size_t place = place_of(digest);
  if (places_[place] != free_place) return false;
  if (4 * (used_ + 1) > 3 * places_.size()) {
    grow();
    place = place_of(digest);
  }
  places_[place] = digest;
  ++used_;
  // A sum: the order does not matter.
  hash_.high += sim::mixed(digest.high, digest.low);
  hash_.low += sim::mixed(digest.low, digest.high);
  return true;
}

std::vector<model::StateDigest> DigestSet::all() const {
  std::vector<model::StateDigest> digests;
  digests.reserve(used_);
  for (const model::StateDigest& digest : places_) {
    if (digest != free_place) digests.push_back(digest);
  }
  return digests;
}

void DigestSet::grow() {
  std::vector<model::StateDigest> old(2 * places_.size());
  old.swap(places_);
  for (const model::StateDigest& digest : old) {
    if (digest != free_place) places_[place_of(digest)] = digest;
  }
}

}  // namespace lockstep::search
