// Proofs that count what owners of a re-entrant mutex acquired and released: what they say, and
// that it is so. Small random histories are followed in all ways, and each bound is what they have
// in common; and where bounds contradict each other, found by trying all pairs, there is a proof.
#include "checker/recorded/mutex/hold_proof.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checker/recorded/decide.h"
#include "checker/recorded/explanation.h"
#include "checker/recorded/mutex/hold_sweep.h"
#include "checker/recorded/mutex/mutex_timeline.h"
#include "tests/checker/recorded/mutex_histories.h"
#include "tests/checker/recorded/recorded_history.h"

namespace lockstep::checker::recorded::testing {
namespace {

using checker::testing::Draw;

bool is_acquire(const Operation& each) { return each.function == Function::acquire; }
bool has_returned(const Operation& each) { return each.completed != never_completed; }
bool is_known(const Operation& each) { return each.outcome == Outcome::ok && has_returned(each); }
bool counts(const Operation& each) { return each.outcome != Outcome::fail || !has_returned(each); }

/// How many operations of the owner and kind these are.
template <typename Condition>
std::int64_t count_of(const History& history, TextId owner, bool acquires, Condition condition) {
  std::int64_t count = 0;
  for (std::size_t index = 0; index < history.operations.size(); ++index) {
    const Operation& each = history.operations[index];
    const bool is_of_kind = each.owner == owner && is_acquire(each) == acquires && counts(each);
    if (is_of_kind && condition(each, index)) ++count;
  }
  return count;
}

/// All sets of operations that have had their effect, in some order.
class AllHolds {
 public:
  explicit AllHolds(const History& history) : history_(history) {}

  /// When the event at this position comes; a completion's own effect has come.
  std::set<std::uint32_t> at(std::uint32_t position) const {
    std::set<std::uint32_t> ways{0};
    std::vector<std::uint32_t> completions;
    for (std::uint32_t index = 0; index < history_.operations.size(); ++index) {
      const Operation& each = history_.operations[index];
      if (is_known(each) && each.completed <= position) completions.push_back(index);
    }
    std::sort(completions.begin(), completions.end(), [&](std::uint32_t one, std::uint32_t other) {
      return history_.operations[one].completed < history_.operations[other].completed;
    });
    for (const std::uint32_t index : completions) {
      ways = spread(std::move(ways), history_.operations[index].completed);
      std::erase_if(ways, [&](std::uint32_t way) { return (way >> index & 1U) == 0; });
    }
    return ways;
  }

  /// The fewest of an owner's operations of a kind in any of these. Where there is none (a shorter
  /// history has no order already), they have all in common.
  std::int64_t fewest(const std::set<std::uint32_t>& ways, TextId owner, bool acquires) const {
    std::int64_t fewest = INT64_MAX;
    for (const std::uint32_t way : ways) fewest = std::min(fewest, done(way, owner, acquires));
    return fewest;
  }

 private:
  std::int64_t done(std::uint32_t way, TextId owner, bool acquires) const {
    return count_of(history_, owner, acquires, [way](const Operation& /*each*/, std::size_t index) {
      return (way >> index & 1U) != 0;
    });
  }

  bool is_legal(std::uint32_t way, const Operation& next) const {
    if (!is_acquire(next)) return done(way, next.owner, true) > done(way, next.owner, false);
    return std::all_of(history_.operations.begin(), history_.operations.end(),
                       [&](const Operation& each) {
                         return each.owner == next.owner ||
                                done(way, each.owner, true) == done(way, each.owner, false);
                       });
  }

  std::set<std::uint32_t> spread(std::set<std::uint32_t> ways, std::uint32_t before) const {
    std::vector<std::uint32_t> to_do(ways.begin(), ways.end());
    while (!to_do.empty()) {
      const std::uint32_t way = to_do.back();
      to_do.pop_back();
      for (std::uint32_t index = 0; index < history_.operations.size(); ++index) {
        const Operation& each = history_.operations[index];
        if (!counts(each) || each.invoked >= before || (way >> index & 1U) != 0) continue;
        if (!is_legal(way, each)) continue;
        const std::uint32_t next = way | 1U << index;
        if (ways.insert(next).second) to_do.push_back(next);
      }
    }
    return ways;
  }

