#include "search/fuzz/state_set.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockstep::search {

bool StateSet::insert(std::uint64_t state) {
  state = state == 0 ? 1 : state;
  const std::size_t mask = places_.size() - 1;
  std::size_t place = state & mask;
  for (; places_[place] != 0; place = (place + 1) & mask) {
    if (places_[place] == state) return false;
  }
  places_[place] = state;
  if (++used_ * 2 > places_.size()) grow();
  return true;
}

bool StateSet::contains(std::uint64_t state) const {
  state = state == 0 ? 1 : state;
  const std::size_t mask = places_.size() - 1;
  std::size_t place = state & mask;
  while (places_[place] != 0 && places_[place] != state) place = (place + 1) & mask;
  return places_[place] == state;
}

void StateSet::grow() {
  const std::vector<std::uint64_t> old =
      std::exchange(places_, std::vector<std::uint64_t>(places_.size() * 2));
  used_ = 0;
  for (const std::uint64_t state : old) {
    if (state != 0) insert(state);
  }
}

std::vector<std::uint64_t> StateSet::ascending() const {
  std::vector<std::uint64_t> states;
  std::copy_if(places_.begin(), places_.end(), std::back_inserter(states),
               [](std::uint64_t state) { return state != 0; });
  std::sort(states.begin(), states.end());
  return states;
}

}  // namespace lockstep::search
