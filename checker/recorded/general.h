// The general search on one key's operations: loads them, replays what is found, tells what isn't.
//
// It works for every specification that the search takes and that can also read an operation
// (input_of) and speak (describe, why_not): those of sequential.h, and leased_mutex.h.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "checker/linearizability/linearizability.h"
#include "checker/recorded/decide.h"

namespace lockstep::checker::recorded {

template <typename T>
concept RecordedSpecification = Specification<T> &&
    requires(const T& specification, const typename T::State& state, const typename T::Input& input,
             const Operation& operation) {
  { specification.input_of(operation) } -> std::same_as<std::optional<typename T::Input>>;
  { specification.describe(state) } -> std::same_as<std::string>;
  { specification.why_not(state, input) } -> std::same_as<std::string>;
};

template <RecordedSpecification Spec>
class GeneralDecision {
 public:
  GeneralDecision(const History& history, const Limits& limits)
      : history_(history), limits_(limits) {}

  /// Decides the operations, in order of invocation; leaves `part.key` and `.operations` alone.
  /// What completes after `until` counts as unknown, what is invoked after it not at all.
  void decide(Spec& specification, std::span<const std::uint32_t> operations, KeyDecision& part,
              std::uint32_t until = never_completed) {
    load(specification, operations, until, Purpose::search);
    if constexpr (LooksAhead<Spec>) specification.foresee(loaded_);
    // What the loaded operations take is part of what is allowed.
    search_limits_ = limits_;
    search_limits_.memory_bytes_max -= std::min(limits_.memory_bytes_max, loaded_bytes());
    SearchResult result = search_.run(specification, loaded_, search_limits_);
    part.method = Method::search;
    part.steps += result.steps;
    const bool has_an_order = result.end == SearchEnd::linearizable;
    const bool has_none = result.end == SearchEnd::not_linearizable;
    if (LooksAhead<Spec> && has_none) result.stuck = find_shortest_prefix(specification, part);
    if constexpr (requires { specification.memory_bytes(); }) {
      part.memory_bytes = std::max(part.memory_bytes, specification.memory_bytes());
    }
    part.memory_bytes = std::max(part.memory_bytes, memory_bytes());
    part.order.clear();
    if (has_an_order) {
      part.answer = Answer::linearizable;
      search_.append_witness(specification, part.order);
      if (!accepts_order(specification, part.order)) {
        throw std::logic_error("the search found an order that its specification refuses");
      }
      for (std::uint32_t& operation : part.order) operation = from_[operation];
      return;
    }
    part.answer = has_none ? Answer::not_linearizable : Answer::unknown;
    if (!has_none) part.unknown_because = reason(result.end);
    part.explanation.is_certain = has_none;
    explain(specification, result, part.explanation);
  }

  /// What is kept: of the search and of the operations as it sees them.
  [[nodiscard]] std::uint64_t memory_bytes() const {
    return search_.memory_bytes() + loaded_bytes();
  }

  /// Whether an order that another algorithm found, of the history's operations, is a linearization
  /// of these.
  [[nodiscard]] bool accepts(Spec& specification, std::span<const std::uint32_t> operations,
                             std::span<const std::uint32_t> order) {
    load(specification, operations, never_completed, Purpose::replay);
    std::vector<std::uint32_t> loaded_order;
    loaded_order.reserve(order.size());
    const std::uint32_t first = from_.empty() ? 0 : from_.front();
    std::vector<std::uint32_t> place(from_.empty() ? 0 : from_.back() - first + 1, not_loaded);
    for (std::uint32_t index = 0; index < from_.size(); ++index) {
      place[from_[index] - first] = index;
    }
    for (const std::uint32_t operation : order) {
      const bool is_there = operation >= first && operation - first < place.size() &&
                            place[operation - first] != not_loaded;
      if (!is_there) return false;
      loaded_order.push_back(place[operation - first]);
    }
    return accepts_order(specification, loaded_order);
  }

 private:
  using State = typename Spec::State;
  using Input = typename Spec::Input;
  static constexpr std::uint32_t not_loaded = UINT32_MAX;
  static constexpr bool says_how_long_useful =
      requires(const Spec& specification, const Operation& operation) {
    specification.useful_until(operation);
  };

