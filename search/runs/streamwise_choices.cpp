#include "search/runs/streamwise_choices.h"

#include <algorithm>

namespace lockstep::search {

void StreamwiseChoices::reset(std::span<const sim::Choice> record, std::uint64_t seed) {
  record_ = record;
  seeded_.reset(seed);
  used_ = 0;
  for (std::size_t i = 0; i < record.size(); ++i) {
    Track* track = find(record[i].stream);
    if (track == nullptr) {
      if (used_ == tracks_.size()) tracks_.emplace_back();
      track = &tracks_[used_++];
      track->stream_ = record[i].stream;
      track->places_.clear();
      track->next_ = 0;
      track->is_forgotten_ = false;
      track->forgotten_ = SIZE_MAX;
    }
    track->places_.push_back(i);
  }
}

StreamwiseChoices::Track* StreamwiseChoices::find(sim::Stream stream) {
  const std::span<Track> all = tracks();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [stream](const Track& each) { return each.stream_ == stream; });
  return found == all.end() ? nullptr : &*found;
}

std::uint64_t StreamwiseChoices::draw(sim::Stream stream, std::uint64_t count) {
  const std::uint64_t by_chance = seeded_.choose(stream, count);
  Track* const track = find(stream);
  if (track == nullptr || track->is_forgotten_) return by_chance;
  if (track->next_ == track->places_.size()) return by_chance;
  const std::size_t index = track->next_++;
  const sim::Choice& choice = record_[track->places_[index]];
  return index == track->forgotten_ || choice.count != count ? by_chance : choice.value;
}

}  // namespace lockstep::search
