// The choices of a run, each reduced to a few alternatives and answered by index.
//
// Decisions of a run are numbered as they come. All are answered with their first alternative, but
// for those of a path: deviations, by number. A range of delays or durations is cut into steps,
// from the least to the most, so that the first alternative is the least. What only has to be
// different each time (tokens) is drawn from a fixed seed and is no decision; so is what servers
// draw before the first step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/explore/explore_bounds.h"
#include "sim/choice_source.h"
#include "sim/recorded_choices.h"
#include "sim/seeded_choices.h"

namespace lockstep::search {

/// A decision that takes another alternative than the first.
struct Deviation {
  std::uint32_t decision = 0;  ///< its number
  std::uint32_t answer = 0;    ///< ≥ 1

  friend bool operator==(const Deviation&, const Deviation&) = default;
};

/// In the order of their decisions: a run is what its path says.
using Path = std::vector<Deviation>;

/// The sort of a decision, which determines the cost of a deviation.
enum class DecisionKind : std::uint8_t { choice, delay, fault };

struct Decision {
  DecisionKind kind;
  std::uint32_t alternatives;  ///< ≥ 2
  std::uint32_t answer;        ///< of them
  std::uint32_t owner = 0;     ///< of a delay: the link (sim/choice_source.h)

  friend bool operator==(const Decision&, const Decision&) = default;
};

class BoundedChoices final : public sim::ChoiceSource {
 public:
  explicit BoundedChoices(const ExploreBounds& bounds) : bounds_(bounds) {}

  /// What an alternative stands for, of a range of so many values.
  [[nodiscard]] static std::uint64_t value_of(std::uint32_t answer, std::uint32_t alternatives,
                                              std::uint64_t count);

  /// Begins a run. The path outlives it.
  void reset(std::span<const Deviation> path);
  /// The same with other tokens, of which there are as many as seeds (from 1: those of every run).
  /// Where the run is another for it, an answer of the path that is none here is the first.
  void reset_with_tokens(std::span<const Deviation> path, std::uint64_t seed);
  /// Setup is over: from now on servers' draws are decisions too.
  void begin_steps() { has_begun_ = true; }

  /// A decision of the explorer's own. REQUIRES: alternatives ≥ 2.
  [[nodiscard]] std::uint32_t decide(DecisionKind kind, std::uint32_t alternatives,
                                     std::uint32_t owner = 0);
  /// Replaces the answer to a decision that was made; the caller has changed what came of it.
  void override_answer(std::uint32_t decision, std::uint32_t answer) {
    decisions_[decision].answer = answer;
  }
  /// All decisions so far.
  [[nodiscard]] std::span<const Decision> decisions() const { return decisions_; }
  /// Whether the run has passed all deviations of the path.
  [[nodiscard]] bool is_past_path() const { return next_ == path_.size(); }
  /// What the run asked and was answered, as for a replay. Without the explorer's own decisions.
  [[nodiscard]] const std::vector<sim::Choice>& record() const { return record_; }

 private:
  std::uint64_t draw(sim::Stream stream, std::uint64_t count) override;
  [[nodiscard]] std::uint64_t answer(sim::Stream stream, std::uint64_t count);

  const ExploreBounds bounds_;
  std::span<const Deviation> path_;
  std::size_t next_ = 0;  // in the path
  bool has_begun_ = false;
  bool has_usual_tokens_ = true;
  std::vector<Decision> decisions_;
  std::vector<sim::Choice> record_;
  sim::SeededChoices fixed_{1};
};

}  // namespace lockstep::search