  enum class Purpose : std::uint8_t {
    search,
    replay,  ///< nobody asks how long an unknown operation is useful
  };

  [[nodiscard]] std::uint64_t loaded_bytes() const {
    return loaded_.capacity() * sizeof(loaded_[0]) + from_.capacity() * sizeof(from_[0]);
  }

  void load(Spec& specification, std::span<const std::uint32_t> operations, std::uint32_t until,
            Purpose purpose) {
    loaded_.clear();
    from_.clear();
    definite_count_ = 0;
    notice_all(specification, operations, purpose);
    for (const std::uint32_t index : operations) {
      const Operation& operation = history_.operations[index];
      const bool is_cut = operation.completed > until && operation.outcome != Outcome::info;
      if (operation.invoked > until || (is_cut && operation.outcome == Outcome::fail)) continue;
      auto input = specification.input_of(operation);
      if (!input) continue;
      SearchOperation<Input> loaded{std::move(*input), operation.invoked};
      if (operation.outcome != Outcome::info) {
        if (!is_cut) loaded.returned = operation.completed;
      } else if constexpr (says_how_long_useful) {
        if (purpose == Purpose::search) loaded.useful_until = specification.useful_until(operation);
      }
      if (loaded.returned != never_returns) ++definite_count_;
      loaded_.push_back(std::move(loaded));
      from_.push_back(index);
    }
  }

  void notice_all(Spec& specification, std::span<const std::uint32_t> operations,
                  Purpose purpose) const {
    if constexpr (requires { specification.notice(history_.operations[0]); }) {
      if (says_how_long_useful && purpose == Purpose::replay) return;
      for (const std::uint32_t index : operations) {
        specification.notice(history_.operations[index]);
      }
    }
  }

  /// Every definite operation once, no operation twice, precedence kept, and legal: replayed
  /// independently of the search. A specification with several successors is followed along all.
  [[nodiscard]] bool accepts_order(const Spec& specification,
                                   std::span<const std::uint32_t> order) const {
    std::vector<bool> placed(loaded_.size());
    const std::vector<std::uint32_t> returns = in_order_of_return();
    std::size_t definite_count = 0;
    std::size_t passed = 0;
    std::uint64_t latest_invocation = 0;
    std::vector<State> states{specification.initial()};
    std::vector<State> after;
    for (const std::uint32_t index : order) {
      const SearchOperation<Input>& operation = loaded_[index];
      latest_invocation = std::max(latest_invocation, operation.invoked);
      if (placed[index] || operation.returned < latest_invocation) return false;
      while (passed < returns.size() && placed[returns[passed]]) ++passed;
      const std::uint32_t next = passed < returns.size() ? returns[passed] : index;
      placed[index] = true;
      if (operation.returned != never_returns) ++definite_count;
      follow(specification, operation.input, loaded_[next].input, states, after);
      std::swap(states, after);
      if (states.empty()) return false;
    }
    return definite_count == definite_count_;
  }

  /// The definite operations, for a specification that asks which returns next; else nothing.
  [[nodiscard]] std::vector<std::uint32_t> in_order_of_return() const {
    std::vector<std::uint32_t> returns;
    if constexpr (!InterchangeableByInput<Spec>) {
      for (std::uint32_t index = 0; index < loaded_.size(); ++index) {
        if (loaded_[index].returned != never_returns) returns.push_back(index);
      }
      std::sort(returns.begin(), returns.end(), [this](std::uint32_t one, std::uint32_t other) {
        return loaded_[one].returned < loaded_[other].returned;
      });
    }
    return returns;
  }

  static void follow(const Spec& specification, const Input& input, const Input& next,
                     const std::vector<State>& states, std::vector<State>& after) {
    after.clear();
    std::array<State, Spec::successors_max> successors;
    for (const State& state : states) {
      const std::size_t count = specification.successors(state, input, next, successors);
      for (std::size_t index = 0; index < count; ++index) {
        if (std::find(after.begin(), after.end(), successors[index]) == after.end()) {
          after.push_back(successors[index]);
        }
      }
    }
  }

