// An exhaustive search within bounds: which runs to make, and their combined result.
//
// Runs are stateless: Lua's coroutines can't be copied, so a state is reached again by making its
// run again. A run is a path: the decisions that are answered otherwise than with their first
// alternative. It goes along its path and then on, always with the first alternative, until it
// comes to a state that was reached before; every other alternative of the decisions past its path
// is a path of its own. So each way from each state is gone once.
//
// In the order `cheapest_first` paths are taken by their cost: fewest interventions, faults and
// deviations together, and of such the fewest faults. So what is found first needs the least to go
// wrong. Of the runs that reach a state after so many faults, the first has the fewest other
// deviations. In the order `depth_first`, only by the number of faults; and a run goes on as long
// as there is anything new where it is: there are far fewer runs to make. It is for a search that
// is to find nothing; when it does find something, it begins anew in the other order.
//
// A state is gone on from once for each number of faults before it, unless it was reached after
// fewer: then all that can come of it has come, or will.
//
// Where the state at a path's end is known ahead (path_runner.h), the path is taken only if nobody
// has reached that state until its turn comes.
//
// Of runs that are the same but for the names of clients that are alike, one is made
// (client_symmetry.h). When a run turns out to tell its clients apart, the search begins anew
// without that.
//
// Runs may be made in waves by several workers: a run that did not know yet of a state that an
// earlier one of its wave reached is cut there when it is added. States, transitions and what is
// found are the same whatever the waves are; so is the number of runs, where the least come
// first.
//
// Not covered: making the runs (path_runner.h), who does so (app/search/explore_jobs.h), and files
// (exploration_file.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "search/explore/bounded_choices.h"
#include "search/explore/digest_set.h"
#include "search/explore/explore_bounds.h"
#include "search/explore/path_runner.h"

