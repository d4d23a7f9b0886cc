// Locks that only count: what the proof says, and that it is so. Small random histories are
// followed in all ways, unit by unit, and each bound is what they have in common.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "checker/recorded/counting/counting_lock.h"
#include "checker/recorded/counting/counting_proof.h"
#include "checker/recorded/counting/counting_sweep.h"
#include "checker/recorded/decide.h"
#include "checker/recorded/general.h"
#include "checker/recorded/specifications/mutex.h"
#include "checker/recorded/specifications/semaphore.h"
#include "tests/checker/recorded/random_recorded_history.h"
#include "tests/checker/recorded/recorded_history.h"

namespace lockstep::checker::recorded::testing {
namespace {

/// All ways to spread the effects of units over the events before each completion.
class AllWays {
 public:
  AllWays(const History& history, Model model, std::int64_t capacity)
      : history_(history), model_(model), capacity_(capacity) {}

  struct Fewest {
    bool any = false;  ///< whether there is a way at all
    std::int64_t acquired = 0;
    std::int64_t released = 0;
  };

  /// How many units have been acquired and released at least when the event `until` comes, a
  /// completion.
  Fewest at(std::uint32_t until) const {
    std::set<Way> ways{Way(history_.operations.size(), 0)};
    for (std::uint32_t event = 0; event <= until; ++event) {
      for (std::uint32_t index = 0; index < history_.operations.size(); ++index) {
        const Operation& operation = history_.operations[index];
        if (!counts(operation) || !is_known(operation) || operation.completed != event) continue;
        ways = spread(std::move(ways), event);
        for (auto way = ways.begin(); way != ways.end();) {
          way = (*way)[index] == units(operation) ? std::next(way) : ways.erase(way);
        }
      }
    }
    Fewest fewest;
    for (const Way& way : ways) {
      const std::int64_t acquired = sum(way, true);
      const std::int64_t released = sum(way, false);
      fewest.acquired = fewest.any ? std::min(fewest.acquired, acquired) : acquired;
      fewest.released = fewest.any ? std::min(fewest.released, released) : released;
      fewest.any = true;
    }
    return fewest;
  }

  std::int64_t invoked_before(std::uint32_t event, bool acquires) const {
    std::int64_t count = 0;
    for (const Operation& each : history_.operations) {
      if (counts(each) && each.invoked < event && is_acquire(each) == acquires) {
        count += units(each);
      }
    }
    return count;
  }

  /// Units of what was invoked after one event (-1: the beginning) and completed by another.
  std::int64_t within(std::int64_t after, std::uint32_t until, bool acquires) const {
    std::int64_t count = 0;
    for (const Operation& each : history_.operations) {
      if (counts(each) && is_known(each) && is_acquire(each) == acquires &&
          std::int64_t{each.invoked} > after && each.completed <= until) {
        count += units(each);
      }
    }
    return count;
  }

 private:
  using Way = std::vector<std::int64_t>;  ///< units that had their effect, by operation

  static bool is_acquire(const Operation& each) { return each.function == Function::acquire; }
  static bool is_known(const Operation& each) {
    return each.outcome != Outcome::info && each.completed != never_completed;
  }
  static bool counts(const Operation& each) {
    return each.function != Function::set_count &&
           (each.outcome != Outcome::fail || each.completed == never_completed);
  }
  std::int64_t units(const Operation& each) const {
    return model_ == Model::mutex || each.number == no_number ? 1 : each.number;
  }

  std::int64_t sum(const Way& way, bool acquires) const {
    std::int64_t count = 0;
    for (std::size_t index = 0; index < way.size(); ++index) {
      if (is_acquire(history_.operations[index]) == acquires) count += way[index];
    }
    return count;
  }