  [[nodiscard]] std::string reason(SearchEnd end) const {
    if (end == SearchEnd::out_of_time) return "the time allowed was over";
    if (end == SearchEnd::out_of_steps) return fmt::format("{} steps were made", limits_.steps_max);
    return fmt::format("{} MiB of memory beside the history would not do",
                       limits_.memory_bytes_max >> 20U);
  }

  /// A search that looks ahead died early, so prefixes are decided: first those just beyond where
  /// it died. Leaves the search at the end of the shortest without an order, with all ways to get
  /// there; the operation that returns there. Where a limit comes first: of the shortest found.
  std::size_t find_shortest_prefix(const Spec& specification, KeyDecision& part) {
    const auto returned = [this](std::size_t rank) {
      return loaded_[search_.returning(rank)].returned;
    };
    const auto decide_prefix = [&](std::size_t returns, std::uint64_t look_until) {
      const SearchResult result =
          search_.run_prefix(specification, search_limits_, returns, look_until);
      part.steps += result.steps;
      return result.end;
    };
    std::size_t with_order = search_.returns_passed();
    std::size_t without = search_.return_count();
    for (std::size_t width = 1; without - with_order > 1; width *= 2) {
      const std::size_t middle = with_order + std::min(width, (without - with_order) / 2);
      const SearchEnd end = decide_prefix(middle, returned(middle - 1));
      if (end == SearchEnd::linearizable) {
        with_order = middle;
      } else if (end == SearchEnd::not_linearizable) {
        with_order = std::max(with_order, search_.returns_passed());
        without = middle;
      } else {
        break;
      }
    }
    // What returned before all of it is in the ways' past, so looking at it loses none of them.
    static_cast<void>(decide_prefix(without, without == 1 ? 0 : returned(without - 2)));
    return search_.returning(without - 1);
  }

  /// The ways that came furthest: one for each state and set of what is missing, the longest first.
  void explain(const Spec& specification, const SearchResult& result, Explanation& explanation) {
    const Operation& stuck = history_.operations[from_[result.stuck]];
    explanation.stuck = from_[result.stuck];
    explanation.until = stuck.completed;
    explanation.final_paths.clear();
    std::vector<std::pair<std::size_t, std::size_t>> final_paths;  // (missing, visited)
    for (std::size_t visited = 0; visited < search_.visited_count(); ++visited) {
      const bool came_there = search_.waits_for_stuck(visited) &&
                              search_.returning(search_.returns_passed()) == result.stuck;
      if (!came_there) continue;
      std::size_t missing = 0;
      search_.visit_missing(visited, [&](std::uint32_t) { ++missing; });
      final_paths.emplace_back(missing, visited);
    }
    explanation.final_path_count = final_paths.size();
    std::stable_sort(final_paths.begin(), final_paths.end(),
                     [](const auto& one, const auto& other) { return one.first < other.first; });
    for (const auto& [missing, visited] : final_paths) {
      if (explanation.final_paths.size() == final_paths_max) break;
      add_final_path(specification, visited, result.stuck, explanation);
    }
  }

  /// The stuck operation and whatever else is illegal in the state.
  void add_final_path(const Spec& specification, std::size_t visited, std::size_t stuck,
                      Explanation& explanation) {
    const State state = search_.state_of(visited);
    FinalPath way;
    way.state = specification.describe(state);
    for (const FinalPath& other : explanation.final_paths) {
      if (other.state == way.state) return;
    }
    const Input& next = loaded_[stuck].input;
    search_.visit_missing(visited, [&](std::uint32_t operation) {
      const Input& input = loaded_[operation].input;
      std::array<State, Spec::successors_max> ignored;
      if (specification.successors(state, input, next, ignored) > 0) return;
      way.missing.push_back({from_[operation], specification.why_not(state, input)});
    });
    search_.append_order(specification, visited, way.order);
    for (std::uint32_t& operation : way.order) operation = from_[operation];
    explanation.final_paths.push_back(std::move(way));
  }

  const History& history_;
  const Limits& limits_;
  Limits search_limits_;
  LinearizabilitySearch<Spec> search_;
  std::vector<SearchOperation<Input>> loaded_;
  std::size_t definite_count_ = 0;
  std::vector<std::uint32_t> from_;  ///< the history's index of each loaded operation; ascending
};

}  // namespace lockstep::checker::recorded
