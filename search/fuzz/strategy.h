// How a search makes its runs' choices: at random, at random within bounds that are drawn for each
// run, or by changing a run that went somewhere new.
//
// A strategy knows nothing of locks: it answers a ChoiceSource's questions, some by what they are
// for (sim::Purpose). It draws from the seed of the run and from what it has learnt of the runs
// before it, so that the same runs in the same order are the same choices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/choice_source.h"
#include "sim/recorded_choices.h"

namespace lockstep::search {

enum class StrategyKind : std::uint8_t {
  uniform,  ///< every alternative as often as any other
  swarm,    ///< each run has a few kinds of fault only, and its own way with delays (Groce 2012)
  pct,      ///< clients have priorities, which change a few times (Burckhardt 2010)
  partial_order,  ///< of two messages that race, either is first as often (after Yuan 2018)
  delay_bounded,  ///< all is fast, but for a few messages (Emmi 2011)
  mutation,       ///< changes a run that reached a new state
  branching,      ///< goes on otherwise from where a run reached a new state
  portfolio,      ///< each of the others in turn
};
inline constexpr std::size_t strategy_count = static_cast<std::size_t>(StrategyKind::portfolio) + 1;
[[nodiscard]] std::string_view to_string(StrategyKind kind);
[[nodiscard]] std::optional<StrategyKind> strategy_from(std::string_view word);

/// What a strategy draws for itself: no run asks for it.
inline constexpr sim::Stream own_stream{sim::Purpose::scenario, UINT32_MAX};

/// What came of a run.
struct RunFeedback {
  /// All its choices.
  std::span<const sim::Choice> choices;
  /// How many of them had been made at the first state that no run before had reached; none where
  /// it reached none.
  std::optional<std::size_t> discovery;
};

/// A run that is worth another look.
struct KeptRun {
  std::vector<sim::Choice> choices;
  std::size_t discovery = 0;  ///< how many choices had been made at its first new state
};

class Strategy {
 public:
  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  virtual ~Strategy() = default;

  /// The choices of the next run. Valid until the next call.
  virtual sim::ChoiceSource& begin_run(std::uint64_t run_seed) = 0;
  /// Before the first run: what other searches kept, which outlives it; the run at `first` is to be
  /// taken for the newest of them.
  virtual void begin_with(std::span<const KeptRun> /*older*/, std::size_t /*first*/) {}
  /// Of every run, also of those of others in a portfolio.
  virtual void learn(const RunFeedback& /*feedback*/) {}
};

/// `clients`: how many hosts, from the first on, are clients. REQUIRES: not portfolio.
[[nodiscard]] std::unique_ptr<Strategy> make_strategy(StrategyKind kind, std::uint32_t clients);

/// The strategy that makes a run: the one asked for, or the portfolio's for this run.
[[nodiscard]] StrategyKind strategy_of_run(StrategyKind asked, std::uint64_t run);

}  // namespace lockstep::search
