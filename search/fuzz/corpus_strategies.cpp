#include "search/fuzz/corpus_strategies.h"

#include <algorithm>
#include <bit>

#include "search/fuzz/change_tracks.h"

namespace lockstep::search {
namespace {

/// An age in [0, count), small ones more often.
template <typename Own>
std::size_t draw_age(std::size_t count, Own own) {
  const auto doublings = static_cast<std::uint64_t>(std::bit_width(count));
  const auto up_to = std::min<std::uint64_t>(count, std::uint64_t{1} << own(doublings));
  return static_cast<std::size_t>(own(up_to));
}

}  // namespace

void KeptRuns::begin_with(std::span<const KeptRun> older, std::size_t first) {
  older_ = older;
  first_older_ = first;
}

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
  if (age >= runs_.size()) return older_[(first_older_ + age - runs_.size()) % older_.size()];
  return runs_[(next_ + runs_.size() - 1 - age) % runs_.size()];
}

// -- mutation --

sim::ChoiceSource& MutationStrategy::begin_run(std::uint64_t run_seed) {
  own_.reset(run_seed);
  if (kept_.empty()) {
    choices_.reset({}, run_seed);
    return choices_;
  }
  const std::size_t age = draw_age(
      kept_.size(), [this](std::uint64_t count) { return own_.choose(own_stream, count); });
  choices_.reset(kept_.newest(age).choices, run_seed);
  change();
  return choices_;
}

/// Between one and three changes, most of them of faults.
void MutationStrategy::change() {
  const auto own = [this](std::uint64_t count) { return own_.choose(own_stream, count); };
  const auto tracks = choices_.tracks();
  std::vector<StreamwiseChoices::Track*> of_faults;
  for (StreamwiseChoices::Track& track : tracks) {
    if (is_of_faults(track.stream().purpose)) of_faults.push_back(&track);
  }
  constexpr std::uint64_t changes_max = 3;
  for (std::uint64_t left = 1 + own(changes_max); left > 0 && !tracks.empty(); --left) {
    const bool is_of_fault = !of_faults.empty() && own(4) > 0;
    StreamwiseChoices::Track& track =
        is_of_fault ? *of_faults[own(of_faults.size())] : tracks[own(tracks.size())];
    if (own(2) == 0) {
      track.forget_all();
    } else {
      track.forget(own(track.size()));
    }
  }
}

// -- branching --

sim::ChoiceSource& BranchingStrategy::begin_run(std::uint64_t run_seed) {
  reseed(run_seed);
  next_ = 0;
  // What was drawn first is never drawn again by going on from later states (faults, most of all):
  // so one run in four begins afresh.
  const bool is_fresh = kept_.empty() || own(4) == 0;
  run_ = is_fresh ? nullptr : &kept_.newest(draw_age(kept_.size(), [this](std::uint64_t count) {
    return own(count);
  }));
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
