#include "search/corpus_strategies.h"

#include <algorithm>
#include <bit>

namespace lockstep::search {
namespace {

bool is_of_faults(sim::Purpose purpose) {
  return purpose == sim::Purpose::fault || purpose == sim::Purpose::fault_kind ||
         purpose == sim::Purpose::fault_moment || purpose == sim::Purpose::fault_extent;
}

/// An age in [0, count), small ones more often.
template <typename Own>
std::size_t draw_age(std::size_t count, Own own) {
  const auto doublings = static_cast<std::uint64_t>(std::bit_width(count));
  const auto up_to = std::min<std::uint64_t>(count, std::uint64_t{1} << own(doublings));
  return static_cast<std::size_t>(own(up_to));
}

}  // namespace

void KeptRuns::learn(const RunFeedback& feedback) {
  if (!feedback.discovery) return;
  KeptRun run{{feedback.choices.begin(), feedback.choices.end()}, *feedback.discovery};
  if (runs_.size() < runs_max) {
    runs_.push_back(std::move(run));
    return;
  }
  runs_[next_] = std::move(run);
  next_ = (next_ + 1) % runs_max;
}

const KeptRun& KeptRuns::newest(std::size_t age) const {
  return runs_[(next_ + runs_.size() - 1 - age) % runs_.size()];
}

// -- mutation --

sim::ChoiceSource& MutationStrategy::begin_run(std::uint64_t run_seed) {
  reseed(run_seed);
  run_ = nullptr;
  if (kept_.empty()) return *this;
  run_ = &kept_.newest(draw_age(kept_.size(), [this](std::uint64_t count) { return own(count); }));
  lay_tracks();
  change_tracks();
  return *this;
}

MutationStrategy::Track* MutationStrategy::find(sim::Stream stream) {
  const auto end = tracks_.begin() + static_cast<std::ptrdiff_t>(used_);
  const auto found = std::find_if(tracks_.begin(), end,
                                  [stream](const Track& each) { return each.stream == stream; });
  return found == end ? nullptr : &*found;
}

void MutationStrategy::lay_tracks() {
  used_ = 0;
  for (std::size_t i = 0; i < run_->choices.size(); ++i) {
    const sim::Stream stream = run_->choices[i].stream;
    Track* track = find(stream);
    if (track == nullptr) {
      if (used_ == tracks_.size()) tracks_.emplace_back();
      track = &tracks_[used_++];
      track->stream = stream;
      track->is_fresh = false;
      track->places.clear();
      track->next = 0;
      track->changed = SIZE_MAX;
    }
    track->places.push_back(i);
  }
}

/// Between one and three changes, most of them of faults.
void MutationStrategy::change_tracks() {
  std::vector<Track*> of_faults;
  for (std::size_t i = 0; i < used_; ++i) {
    if (is_of_faults(tracks_[i].stream.purpose)) of_faults.push_back(&tracks_[i]);
  }
  constexpr std::uint64_t changes_max = 3;
  for (std::uint64_t left = 1 + own(changes_max); left > 0; --left) {
    const bool is_of_fault = !of_faults.empty() && own(4) > 0;
    Track& track = is_of_fault ? *of_faults[own(of_faults.size())] : tracks_[own(used_)];
    if (own(2) == 0) {
      track.is_fresh = true;
    } else {
      track.changed = own(track.places.size());
    }
  }
}

std::uint64_t MutationStrategy::draw(sim::Stream stream, std::uint64_t count) {
  const std::uint64_t fresh = seeded(stream, count);
  if (run_ == nullptr) return fresh;
  Track* const track = find(stream);
  if (track == nullptr || track->is_fresh || track->next == track->places.size()) return fresh;
  const std::size_t place = track->next++;
  const sim::Choice& choice = run_->choices[track->places[place]];
  if (place == track->changed || choice.count != count) return fresh;
  return choice.value;
}

// -- branching --

sim::ChoiceSource& BranchingStrategy::begin_run(std::uint64_t run_seed) {
  reseed(run_seed);
  next_ = 0;
  run_ = kept_.empty() ? nullptr
                       : &kept_.newest(draw_age(
                             kept_.size(), [this](std::uint64_t count) { return own(count); }));
  return *this;
}

std::uint64_t BranchingStrategy::draw(sim::Stream stream, std::uint64_t count) {
  const std::uint64_t fresh = seeded(stream, count);
  if (run_ == nullptr || next_ >= run_->discovery) return fresh;
  const sim::Choice& choice = run_->choices[next_++];
  if (choice.stream == stream && choice.count == count) return choice.value;
  run_ = nullptr;  // it goes another way: by chance from here on
  return fresh;
}

}  // namespace lockstep::search
