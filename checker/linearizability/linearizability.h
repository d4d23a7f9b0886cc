// Is a history linearizable with respect to a sequential specification? A general search.
//
// Depth-first search for a linearization after Wing & Gong ("Testing and Verifying Concurrent
// Objects", 1993), with Lowe's cache of (linearized set, state) and his just-in-time order
// ("Testing for Linearizability", 2017). It covers operations with known results and optional ones
// (unknown outcome: they take effect at some time after their invocation, or never). It doesn't
// partition by key and knows no specification: leased_mutex.h is one.
//
// Notions.
//
// - A definite operation was invoked and returned, and must be placed between the two.
// - An optional operation was invoked and never returns; it may be placed anywhere after its
//   invocation, or not at all.
// - One precedes another iff it returned before the other was invoked; at the same point of the
//   order they count as concurrent.
// - A linearization is an order of all definite operations and any optional ones that keeps
//   precedence and that the specification accepts.
//
// Just in time. Let r₀, r₁, … be the definite operations in order of their returns. The search
// walks these returns. Before it passes the return of rₖ it must have placed rₖ, and it places,
// before rₖ, only operations invoked before that return. A configuration is
//     (k, the operations under way at rₖ's return that are placed, optional ones placed, state):
// r₀ … rₖ₋₁ are placed, rₖ isn't, nothing else is. So a few bits for what is under way stand for
// the whole linearized set, however long the history is; an operation has a bit only from its
// invocation to its return, then the bit is given to another.
//   No linearization is missed: cut any linearization after r₀, after the last of r₀, r₁, and so
//   on. What lies between two cuts was invoked before the return at which it is placed here:
//   otherwise rₖ would precede an operation that stands before it. And nothing else is found: an
//   operation invoked before rₖ's return isn't preceded by rₖ or by any later return.
//
// The cache's invariant: whatever is in it has been expanded, or stands on the stack and will be.
// So a configuration that a cached one *covers* is dropped, where c covers d iff both have the same
// k and placed operations under way, c used no optional operation that d didn't, and the
// specification says that c's state can imitate d's (equality at least).
//   Dropping is safe: suppose that the search ends without a linearization although some visited
//   configuration could be completed. Among all of these take one with the fewest steps to go. Its
//   first step leads to a configuration with fewer still, which was visited, or covered by a
//   visited one; the coverer imitates step by step, so it has no more to go. Either contradicts the
//   choice.
//
// Two reductions more. What they leave out is imitated, with no more steps, by what they keep, so
// the same argument carries them.
//
// - Observers. The specification may say of an operation that in this state it may as well be
//   placed at once (a read, a refusal: legal now, changes nothing). Then it is, and no alternative
//   is tried.
// - Interchangeable optional operations. If two that are invoked will have the same effect from
//   now on, wherever they are placed, only the first is tried: exchange the two in any completion
//   that uses the second.
// - Definite ones that are interchangeable for good: of those under way only the one that returns
//   soonest is tried, and no optional one like it before it. In a completion that uses another,
//   exchange the two: both were invoked, and the other may be placed as late as the first.
// - Several objects in one state. The specification may say of two operations that they are on
//   different ones. Before a return only what is on the returning one's object is placed: anything
//   else commutes with all that follows up to that return, so it may be placed after it, or not at
//   all where its own return isn't asked for.
// - Looking ahead. The specification may know of a state that no completion leads on from it, since
//   something that is still to be placed won't find what it needs: it isn't remembered. And it may
//   know that of several states each has the same completions: one stands for all. As that looks
//   ahead, the search for a history without an order dies before its shortest prefix without one
//   is over; run_prefix decides prefixes.
// - Optional operations that have lost their use. Whoever loads the operations may know of one that
//   placing it after some return makes no difference any more (a write of what nobody reads later).
//   It isn't tried from there on, and its bit is given to another.
//
// Order. rₖ itself is tried first, then what returns soonest, then optional operations: on a
// history whose returns come in the order of the points, nearly every first try is right.
//
// Cost: memory grows with the configurations visited and with the operations under way, not with
// the length squared. The worst case is exponential (the problem is NP-complete), hence the limits.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "checker/linearizability/limits.h"