namespace lockstep::checker {
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {

/// Whether a violation of the property is a matter of states and of what happens between two of
/// them: such a violation is found although runs end at states that were reached before. The others
/// are judged by all of a run's past, and say nothing of the runs that were cut short.
[[nodiscard]] bool is_decided_by_states(checker::Property property);

/// What a search has counted.
struct ExploreCounts {
  std::uint64_t runs = 0;
  std::uint64_t transitions = 0;    ///< from one inspected state to the next
  std::uint64_t foreseen = 0;       ///< of these, those known without a run
  std::uint64_t merged = 0;         ///< runs that ended at a state that was reached before
  std::uint64_t at_rest = 0;        ///< runs that ended because nothing more could happen
  std::uint64_t out_of_time = 0;    ///< at the scenario's horizon
  std::uint64_t out_of_events = 0;  ///< at its limit of events
  std::uint32_t steps_max = 0;      ///< of a run: the depth
  std::uint32_t decisions_max = 0;  ///< of a run

  friend bool operator==(const ExploreCounts&, const ExploreCounts&) = default;
};

/// The first violation of a property: no other has fewer interventions, nor as many with fewer
/// faults.
struct Counterexample {
  checker::Property property{};
  Path path;
  std::uint32_t faults = 0;
  std::uint32_t deviations = 0;
  std::uint64_t run = 0;  ///< its number, from 1

  friend bool operator==(const Counterexample&, const Counterexample&) = default;
};

class Exploration {
 public:
  struct Plan {
    ExploreBounds bounds;
    /// stop: when something broke that was to hold; or, where nothing is to hold, when all broke
    /// that was to break.
    enum class AfterFinding : std::uint8_t { stop, go_on };
    AfterFinding after_finding = AfterFinding::stop;
  };
  enum class Order : std::uint8_t { cheapest_first, depth_first };
  /// Paths of the same cost, those that were found first come first.
  struct Cost {
    std::uint32_t interventions = 0;  ///< faults and other deviations
    std::uint32_t faults = 0;
    friend auto operator<=>(const Cost&, const Cost&) = default;
  };
  /// A path: another answer to a decision of the run that is its parent.
  struct Node {
    std::uint32_t parent = 0;
    std::uint32_t decision = 0;
    std::uint32_t answer = 0;  ///< 0: the first run, which has no parent
  };

  Exploration(const scenario::Scenario& scenario, Plan plan,
              std::span<const checker::Property> judged);

  /// Whether every path has been taken, or enough was found.
  [[nodiscard]] bool is_over() const { return is_enough_ || frontier_.empty(); }
  /// Whether every path has been taken: then what was not found is not there.
  [[nodiscard]] bool is_exhausted() const { return !is_enough_ && frontier_.empty(); }
  /// The next paths, all of one cost, `most` at most; none where it is over. REQUIRES: the records
  /// of those given before were added.
  [[nodiscard]] std::vector<PathJob> next_path_jobs(std::size_t most);
  /// What the runs of the paths that were given last came to, in their order.
  void add(std::span<const PathRecord> records);

  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] const DigestSet& visited() const { return visited_; }
  [[nodiscard]] const ExploreCounts& counts() const { return counts_; }
  [[nodiscard]] const std::vector<Counterexample>& found() const { return found_; }
  /// Whether what the property forbids could have happened in some run (checker/put_to_the_test.h).
  [[nodiscard]] bool was_put_to_the_test(checker::Property property) const {
    return (put_to_the_test_ & bit_of(property)) != 0;
  }
  [[nodiscard]] const std::string& first_failure() const { return first_failure_; }
  [[nodiscard]] const std::string& first_script_failure() const { return first_script_failure_; }
  [[nodiscard]] std::size_t paths_left() const;
  [[nodiscard]] Cost cost_now() const { return cost_; }
  [[nodiscard]] Order order() const { return order_; }
  /// Whether runs are left out that are others with names of alike clients exchanged.
  [[nodiscard]] bool reduces_symmetry() const { return reduces_symmetry_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  friend class ExplorationFile;  // exploration_file.h: saves and loads it

  /// A path that waits for its turn.
  struct QueuedPath {
    std::uint32_t node = 0;
    bool is_foreseen = false;
    model::StateDigest state;  ///< at its end, where it is foreseen
  };
  struct Layer {
    std::vector<QueuedPath> paths;
    std::size_t next = 0;
  };
  /// How much of a run is its own, and to which node what comes of it belongs.
  struct Extent {
    std::uint32_t node;
    std::uint32_t first;  // decision that is to be answered otherwise
    std::uint32_t faults;
    std::uint32_t deviations;
  };
  void begin(Order order);
  void add_run(const QueuedPath& path, const PathRecord& record);
  void note_violations(std::uint32_t node, const PathRecord& record);
  [[nodiscard]] bool was_superseded(const QueuedPath& path, std::uint32_t faults) const;
  void note_end(const PathRecord& record);
  [[nodiscard]] bool take_state(const PathRecord& record, const PathState& state,
                                std::size_t first_sibling, bool is_its_own, Extent& extent);
  void branch(const PathRecord& record, std::uint32_t end, Extent& extent);
  void branch_ahead(const PathRecord& record, const PathState& state, std::size_t first_sibling,
                    const Extent& extent);
  void enqueue(QueuedPath path, std::uint32_t faults, std::uint32_t deviations);
  [[nodiscard]] std::uint32_t add_node(std::uint32_t parent, std::uint32_t decision,
                                       std::uint32_t answer);
  [[nodiscard]] std::uint32_t add_nodes(const PathRecord& record, const PathState& state,
                                        std::uint32_t combination, std::uint32_t parent);
  [[nodiscard]] Path path_of(std::uint32_t node) const;
  [[nodiscard]] bool is_enough() const;

  Plan plan_;
  std::vector<checker::Property> to_hold_;
  std::vector<checker::Property> to_break_;
  DigestSet visited_;
  std::vector<Node> nodes_;
  std::map<Cost, Layer> frontier_;
  Order order_ = Order::cheapest_first;
  bool reduces_symmetry_ = false;
  std::uint32_t restarts_ = 0;           // how often it has begun anew
  Cost cost_;                            // of the paths given last
  std::vector<QueuedPath> in_progress_;  // these
  ExploreCounts counts_;
  std::vector<Counterexample> found_;  // each property once
  std::uint64_t put_to_the_test_ = 0;  // a bit for each property
  std::string first_failure_;
  std::string first_script_failure_;
  bool is_enough_ = false;
};

}  // namespace lockstep::search