  std::set<Way> spread(std::set<Way> ways, std::uint32_t event) const {
    std::vector<Way> to_do(ways.begin(), ways.end());
    while (!to_do.empty()) {
      const Way way = to_do.back();
      to_do.pop_back();
      const std::int64_t out = sum(way, true) - sum(way, false);
      for (std::size_t index = 0; index < way.size(); ++index) {
        const Operation& each = history_.operations[index];
        if (!counts(each) || each.invoked >= event || way[index] == units(each)) continue;
        if (is_acquire(each) ? out == capacity_ : out == 0) continue;
        Way next = way;
        ++next[index];
        if (ways.insert(next).second) to_do.push_back(next);
      }
    }
    return ways;
  }

  const History& history_;
  Model model_;
  std::int64_t capacity_;
};

/// "" if the proof is right in all that it says.
std::string mistake_in(const CountingProof& proof, const History& history, Model model,
                       const CountingLock& lock) {
  const AllWays ways(history, model, lock.capacity);
  std::int64_t after = -1;
  std::int64_t known_of_others = 0;
  for (const CountingStep& step : proof.steps) {
    const bool is_last = &step == &proof.steps.back();
    if (history.operations[step.operation].completed != step.until) return "not its completion";
    if (ways.within(after, step.until, step.acquires) != step.within) return "miscounted";
    const AllWays::Fewest fewest = ways.at(step.until);
    if (fewest.any == is_last) return "stuck elsewhere";
    if (!is_last && (step.acquires ? fewest.acquired : fewest.released) != step.at_least) {
      return "some way needs fewer, or all more";
    }
    if (!is_last) known_of_others = step.at_least;
    after = step.until;
  }
  const CountingStep& last = proof.steps.back();
  const std::int64_t others = ways.invoked_before(last.until, !last.acquires);
  if (proof.others_invoked != others) return "miscounted the others";
  if (proof.others_since() != others - known_of_others) return "misjudged the others";
  return last.at_least > others + (last.acquires ? lock.capacity : 0) ? "" : "no contradiction";
}

class CountingModels : public ::testing::TestWithParam<Model> {};
INSTANTIATE_TEST_SUITE_P(Recorded, CountingModels,
                         ::testing::Values(Model::mutex, Model::semaphore),
                         [](const auto& model) { return std::string(to_string(model.param)); });

#ifdef NDEBUG
constexpr int counted_each = 40;
#else
constexpr int counted_each = 5;
#endif

TEST_P(CountingModels, TheProofIsGivenIffThereIsNoOrderAndAllOfItHolds) {
  const Model model = GetParam();
  rc::detail::checkGTest([model](std::uint64_t seed) {
    Draw draw(seed);
    for (int round = 0; round < counted_each; ++round) {
      RecordedShape shape = random_shape(model, draw);
      shape.operations = 4 + draw.below(6);
      shape.keys = 1;
      History history = random_recorded_history(shape, draw);
      for (std::int64_t changes = draw.below(4); changes > 0; --changes) {
        mutate(history, shape, draw);
      }
      for (Operation& each : history.operations) each.key = no_text;
      const auto all = all_of(history);
      const auto lock = read_as_counting(history, model, shape.settings, all);
      if (!lock) continue;
      const CountingResult result = sweep_counting(*lock);
      Settings search_only = shape.settings;
      search_only.search_only = true;
      const Answer expected = decide(history, model, {}, search_only).answer;
      if (expected == Answer::linearizable) RC_ASSERT(!result.proof);
      if (lock->is_exact) RC_ASSERT(result.proof.has_value() == (expected != Answer::linearizable));
      if (!result.proof) continue;
      RC_ASSERT(is_true(*result.proof, *lock));
      const std::string mistake = mistake_in(*result.proof, history, model, *lock);
      if (!mistake.empty()) RC_FAIL(mistake + "\n" + to_text(history));
    }
  });
}

TEST_P(CountingModels, TheOrderIsOne) {
  const Model model = GetParam();
  rc::detail::checkGTest([model](std::uint64_t seed) {
    Draw draw(seed);
    RecordedShape shape = random_shape(model, draw);
    shape.operations = 200;
    shape.keys = 1;
    shape.settings.failed_lock_operations = Failures::ignored;
    const History history = random_recorded_history(shape, draw);
    const auto all = all_of(history);
    const auto lock = read_as_counting(history, model, shape.settings, all);
    if (!lock || !lock->is_exact) return;
    const CountingResult result = sweep_counting(*lock);
    RC_ASSERT(!result.proof);
    const auto accepts = [&]<typename Object>(Object specification) {
      return GeneralDecision<Object>(history, {}).accepts(specification, all, result.order);
    };
    const bool is_accepted = model == Model::mutex
                                 ? accepts(Sequential<Mutex>(history.texts, shape.settings))
                                 : accepts(Sequential<Semaphore>(history.texts, shape.settings));
    RC_ASSERT(is_accepted);
  });
}

/// An acquire that nobody heard of was needed by a release; then two of three hold it, even if a
/// release that nobody heard of took effect.
RecordedHistory needs_an_unknown_acquire() {
  RecordedHistory told;
  told.did("a", Function::acquire, Outcome::info);
  told.did("a", Function::release);
  told.did("b", Function::acquire);
  told.did("b", Function::release, Outcome::info);
  told.did("c", Function::acquire);
  told.did("d", Function::acquire);
  return told;
}

TEST(CountingProof, SaysWhatIsCountedAndWhere) {
  const RecordedHistory told = needs_an_unknown_acquire();
  const Decision decision = decide(told.history(), Model::mutex);
  ASSERT_EQ(decision.answer, Answer::not_linearizable);
  EXPECT_EQ(decision.parts[0].method, Method::sweep);
  EXPECT_EQ(
      in_words(told.history(), decision.parts[0].explanation),
      "the lock: no order of the operations gets past the return of d's acquire (ok, line 11)\n"
      "From line 4 to line 12, 3 acquires began and returned, and at most 1 release can have taken "
      "effect. So 2 hold the lock at once.\n"
      "By line 12, 2 releases had begun, and at least 1 of them had taken effect by line 4:\n"
      "  by line 4, 1 release has returned\n"
      "The acquires:\n"
      "  b's acquire (ok, line 5)\n"
      "  c's acquire (ok, line 9)\n"
      "  d's acquire (ok, line 11)\n"
      "The last releases to begin:\n"
      "  b's release (outcome unknown, line 7)\n");
}

TEST(CountingProof, IsCountedAgainBeforeItIsBelieved) {
  const RecordedHistory told = needs_an_unknown_acquire();
  const auto lock = read_as_counting(told.history(), Model::mutex, {}, all_of(told.history()));
  ASSERT_TRUE(lock);
  const CountingProof proof = *sweep_counting(*lock).proof;
  ASSERT_TRUE(is_true(proof, *lock));
  const auto changed = [&](auto change) {
    CountingProof other = proof;
    change(other);
    return is_true(other, *lock);
  };
  EXPECT_FALSE(changed([](CountingProof& it) { it.steps.clear(); }));
  EXPECT_FALSE(changed([](CountingProof& it) { ++it.capacity; }));
  EXPECT_FALSE(changed([](CountingProof& it) { --it.others_invoked; }));
  EXPECT_FALSE(changed([](CountingProof& it) { ++it.steps.back().within; }));
  EXPECT_FALSE(changed([](CountingProof& it) { ++it.steps.back().at_least; }));
  EXPECT_FALSE(changed([](CountingProof& it) { it.steps.back().acquires = false; }));
  EXPECT_FALSE(changed([](CountingProof& it) { it.steps.back().until = 1; }));
}

TEST(CountingProof, OfPermitsAddsThemUp) {
  RecordedHistory told;
  told.did("a", Function::acquire).number = 2;
  told.did("b", Function::acquire).number = 2;
  Settings three;
  three.initial_number = 3;
  const Decision decision = decide(told.history(), Model::semaphore, {}, three);
  ASSERT_TRUE(decision.parts[0].explanation.proof);
  EXPECT_EQ(
      claim_in_words(told.history(), *decision.parts[0].explanation.proof),
      "By line 4, acquires of 4 permits have returned, and no release has begun. So 4 permits "
      "are out at once, of 3.");
}

TEST(CountingProof, OfReleasesSaysThatTheyHadNothingToRelease) {
  RecordedHistory told;
  told.did("a", Function::acquire);
  told.did("a", Function::release);
  told.did("a", Function::release);
  const Decision decision = decide(told.history(), Model::mutex);
  ASSERT_TRUE(decision.parts[0].explanation.proof);
  EXPECT_EQ(claim_in_words(told.history(), *decision.parts[0].explanation.proof),
            "From line 2 to line 6, 2 releases began and returned, and no acquire can have taken "
            "effect. So 1 release had nothing to release, as at most 1 was out before.");
}

/// Clients that work in turn, some of whose calls have an effect but no outcome; then two hold it.
TEST(CountingProof, IsAPageHoweverLongTheHistory) {
  RecordedHistory told;
  Draw draw(7);
  bool loses_release = false;
  for (int round = 0; round < 20'000; ++round) {
    const std::string who = std::to_string(draw.below(128));
    // After a release that is lost, an acquire that is lost could be no acquire at all.
    const bool loses_acquire = !loses_release && draw.one_in(20);
    loses_release = !loses_acquire && draw.one_in(20);
    told.did(who, Function::acquire, loses_acquire ? Outcome::info : Outcome::ok);
    told.did(who, Function::release, loses_release ? Outcome::info : Outcome::ok);
  }
  for (const char* who : {"a", "b", "c"}) told.did(who, Function::acquire);
  const Decision decision = decide(told.history(), Model::mutex);
  ASSERT_EQ(decision.answer, Answer::not_linearizable);
  const Explanation& explanation = decision.parts[0].explanation;
  ASSERT_TRUE(explanation.proof);
  const Told page = tell(told.history(), explanation, 34);
  EXPECT_LE(std::count(page.lines.begin(), page.lines.end(), '\n'), 34);
  EXPECT_NE(page.lines.find("From line "), std::string::npos) << page.lines;
  const auto lock = read_as_counting(told.history(), Model::mutex, {}, all_of(told.history()));
  EXPECT_TRUE(is_true(*explanation.proof, *lock));
}

/// Twice as many that wait as fit on a page, one of whom holds it; and a chain, and a core.
TEST(Explanation, IsCutToALimitAndSaysHowMuchIsMissing) {
  RecordedHistory crowd;
  std::vector<std::uint32_t> waiting;
  for (int index = 0; index < 80; ++index) {
    waiting.push_back(crowd.invoke(std::to_string(index), Function::acquire));
  }
  for (const std::uint32_t each : waiting) crowd.complete(each, Outcome::ok);
  const RecordedHistory chain = needs_an_unknown_acquire();
  struct Case {
    const RecordedHistory& told;
    Model model;
  };
  for (const auto& [told, model] :
       {Case{crowd, Model::fenced_lock}, Case{crowd, Model::leased_mutex},
        Case{crowd, Model::mutex}, Case{chain, Model::mutex}, Case{chain, Model::owned_mutex}}) {
    const Decision decision = decide(told.history(), model);
    ASSERT_EQ(decision.answer, Answer::not_linearizable);
    const Explanation& explanation = decision.parts[0].explanation;
    const auto count = [](const std::string& lines) {
      return static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
    };
    const std::string whole = in_words(told.history(), explanation);
    for (std::size_t lines_max = 6; lines_max < count(whole) + 3; ++lines_max) {
      const Told page = tell(told.history(), explanation, lines_max);
      EXPECT_LE(count(page.lines), lines_max);
      EXPECT_GE(count(page.lines) + page.left_out, count(whole));
      EXPECT_EQ(page.left_out == 0, page.lines == whole) << page.lines;
    }
  }
}

}  // namespace
}  // namespace lockstep::checker::recorded::testing
