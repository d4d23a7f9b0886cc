// Strategies that learn: they keep the runs that reached a state which no run before had reached,
// and make new ones of them.
//
// A kept run is its choices. The newest are used most often; when there are too many, the oldest
// go. A search may begin with a corpus, whose runs count as older than all of its own. Where
// nothing is kept yet, a run is made by chance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/fuzz/random_strategies.h"
#include "search/fuzz/strategy.h"
#include "search/runs/streamwise_choices.h"

namespace lockstep::search {

class KeptRuns {
 public:
  /// Runs of before, which outlive it; the one at `first` counts as the newest of them.
  void begin_with(std::span<const KeptRun> older, std::size_t first);
  void learn(const RunFeedback& feedback);
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::size_t size() const { return runs_.size() + older_.size(); }
  /// By age: 0 is the newest.
  [[nodiscard]] const KeptRun& newest(std::size_t age) const;

 private:
  static constexpr std::size_t runs_max = 128;
  std::vector<KeptRun> runs_;
  std::size_t next_ = 0;  // where the next one goes, once it is full
  std::span<const KeptRun> older_;
  std::size_t first_older_ = 0;
};

/// Makes the choices of a kept run once more, but for a few streams: those of some of its faults,
/// of the messages of some links, or of whatever else.
class MutationStrategy final : public Strategy {
 public:
  sim::ChoiceSource& begin_run(std::uint64_t run_seed) override;
  void begin_with(std::span<const KeptRun> older, std::size_t first) override {
    kept_.begin_with(older, first);
  }
  void learn(const RunFeedback& feedback) override { kept_.learn(feedback); }

 private:
  void change();

  KeptRuns kept_;
  StreamwiseChoices choices_;
  sim::SeededChoices own_{0};
};

/// Makes the choices of a kept run up to where it reached its new state, and goes on by chance.
class BranchingStrategy final : public Strategy, private BiasedChoices {
 public:
  sim::ChoiceSource& begin_run(std::uint64_t run_seed) override;
  void begin_with(std::span<const KeptRun> older, std::size_t first) override {
    kept_.begin_with(older, first);
  }
  void learn(const RunFeedback& feedback) override { kept_.learn(feedback); }

 private:
  std::uint64_t draw(sim::Stream stream, std::uint64_t count) override;

  KeptRuns kept_;
  const KeptRun* run_ = nullptr;
  std::size_t next_ = 0;
};

}  // namespace lockstep::search