namespace lockstep::checker {

/// What the search asks of a specification. `next` is always the next operation to return, which is
/// not yet placed: a specification that reasons about time knows by it that no operation placed
/// from now on returned earlier.
template <typename T>
concept Specification = requires(const T& specification, const typename T::State& state,
                                 const typename T::Input& operation, const typename T::Input& next,
                                 std::array<typename T::State, T::successors_max>& successors) {
  { T::successors_max } -> std::convertible_to<std::size_t>;
  { specification.initial() } -> std::same_as<typename T::State>;
  // Fills in the states in which the operation may leave the object; how many, 0: not legal.
  { specification.successors(state, operation, next, successors) } -> std::same_as<std::size_t>;
  // Whether a definite operation may as well be placed here and now, leaving the state as it is:
  // true only if every completion that places it later has one in its stead that doesn't.
  { specification.observes(state, operation) } -> std::same_as<bool>;
  // Whether the first state can imitate the second, step by step.
  { specification.covers(state, state, next) } -> std::same_as<bool>;
  // Equal for states of which one covers the other.
  { specification.hash(state) } -> std::same_as<std::uint64_t>;
  // Whether two optional operations have the same effect on every state, now and later.
  { specification.interchangeable(operation, operation, next) } -> std::same_as<bool>;
};

/// Where an operation that never returns returns.
inline constexpr std::uint64_t never_returns = UINT64_MAX;

/// One operation: positions in one sequence of events, and what the specification needs to know.
template <typename Input>
struct SearchOperation {
  Input input;
  std::uint64_t invoked = 0;
  std::uint64_t returned = never_returns;  ///< ≥ invoked; never_returns: optional
  /// Optional: whatever completion places it after all that returned until here has one in its
  /// stead that doesn't use it. The same for all interchangeable ones.
  std::uint64_t useful_until = never_returns;
};

/// A specification may say that what is interchangeable is so for good, and how to find it:
///     static constexpr bool interchangeable_by_input = true;
/// Then two optional operations are iff their inputs are equal, and inputs have an order. All
/// others have a hash_of_effect(operation, next), equal for those that are interchangeable.
template <typename T>
concept InterchangeableByInput = requires {
  requires T::interchangeable_by_input;
}
&&requires(const typename T::Input& a, const typename T::Input& b) { a < b; };

/// A specification may look ahead. False: nothing leads on from the state; else the state may be
/// replaced by one with the same completions. `position`: of the return that the search waits for;
/// only what returns until `until` must be placed; is_open(operation) is false for what is placed.
template <typename T>
concept LooksAhead = requires(const T& specification, typename T::State& state,
                              bool (*is_open)(std::uint32_t)) {
  {
    specification.has_future(state, std::uint64_t{}, std::uint64_t{}, is_open)
    } -> std::same_as<bool>;
};

/// A specification of several objects may tell them apart: same_object is an equivalence, and
/// operations on different objects commute, in effect and legality.
template <typename T>
concept KnowsObjects = requires(const T& specification, const typename T::Input& input) {
  { specification.same_object(input, input) } -> std::same_as<bool>;
};

enum class SearchEnd : std::uint8_t {
  linearizable,
  not_linearizable,
  out_of_steps,
  out_of_memory,
  out_of_time,  ///< Limits::is_over said so
};

struct SearchResult {
  SearchEnd end = SearchEnd::linearizable;
  std::uint64_t steps = 0;
  /// Unless linearizable: the operation whose return was never passed. If the search was
  /// exhaustive, the history up to that return is the shortest prefix without a linearization,
  /// where operations still under way count with the result which they are going to have.
  std::size_t stuck = 0;
};

/// Keeps its buffers from search to search: allocates nothing once warm. Looks at the operations
/// only during `run`.
template <Specification Spec>
class LinearizabilitySearch {
 public:
  using State = typename Spec::State;
  using Input = typename Spec::Input;
  using Operation = SearchOperation<Input>;

  /// REQUIRES: operations in order of invocation.
  SearchResult run(const Spec& specification, std::span<const Operation> operations,
                   const Limits& limits);

  /// Decides the history up to one of the last run's returns: the first so many. What returns
  /// after `look_until` isn't looked at ahead.
  SearchResult run_prefix(const Spec& specification, const Limits& limits, std::size_t returns,
                          std::uint64_t look_until);
  [[nodiscard]] std::size_t return_count() const { return stages_.size(); }
  /// After a search that wasn't successful: how many returns were passed.
  [[nodiscard]] std::size_t returns_passed() const { return furthest_; }
  /// The operation that returns as the one of this rank.
  [[nodiscard]] std::uint32_t returning(std::size_t rank) const { return stages_[rank].returning; }

