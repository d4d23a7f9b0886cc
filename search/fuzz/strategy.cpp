#include "search/fuzz/strategy.h"

#include <array>
#include <cassert>

#include "search/fuzz/corpus_strategies.h"
#include "search/fuzz/random_strategies.h"

namespace lockstep::search {
namespace {

constexpr std::array<std::string_view, strategy_count> strategy_words = {
    "uniform",       "swarm",    "pct",       "partial-order",
    "delay-bounded", "mutation", "branching", "portfolio"};

/// Swarm more often than others: it alone tries few kinds of fault at a time.
constexpr std::array<StrategyKind, 10> turns = {
    StrategyKind::swarm,        StrategyKind::uniform,       StrategyKind::mutation,
    StrategyKind::swarm,        StrategyKind::pct,           StrategyKind::branching,
    StrategyKind::swarm,        StrategyKind::partial_order, StrategyKind::mutation,
    StrategyKind::delay_bounded};

}  // namespace

std::string_view to_string(StrategyKind kind) {
  return strategy_words[static_cast<std::size_t>(kind)];
}

std::optional<StrategyKind> strategy_from(std::string_view word) {
  for (std::size_t i = 0; i < strategy_words.size(); ++i) {
    if (strategy_words[i] == word) return static_cast<StrategyKind>(i);
  }
  return std::nullopt;
}

StrategyKind strategy_of_run(StrategyKind asked, std::uint64_t run) {
  return asked == StrategyKind::portfolio ? turns[run % turns.size()] : asked;
}

std::unique_ptr<Strategy> make_strategy(StrategyKind kind, std::uint32_t clients) {
  switch (kind) {
    case StrategyKind::uniform:
      return std::make_unique<UniformStrategy>();
    case StrategyKind::swarm:
      return std::make_unique<SwarmStrategy>();
    case StrategyKind::pct:
      return std::make_unique<PriorityStrategy>(clients);
    case StrategyKind::partial_order:
      return std::make_unique<PartialOrderStrategy>();
    case StrategyKind::delay_bounded:
      return std::make_unique<DelayBoundedStrategy>();
    case StrategyKind::mutation:
      return std::make_unique<MutationStrategy>();
    case StrategyKind::branching:
      return std::make_unique<BranchingStrategy>();
    case StrategyKind::portfolio:
      break;
  }
  assert(false);
  return nullptr;
}

}  // namespace lockstep::search
