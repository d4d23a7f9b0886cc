#include "search/fuzz/change_tracks.h"

#include <algorithm>

#include "search/fuzz/strategy.h"
#include "sim/seeded_choices.h"

namespace lockstep::search {
namespace {

/// Draws what changes themselves leave open.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : choices_(seed) {}
  std::uint64_t below(std::uint64_t count) { return choices_.choose(own_stream, count); }
  std::size_t index(std::size_t size) { return static_cast<std::size_t>(below(size)); }

 private:
  sim::SeededChoices choices_;
};

/// Small ones often: most choices have few alternatives.
std::uint64_t drawn_value(Dice& dice, std::uint64_t old) {
  constexpr std::uint64_t bits = 64;
  switch (dice.below(4)) {
    case 0:
      return dice.below(8);
    case 1:
      return old + 1;
    case 2:
      return old - 1;
    default:
      return dice.below(UINT64_MAX) >> dice.below(bits);
  }
}

void change_track(ChoiceTrack& track, Dice& dice) {
  std::vector<std::uint64_t>& values = track.values;
  if (values.empty()) return;
  const std::size_t place = dice.index(values.size());
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(place);
  switch (dice.below(6)) {
    case 0:
      values.erase(at);
      break;
    case 1:
      values.insert(at, *at);
      break;
    case 2:
      values.resize(place);
      break;
    case 3:
      values.clear();
      break;
    default:
      *at = drawn_value(dice, *at);
  }
}

}  // namespace

bool is_of_faults(sim::Purpose purpose) {
  return purpose == sim::Purpose::fault || purpose == sim::Purpose::fault_kind ||
         purpose == sim::Purpose::fault_moment || purpose == sim::Purpose::fault_extent;
}

bool may_change(sim::Purpose purpose) {
  return purpose != sim::Purpose::token && purpose != sim::Purpose::client_random;
}

void change_tracks(std::vector<ChoiceTrack>& tracks, std::uint64_t seed) {
  Dice dice(seed);
  std::vector<std::size_t> changeable;
  std::vector<std::size_t> of_faults;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (may_change(tracks[i].stream.purpose)) changeable.push_back(i);
    if (is_of_faults(tracks[i].stream.purpose)) of_faults.push_back(i);
  }
  if (changeable.empty()) return;
  constexpr std::uint64_t changes_max = 3;
  for (std::uint64_t left = 1 + dice.below(changes_max); left > 0; --left) {
    const bool is_of_fault = !of_faults.empty() && dice.below(4) > 0;
    const std::size_t track = is_of_fault ? of_faults[dice.index(of_faults.size())]
                                          : changeable[dice.index(changeable.size())];
    change_track(tracks[track], dice);
  }
}

void mix_tracks(std::vector<ChoiceTrack>& tracks, const std::vector<ChoiceTrack>& others,
                std::uint64_t seed) {
  Dice dice(seed);
  for (const ChoiceTrack& other : others) {
    if (dice.below(2) == 0) continue;
    const auto own = std::find_if(tracks.begin(), tracks.end(), [&other](const ChoiceTrack& each) {
      return each.stream == other.stream;
    });
    if (own == tracks.end()) {
      tracks.push_back(other);
    } else {
      own->values = other.values;
    }
  }
}

}  // namespace lockstep::search