  /// After a search that wasn't successful: visit(state) for the state of each configuration that
  /// had just passed the return before `stuck`'s, in the order found. States may come repeatedly.
  template <typename Visit>
  void visit_survivors(Visit visit) const {
    for (const Configuration& configuration : configurations_) {
      if (configuration.stage == furthest_ && configuration.just_arrived) {
        visit(configuration.state);
      }
    }
  }

  /// After a successful search: appends all definite operations and the optional ones used, in an
  /// order that the specification accepts.
  void append_witness(const Spec& specification, std::vector<std::uint32_t>& order);

  /// After a search that wasn't: how many configurations were visited, and what one of them is.
  [[nodiscard]] std::size_t visited_count() const { return configurations_.size(); }
  [[nodiscard]] bool waits_for_stuck(std::size_t visited) const {
    return configurations_[visited].stage == furthest_;
  }
  [[nodiscard]] const State& state_of(std::size_t visited) const {
    return configurations_[visited].state;
  }
  /// The definite operations that were under way at its return and aren't placed.
  template <typename Visit>
  void visit_missing(std::size_t visited, Visit visit) const;
  /// Appends the operations in the order in which the configuration placed them.
  void append_order(const Spec& specification, std::size_t visited,
                    std::vector<std::uint32_t>& order);

  /// What the last search kept, the layout of the history included.
  [[nodiscard]] std::uint64_t memory_bytes() const;

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  using Successors = std::array<State, Spec::successors_max>;

  /// What is the same for all configurations that wait for one return.
  struct Stage {
    std::uint32_t returning = none;      ///< the operation that returns here
    std::uint32_t candidates_begin = 0;  ///< the definite operations under way, soonest return
    std::uint32_t candidates_end = 0;    ///< first, in candidates_
    std::uint32_t passing_end = 0;       ///< then, there too, the optional ones that lose their use
    std::uint32_t optional_end = 0;      ///< the first so many of the others have been invoked
    std::uint32_t expired_end = 0;       ///< in expired_: what has lost its use before this return
    std::uint32_t twins_begin = none;    ///< in twins_, once somebody has asked for them
  };

  /// Where an operation's bit is.
  struct Place {
    bool optional = false;
    std::uint32_t rank = none;         ///< definite: how many return before it
    std::uint32_t bit = 0;             ///< in the configuration's words
    std::uint32_t twin = none;         ///< optional: the one before it with the same input
    std::uint32_t input_class = none;  ///< equal for those with the same input, if that is known
  };

  struct Configuration {
    State state;
    std::uint32_t stage = 0;
    std::uint32_t next_in_bucket = none;
    std::uint64_t hash = 0;
    std::uint32_t parent = none;
    std::uint32_t just_arrived : 1 = 0;
    std::uint32_t tried : 31 = 0;  ///< which of the parent's tries led here
  };

  /// A configuration under expansion.
  struct Frame {
    std::uint32_t configuration = none;
    std::uint32_t tries = 0;  ///< (operation, successor) pairs tried so far
  };

  // linearizability_prepare.h
  [[nodiscard]] bool prepare(std::span<const Operation> operations, const Limits& limits);
  void rank_returns();
  [[nodiscard]] std::uint64_t count_candidates() const;
  void find_twins();
  void invoke_optional(std::uint32_t operation);
  void expire_until(std::uint64_t position);
  void invoke_until(std::uint64_t position);
  void add_stage(std::uint32_t returning);
  void clear_search();

  // linearizability_search.h
  [[nodiscard]] static std::uint64_t bytes_allowed(const Spec& specification, const Limits& limits);
  [[nodiscard]] bool propose_next(const Spec& specification, Frame& frame);
  [[nodiscard]] std::uint32_t operation_at(const Stage& stage, std::uint32_t index) const;
  [[nodiscard]] bool is_elsewhere(const Spec& specification, const Stage& stage,
                                  std::uint32_t operation) const;
  void propose(const Frame& frame, std::uint32_t operation, const State& successor);
  void place(std::uint32_t operation);
  [[nodiscard]] SearchResult walk(const Spec& specification, const Limits& limits);
  [[nodiscard]] bool settle(const Spec& specification);
  [[nodiscard]] bool has_future(const Spec& specification);
  [[nodiscard]] bool is_open(std::uint32_t operation) const;
  void pass_return(std::uint32_t returning);
  void place_observers(const Spec& specification);
  void replay(const Spec& specification, std::uint32_t parent, std::uint32_t tried);
  [[nodiscard]] bool another_stands_for(const Spec& specification, Stage& stage,
                                        const std::uint64_t* words, std::uint32_t operation,
                                        std::uint32_t index);
  void lay_out_twins(const Spec& specification, Stage& stage);
  [[nodiscard]] bool twin_stands_for(const Stage& stage, const std::uint64_t* words,
                                     std::uint32_t operation);