  const History& history_;
};

std::set<TextId> owners_of(const History& history) {
  std::set<TextId> owners;
  for (const Operation& each : history.operations) owners.insert(each.owner);
  return owners;
}

/// Whether the bounds of hold_proof.h contradict each other: each pair of positions is tried, until
/// no bound rises.
bool is_contradictory(const History& history) {
  struct Bounds {
    std::vector<std::int64_t> acquired;
    std::vector<std::int64_t> released;
  };
  const std::size_t end = history.events;
  std::vector<std::int64_t> sure_holders(end);
  for (const TextId owner : owners_of(history)) {
    const auto within = [&](std::size_t after, std::size_t until, bool acquires) {
      return count_of(history, owner, acquires, [&](const Operation& each, std::size_t /*index*/) {
        return is_known(each) && each.invoked > after && each.completed <= until;
      });
    };
    const auto invoked = [&](std::size_t until, bool acquires) {
      return count_of(history, owner, acquires, [&](const Operation& each, std::size_t /*index*/) {
        return each.invoked < until;
      });
    };
    // At a position: when its event has come. One position more at the front for the beginning.
    Bounds bounds{std::vector<std::int64_t>(end), std::vector<std::int64_t>(end)};
    for (std::size_t at = 0; at < end; ++at) {
      const auto all = [&](bool acquires) {
        return count_of(history, owner, acquires, [&](const Operation& each, std::size_t /*i*/) {
          return is_known(each) && each.completed <= at;
        });
      };
      bounds.acquired[at] = all(true);
      bounds.released[at] = all(false);
    }
    for (bool rose = true; rose;) {
      rose = false;
      const auto raise = [&rose](std::int64_t& bound, std::int64_t to) {
        if (to > bound) rose = true;
        bound = std::max(bound, to);
      };
      for (std::size_t at = 0; at < end; ++at) {
        for (std::size_t before = 0; before < at; ++before) {
          raise(bounds.acquired[at], bounds.acquired[before] + within(before, at, true));
          raise(bounds.released[at], bounds.released[before] + within(before, at, false));
        }
        raise(bounds.acquired[at], bounds.released[at]);
      }
      for (const Operation& each : history.operations) {
        if (each.owner == owner || !is_known(each)) continue;
        raise(bounds.released[each.completed], bounds.acquired[each.invoked]);
      }
      for (std::size_t at = 0; at < end; ++at) {
        if (bounds.acquired[at] > invoked(at, true)) return true;
        if (bounds.released[at] > invoked(at, false)) return true;
      }
    }
    for (std::size_t at = 0; at < end; ++at) {
      if (bounds.acquired[at] > invoked(at, false)) ++sure_holders[at];
    }
  }
  return std::any_of(sure_holders.begin(), sure_holders.end(),
                     [](std::int64_t count) { return count > 1; });
}

/// "" if the proof is right in all that it says.
std::string mistake_in(const HoldProof& proof, const History& history) {
  const AllHolds ways(history);
  const Operation& stuck = history.operations[proof.stuck];
  if (!ways.at(stuck.completed).empty()) return "some way gets past it";
  for (const HoldChain& chain : proof.chains) {
    std::int64_t known_of_others = 0;
    for (const HoldStep& step : chain.steps) {
      const Operation& end = history.operations[step.operation];
      if (&step == &chain.steps.back()) {
        if (step.operation != proof.stuck) return "it ends elsewhere";
        continue;
      }
      known_of_others = step.at_least;
      if (step.acquires) {
        const std::int64_t acquired = ways.fewest(ways.at(end.invoked), chain.owner, true);
        if (acquired < step.at_least) return "some way needs fewer acquires";
      }
      const std::int64_t released = ways.fewest(ways.at(end.completed), chain.owner, false);
      if (released < step.at_least) return "some way needs fewer releases";
    }
    const HoldStep& last = chain.steps.back();
    const std::int64_t others = count_of(
        history, chain.owner, !last.acquires,
        [&](const Operation& each, std::size_t) { return each.invoked < stuck.completed; });
    if (others != chain.others_invoked) return "miscounted the others";
    if (known_of_others > others) return "more than all";
    if (last.at_least <= others) return "no contradiction";
  }
  return "";
}

std::optional<HoldProof> prove(const History& history) {
  const std::vector<std::uint32_t> all = all_of(history);
  std::vector<SweepItem> items;
  EXPECT_FALSE(take_items(history.operations, Refusals::ignored, items));
  MutexTimeline timeline;
  const std::uint32_t owner_count = owner_count_of(items);
  EXPECT_TRUE(lay_out(std::move(items), owner_count, timeline));
  auto proof = sweep_holds(history, all, timeline);
  EXPECT_TRUE(!proof || is_true(*proof, history, all));
  return proof;
}

History random_history(Draw& draw) {
  const MutexHistoryShape shape{.kind = MutexKind::reentrant,
                                .event_count = 4 + draw.below(22),
                                .owner_count = 2 + draw.below(2),
                                .unknown_one_in = draw.one_in(4) ? 0 : 2 + draw.below(5),
                                .stray_one_in = 2 + draw.below(6),
                                .waits_one_in = draw.below(3),
                                .changes = draw.below(4)};
  History history;
  for (int owner = 0; owner < 8; ++owner) history.texts.intern(std::to_string(owner));
  history.operations = random_mutex_history(shape, draw);
  for (const Operation& each : history.operations) {
    history.events = std::max(history.events, each.invoked + 1);
    if (has_returned(each)) history.events = std::max(history.events, each.completed + 1);
  }
  return history;
}

#ifdef NDEBUG
constexpr int proven_each = 20;
#else
constexpr int proven_each = 4;
#endif

TEST(HoldProof, IsGivenIffBoundsContradictEachOtherAndAllOfItHolds) {
  int proven = 0;
  const bool right = rc::check([&proven](std::uint64_t seed) {
    Draw draw(seed);
    for (int round = 0; round < proven_each; ++round) {
      const History history = random_history(draw);
      const auto proof = prove(history);
      if (proof.has_value() != is_contradictory(history)) {
        RC_FAIL((proof ? "proven, not contradictory\n" : "contradictory, not proven\n") +
                to_text(history.operations));
      }
      if (!proof) continue;
      ++proven;
      const std::string mistake = mistake_in(*proof, history);
      if (!mistake.empty()) RC_FAIL(mistake + "\n" + to_text(history.operations));
    }
  });
  EXPECT_TRUE(right);
  EXPECT_GT(proven, 10);
}

/// Owners in turn; some of `a`'s releases have their effect without an outcome, and nobody knows
/// without counting that they are all used up as it holds the lock beside `b`.
RecordedHistory lost_releases(int rounds) {
  RecordedHistory told;
  for (int round = 0; round < rounds; ++round) {
    told.did("a", Function::acquire);
    told.did("a", Function::release, round % 3 == 0 ? Outcome::ok : Outcome::info);
    told.did("b", Function::acquire);
    told.did("b", Function::release);
  }
  told.did("a", Function::acquire);
  told.did("b", Function::acquire);
  return told;
}

TEST(HoldProof, SaysWhatIsCountedAndWhere) {
  const RecordedHistory told = lost_releases(600);
  const Decision decision = decide(told.history(), Model::reentrant_mutex);
  ASSERT_EQ(decision.answer, Answer::not_linearizable);
  EXPECT_EQ(decision.parts[0].method, Method::sweep);
  EXPECT_EQ(
      tell(told.history(), decision.parts[0].explanation, 9).lines,
      "the lock: no order of the operations gets past the return of b's acquire (ok, line 4803)\n"
      "From line 4800 to line 4803, 1 acquire of a began and returned, and by line 4804 no release "
      "of it can have taken effect. So a held the lock from line 4803 to line 4804, and b can't "
      "have had it then.\n"
      "By line 4804, 600 releases of a had begun, and at least 600 of them had taken effect by "
      "line "
      "4800:\n"
      "  \u2026 597 more\n"
      "  by line 4780, at least 598 releases took effect: 597 by line 4776, and 1 began since then "
      "and returned\n"
      "  by line 4791, at least 599 acquires took effect: 598 by line 4780, and 1 began since then "
      "and returned; by line 4792 as many were released, as b had the lock\n"
      "  by line 4799, at least 600 acquires took effect: 599 by line 4792, and 1 began since then "
      "and returned; by line 4800 as many were released, as b had the lock\n"
      "The acquires:\n"
      "  a's acquire (ok, line 4801)\n");
}

TEST(HoldProof, OfTwoSaysThatBothHold) {
  RecordedHistory told;
  const std::uint32_t first = told.invoke("a", Function::acquire);
  const std::uint32_t second = told.invoke("b", Function::acquire);
  told.complete(first, Outcome::ok);
  told.complete(second, Outcome::ok);
  const HoldProof proof = *prove(told.history());
  ASSERT_EQ(proof.chains.size(), 2U);
  EXPECT_EQ(claim_in_words(told.history(), proof, proof.chains[0]),
            "By line 4, 1 acquire of a has returned, and no release of it can have taken effect. "
            "So a holds the lock then.");
  EXPECT_EQ(claim_in_words(told.history(), proof, proof.chains[1]),
            "By line 4, 1 acquire of b has returned, and no release of it can have taken effect. "
            "So b holds the lock then, too.");
}

TEST(HoldProof, OfReleasesSaysThatTheyHadNothingToRelease) {
  RecordedHistory told;
  told.did("a", Function::acquire);
  told.did("a", Function::release);
  told.did("b", Function::acquire, Outcome::info);
  told.did("a", Function::release);
  const HoldProof proof = *prove(told.history());
  EXPECT_EQ(claim_in_words(told.history(), proof, proof.chains[0]),
            "By line 8, 2 releases of a have returned, and at most 1 acquire of it can have taken "
            "effect. So 1 release had nothing to release.");
}

TEST(HoldProof, IsCountedAgainBeforeItIsBelieved) {
  const RecordedHistory told = lost_releases(3);
  const HoldProof proof = *prove(told.history());
  const auto all = all_of(told.history());
  const auto changed = [&](auto change) {
    HoldProof other = proof;
    change(other);
    return is_true(other, told.history(), all);
  };
  ASSERT_TRUE(changed([](HoldProof& /*it*/) {}));
  ASSERT_GT(proof.chains[0].steps.size(), 2U);
  EXPECT_FALSE(changed([](HoldProof& it) { it.chains.clear(); }));
  EXPECT_FALSE(changed([](HoldProof& it) { it.chains.push_back(it.chains[0]); }));
  EXPECT_FALSE(changed([](HoldProof& it) { it.stuck = 0; }));
  EXPECT_FALSE(changed([](HoldProof& it) { it.chains[0].steps.clear(); }));
  EXPECT_FALSE(
      changed([](HoldProof& it) { it.chains[0].steps.erase(it.chains[0].steps.begin()); }));
  EXPECT_FALSE(changed([](HoldProof& it) { ++it.chains[0].others_invoked; }));
  EXPECT_FALSE(
      changed([&](HoldProof& it) { it.chains[0].owner = told.history().operations[2].owner; }));
  for (std::size_t step = 0; step < proof.chains[0].steps.size(); ++step) {
    EXPECT_FALSE(changed([&](HoldProof& it) { ++it.chains[0].steps[step].within; }));
    EXPECT_FALSE(changed([&](HoldProof& it) { ++it.chains[0].steps[step].at_least; }));
    EXPECT_FALSE(changed([&](HoldProof& it) {
      it.chains[0].steps[step].acquires = !it.chains[0].steps[step].acquires;
    }));
    EXPECT_FALSE(changed([&](HoldProof& it) { it.chains[0].steps[step].operation = 0; }));
  }
  // A forced release takes holds away that nobody counts.
  RecordedHistory forced = lost_releases(3);
  forced.did("c", Function::force_release);
  EXPECT_FALSE(is_true(proof, forced.history(), all_of(forced.history())));
}

TEST(HoldProof, IsAPageHoweverLongTheHistory) {
  const RecordedHistory told = lost_releases(20'000);
  for (const Model model : {Model::reentrant_mutex, Model::fenced_lock}) {
    const Decision decision = decide(told.history(), model);
    ASSERT_EQ(decision.answer, Answer::not_linearizable);
    const Explanation& explanation = decision.parts[0].explanation;
    ASSERT_TRUE(explanation.hold_proof);
    const Told page = tell(told.history(), explanation, 34);
    EXPECT_LE(std::count(page.lines.begin(), page.lines.end(), '\n'), 34);
    EXPECT_LT(decision.parts[0].steps, 10 * told.history().operations.size());
  }
}

}  // namespace
}  // namespace lockstep::checker::recorded::testing
