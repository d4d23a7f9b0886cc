// One run of an exhaustive search: along a path, then on with every first alternative, until a
// state comes that was reached before.
//
// Between steps all of a run's state is in data (model/engine/run_listeners.h). There it is
// inspected if the run has made a decision since the last inspection or a fault may
// strike; faults strike there too.
//
// With reductions it is looked at between instants only, and there what other answers to the delays
// of the last instant would have led to is looked at with it: such a state is this one with other
// arrivals. Where the run's own state was reached before, it may go on as one of those that was
// not.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/engine/engine.h"
#include "model/engine/run_listeners.h"
#include "model/engine/run_result.h"
#include "scenario/scenario.h"
#include "search/explore/bounded_choices.h"
#include "search/explore/client_symmetry.h"
#include "search/explore/delay_answers.h"
#include "search/explore/digest_set.h"
#include "search/explore/explore_bounds.h"
#include "search/explore/fault_menu.h"

namespace lockstep::search {

/// A state that a run reached beyond its path.
struct PathState {
  model::StateDigest digest;    ///< with what the budgets of single kinds have left
  std::uint32_t faults = 0;     ///< that had struck
  std::uint32_t decisions = 0;  ///< that had been made until then
  std::uint32_t steps = 0;      ///< that had been taken
  // Where it was looked ahead, the states that other answers to the delays of this instant lead to,
  // but for those before the path's end.
  std::uint32_t first_own = 0;  ///< the first of these decisions
  std::uint32_t siblings = 0;   ///< how many, of PathRecord::siblings
  bool was_looked_ahead = false;
  std::uint32_t continued_as = 0;  ///< the combination; 0: as itself
};

/// A state that other answers to an instant's delays lead to.
struct Sibling {
  std::uint32_t combination = 0;  ///< of the answers (search/explore/delay_answers.h), from 1
  model::StateDigest digest;
};

/// A run to make.
struct PathJob {
  Path path;
  /// The state at its end, where it was looked at ahead. Then other answers to the delays of the
  /// instant before it are others' path jobs.
  std::optional<model::StateDigest> foreseen;
  /// Whether it goes on as another state of the same instant where its own was reached before.
  bool may_switch_to_sibling = false;
  /// Whether runs are left out that are others with clients' names exchanged (client_symmetry.h).
  bool reduces_symmetry = false;
};

/// The bit of a property in a set kept as a number.
[[nodiscard]] constexpr std::uint64_t bit_of(checker::Property property) {
  return std::uint64_t{1} << static_cast<unsigned>(property);
}

/// Whether all that can come of the state, within the bounds, comes of one that was reached: the
/// same one, after no more faults.
[[nodiscard]] bool is_reached(const DigestSet& visited, const PathState& state,
                              const ExploreBounds& bounds);
/// Marks it as reached. REQUIRES: it was not.
void reach(DigestSet& visited, const PathState& state);

/// The result of a run.
struct PathRecord {
  std::vector<Decision> decisions;
  /// In order; where the run was stopped, the last was reached before. None without merging.
  std::vector<PathState> states;
  std::vector<Sibling> siblings;  ///< of all states, in their order; those that are to be taken up
  model::RunEnd end = model::RunEnd::at_rest;
  std::uint32_t steps = 0;
  std::vector<checker::Property> violated;
  std::uint64_t put_to_the_test = 0;  ///< a bit for each property, by its number
  std::string client_failure;         ///< the first mistake of a client model; empty: none
  std::string script_failure;         ///< the same of a script of the lock
  /// Whether something in the run may have depended on which client is which: then none is alike.
  bool breaks_symmetry = false;
};

/// The scenario without what leaves its faults open: they strike from the menu. [heal] goes with
/// it, where the file does not say when.
[[nodiscard]] scenario::Scenario without_open_faults(const scenario::Scenario& scenario);

class PathRunner final : private model::StepListener {
 public:
  /// The engine outlives it. Throws scenario::InputError as Engine::prepare and FaultMenu do.
  PathRunner(const scenario::Scenario& scenario, const ExploreBounds& bounds,
             model::Engine& engine);

  /// Where a state is in `visited`, the run ends.
  [[nodiscard]] PathRecord run(const PathJob& path_job, const DigestSet& visited);

  /// A run to its end, with what it takes to make it again without the explorer.
  struct Finding {
    std::vector<scenario::FaultSpec> faults;  ///< closed, those of the scenario first
    std::vector<sim::Choice> choices;
    std::vector<checker::Property> violated;
  };
  [[nodiscard]] Finding run_to_end(const Path& path);

  [[nodiscard]] std::span<const checker::Property> judged() const { return simulation_->judged(); }
  [[nodiscard]] std::uint64_t lock_digest() const { return simulation_->lock_digest(); }
  [[nodiscard]] const FaultMenu& menu() const { return *menu_; }
  /// The clients that are alike (client_symmetry.h).
  [[nodiscard]] const std::vector<std::uint32_t>& symmetric_pairs() const {
    return symmetric_pairs_;
  }
  /// The budget of faults, within the bounds.
  [[nodiscard]] std::uint32_t faults_max() const { return faults_max_; }

 private:
  Next before_step() override;
  [[nodiscard]] Next look();
  [[nodiscard]] bool needs_inspection() const;
  [[nodiscard]] bool look_ahead();
  [[nodiscard]] bool can_look_ahead(const DelayAnswers& answers);
  void answer_here(const DelayAnswers& answers, std::uint32_t combination);
  void answer(const DelayAnswers& answers, std::uint32_t combination);
  void observe_symmetry();
  void advance_symmetry();
  [[nodiscard]] bool switch_to_sibling();
  void start(const Path& path, const DigestSet* visited);
  /// The run that start() has prepared.
  [[nodiscard]] const model::RunResult& make_run();
  [[nodiscard]] bool depends_on_tokens(const PathRecord& made, const model::RunResult& result,
                                       const Path& path);
  void strike_faults(const model::NextStep& step);
  void find_offered(const model::NextStep& step);
  [[nodiscard]] bool may_strike(const FaultMenu::Entry& entry, std::string_view host) const;
  [[nodiscard]] model::StateDigest key_of_state();
  [[nodiscard]] std::uint32_t deviations_of_path() const;

  const scenario::Scenario scenario_;
  const ExploreBounds bounds_;
  std::unique_ptr<model::Simulation> simulation_;
  std::optional<FaultMenu> menu_;
  std::uint32_t faults_max_ = 0;
  bool limits_kinds_ = false;
  const std::vector<std::uint32_t> symmetric_pairs_;
  BoundedChoices choices_;
  std::vector<std::size_t> offered_;  // of the menu, at this step

  // of the run
  PathRecord record_;
  const DigestSet* visited_ = nullptr;  // null: paths run to the end
  std::uint32_t faults_struck_ = 0;
  std::array<std::uint32_t, scenario::fault_kind_count> struck_of_{};
  std::size_t decisions_looked_at_ = SIZE_MAX;
  std::size_t first_own_ = 0;      // decision: what comes before is the path's, or others' path job
  std::size_t instant_begin_ = 0;  // the first decision since the last instant was over
  std::optional<model::StateDigest> foreseen_;  // until the state is looked at first
  bool may_switch_to_sibling_ = false;
  std::uint32_t steps_max_ = UINT32_MAX;  // before the last of them the run is stopped
  bool was_stopped_ = false;
  ClientSymmetry symmetry_;
  std::vector<sim::Latency> ranges_;     // of the instant's delays
  std::vector<std::uint32_t> answers_;   // of the instant's decisions
  std::vector<sim::DurationNs> delays_;  // the same
};

}  // namespace lockstep::search