  // linearizability_cache.h
  [[nodiscard]] std::uint64_t hash_of_proposal(const Spec& specification) const;
  [[nodiscard]] bool is_covered(const Spec& specification, std::uint64_t hash);
  [[nodiscard]] bool covers_words(std::uint32_t configuration);
  [[nodiscard]] bool remember(std::uint64_t hash, std::uint64_t memory_bytes_max);
  void put_into_bucket(std::uint32_t configuration);
  void rebuild_buckets(std::size_t count);

  [[nodiscard]] const Input& input(std::uint32_t operation) const {
    return operations_[operation].input;
  }
  [[nodiscard]] const std::uint64_t* words_of(std::uint32_t configuration) const {
    return words_.data() + std::size_t{configuration} * word_count_;
  }
  [[nodiscard]] bool is_placed(const std::uint64_t* words, std::uint32_t operation) const {
    const std::uint32_t bit = places_[operation].bit;
    return (words[bit / 64] >> (bit % 64) & 1U) != 0;
  }
  [[nodiscard]] std::uint64_t bytes_laid_out() const {
    return operations_.size() * (sizeof(Place) + sizeof(returns_[0])) +
           stages_.size() * sizeof(Stage) + candidates_.size() * sizeof(candidates_[0]);
  }
  [[nodiscard]] std::uint64_t steps() const { return proposals_ + looks_ / 16; }

  // The history, laid out
  std::span<const Operation> operations_;
  std::vector<Stage> stages_;
  std::vector<std::uint32_t> candidates_;
  std::vector<std::uint32_t> optional_;  ///< for good, in order of invocation
  std::vector<std::uint32_t> expired_;   ///< the other optional ones, in order of their end
  std::vector<Place> places_;            ///< by operation
  std::vector<std::uint32_t> twins_;     ///< in optional_: the one before, which does the same
  std::vector<std::pair<std::uint64_t, std::uint32_t>> by_effect_;  ///< while these are laid out
  std::size_t slot_word_count_ = 0;  ///< words for operations under way; the rest for optional
  std::size_t word_count_ = 0;

  // While laying it out
  std::vector<std::pair<std::uint64_t, std::uint32_t>> returns_;  ///< (position, operation)
  std::vector<std::uint32_t> under_way_;                          ///< definite, by rank
  std::vector<std::uint32_t> passing_;                            ///< optional, will lose their use
  std::vector<std::uint32_t> free_slots_;
  std::vector<std::uint32_t> free_optional_slots_;
  std::uint32_t slot_count_ = 0;
  std::uint32_t optional_slot_count_ = 0;
  std::uint32_t invoked_count_ = 0;

  // The configuration proposed
  State proposal_state_{};
  std::uint32_t proposal_stage_ = 0;
  bool proposal_just_arrived_ = false;
  std::vector<std::uint64_t> proposal_words_;
  std::vector<std::uint32_t>* trail_ = nullptr;  ///< where what is placed is told

  // Visited
  std::vector<Configuration> configurations_;
  std::vector<std::uint64_t> words_;    ///< word_count_ for each configuration
  std::vector<std::uint32_t> buckets_;  ///< heads of lists; a power of two
  std::vector<Frame> stack_;
  std::uint32_t furthest_ = 0;    ///< stage
  std::uint32_t stages_end_ = 0;  ///< where the search is at its end
  std::uint64_t look_until_ = never_returns;
  std::uint64_t proposals_ = 0;
  std::uint64_t looks_ = 0;  ///< at configurations, words of one, operations not tried
};

}  // namespace lockstep::checker

// IWYU pragma: begin_exports
#include "checker/linearizability/linearizability_cache.h"
#include "checker/linearizability/linearizability_prepare.h"
#include "checker/linearizability/linearizability_search.h"
#include "checker/linearizability/linearizability_witness.h"
// IWYU pragma: end_exports
