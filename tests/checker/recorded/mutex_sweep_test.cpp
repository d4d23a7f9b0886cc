// The sweep against the general search: the same verdicts on random small histories; its orders are
// replayed, and what it blames has no order alone.
//
// A longer run: RC_PARAMS="max_success=100000" tests_checker --gtest_filter='*MutexSweep*' tries
// ten million histories in some minutes (five million of each kind, in Release).
#include "checker/recorded/mutex/mutex_sweep.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "checker/linearizability/leased_mutex.h"
#include "checker/linearizability/linearizability.h"
#include "tests/checker/recorded/mutex_histories.h"

namespace lockstep::checker::recorded::testing {
namespace {

using checker::testing::Draw;
using Search = LinearizabilitySearch<LeasedMutex>;

bool says_something(const Operation& operation, Refusals refusals) {
  return operation.outcome != Outcome::fail || refusals == Refusals::observed;
}

LeasedMutex::Input input_of(const Operation& operation) {
  LeasedMutex::Input input;
  input.kind =
      operation.function == Function::acquire ? OperationKind::acquire : OperationKind::release;
  input.refused = operation.outcome == Outcome::fail;
  input.returns_ns = 0;  // no hold expires
  input.owner = static_cast<NameId>(static_cast<std::uint32_t>(operation.owner));
  return input;
}

Reentry reentry_of(MutexKind kind) {
  return kind == MutexKind::reentrant ? Reentry::counted : Reentry::refused;
}

/// Operations that complete after `cut` count as unknown; indices: none for all.
std::vector<Search::Operation> for_search(const std::vector<Operation>& operations,
                                          Refusals refusals, std::uint32_t cut = never_completed) {
  std::vector<Search::Operation> result;
  for (const Operation& operation : operations) {
    if (!says_something(operation, refusals)) continue;
    const bool known = operation.outcome != Outcome::info && operation.completed <= cut &&
                       operation.completed != never_completed;
    if (!known && operation.outcome == Outcome::fail) continue;
    result.push_back(
        {input_of(operation), operation.invoked, known ? operation.completed : never_returns});
  }
  return result;
}

/// None: it gave up.
std::optional<bool> has_order(const std::vector<Search::Operation>& operations, MutexKind kind) {
  Search search;
  const SearchResult result =
      search.run(LeasedMutex(reentry_of(kind)), operations, Limits{.steps_max = 200'000});
  if (result.end == SearchEnd::linearizable) return true;
  if (result.end == SearchEnd::not_linearizable) return false;
  return std::nullopt;
}

/// "" if the order explains the history.
std::string flaw_of(const std::vector<std::uint32_t>& order,
                    const std::vector<Operation>& operations, MutexKind kind, Refusals refusals) {
  const LeasedMutex mutex(reentry_of(kind));
  LeasedMutex::State state = mutex.initial();
  LeasedMutex::Successors successors;
  std::vector<int> times(operations.size(), 0);
  std::uint32_t latest_invocation = 0;
  for (const std::uint32_t index : order) {
    const Operation& operation = operations[index];
    const LeasedMutex::Input input = input_of(operation);
    ++times[index];
    if (operation.outcome != Outcome::info && operation.completed < latest_invocation) {
      return "before one that had completed: " + std::to_string(index);
    }
    latest_invocation = std::max(latest_invocation, operation.invoked);
    if (mutex.successors(state, input, input, successors) == 0) {
      return "not legal: " + std::to_string(index);
    }
    state = successors[0];
  }
  for (std::size_t index = 0; index < operations.size(); ++index) {
    const Operation& operation = operations[index];
    const bool must = operation.outcome != Outcome::info &&
                      operation.completed != never_completed && says_something(operation, refusals);
    if (times[index] > 1 || (must && times[index] == 0)) {
      return "not once: " + std::to_string(index);
    }
  }
  return "";
}

/// "" if the sweep is right about the history.
std::string mistake_about(const std::vector<Operation>& operations, MutexKind kind,
                          Refusals refusals, const std::optional<bool>& expected) {
  const SweepResult swept = sweep_mutex(operations, kind, refusals);
  if (swept.answer == SweepAnswer::cannot_say) return "it cannot say";
  if (swept.answer == SweepAnswer::linearizable) {
    if (expected == false) return "it says yes, the search no";
    return flaw_of(swept.order, operations, kind, refusals);
  }
  if (expected == true) return "it says no, the search yes";
  std::vector<Operation> blamed;
  for (const std::uint32_t index : swept.blamed) blamed.push_back(operations[index]);
  if (!std::is_sorted(swept.blamed.begin(), swept.blamed.end())) return "blame isn't sorted";
  if (std::find(swept.blamed.begin(), swept.blamed.end(), swept.stuck) == swept.blamed.end()) {
    return "the stuck operation isn't blamed";
  }
  const auto alone =
      has_order(for_search(blamed, refusals, operations[swept.stuck].completed), kind);
  return alone == true ? "what it blames has an order alone" : "";
}

MutexHistoryShape small_shape(MutexKind kind, Draw& draw) {
  MutexHistoryShape shape;
  shape.kind = kind;
  shape.event_count = 4 + draw.below(26);
  shape.owner_count = 2 + draw.below(3);
  shape.unknown_one_in = draw.one_in(4) ? 0 : 2 + draw.below(5);
  shape.stray_one_in = 2 + draw.below(6);
  shape.waits_one_in = draw.below(3);
  shape.changes = draw.one_in(3) ? 0 : draw.below(4);
  return shape;
}

Refusals some_refusals(Draw& draw) {
  return draw.one_in(3) ? Refusals::ignored : Refusals::observed;
}

std::string shrunk(std::vector<Operation> operations, MutexKind kind, Refusals refusals) {
  const auto is_wrong = [&](const std::vector<Operation>& some) {
    return !mistake_about(some, kind, refusals, has_order(for_search(some, refusals), kind))
                .empty();
  };
  for (std::size_t index = 0; index < operations.size();) {
    std::vector<Operation> fewer = operations;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(index));
    if (is_wrong(fewer)) {
      operations = fewer;
      index = 0;
    } else {
      ++index;
    }
  }
  std::string text(refusals == Refusals::observed ? "refusals observed\n" : "refusals ignored\n");
  text.append(
      mistake_about(operations, kind, refusals, has_order(for_search(operations, refusals), kind)));
  return text.append("\n").append(to_text(operations));
}

std::string name_of(MutexKind kind) {
  static constexpr const char* names[] = {"owned", "reentrant"};
  return names[static_cast<std::size_t>(kind)];
}

class MutexSweep : public ::testing::TestWithParam<MutexKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, MutexSweep,
                         ::testing::Values(MutexKind::owned, MutexKind::reentrant),
                         [](const auto& kind) { return name_of(kind.param); });

#ifdef NDEBUG
constexpr int sweeps_each = 50;
#else
constexpr int sweeps_each = 10;
#endif

TEST_P(MutexSweep, AgreesWithTheSearchAndCanBeCheckedAgain) {
  const MutexKind kind = GetParam();
  const bool right = rc::check([kind](std::uint64_t seed) {
    Draw draw(seed);
    for (int round = 0; round < sweeps_each; ++round) {
      const auto operations = random_mutex_history(small_shape(kind, draw), draw);
      const Refusals refusals = some_refusals(draw);
      const auto expected = has_order(for_search(operations, refusals), kind);
      const std::string mistake = mistake_about(operations, kind, refusals, expected);
      if (!mistake.empty()) RC_FAIL(mistake + "\n" + shrunk(operations, kind, refusals));
    }
  });
  EXPECT_TRUE(right);
}

/// So long that it goes back where one way fails, and not to the beginning.
TEST_P(MutexSweep, FindsAnOrderForLongHistoriesThatHaveOne) {
  const MutexKind kind = GetParam();
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Draw draw(seed);
    const MutexHistoryShape shape{.kind = kind,
                                  .event_count = 6000,
                                  .owner_count = 4 + draw.below(12),
                                  .unknown_one_in = 6 + draw.below(20),
                                  .stray_one_in = 12,
                                  .waits_one_in = 0,
                                  .changes = 0};
    const auto operations = random_mutex_history(shape, draw);
    const Refusals refusals = Refusals::observed;
    const SweepResult swept = sweep_mutex(operations, kind, refusals);
    ASSERT_EQ(swept.answer, SweepAnswer::linearizable) << "seed " << seed;
    EXPECT_EQ(flaw_of(swept.order, operations, kind, refusals), "") << "seed " << seed;
  }
}

Operation told(int owner, Function function, std::uint32_t invoked, std::uint32_t completed,
               Outcome outcome = Outcome::ok) {
  Operation operation;
  operation.function = function;
  operation.outcome = outcome;
  operation.process = operation.owner = static_cast<TextId>(owner);
  operation.invoked = invoked;
  operation.completed = completed;
  return operation;
}

/// Owner 2 comes and goes; then 0 and 1 both hold the lock.
std::vector<Operation> double_hold() {
  return {told(2, Function::acquire, 0, 1), told(2, Function::release, 2, 3),
          told(0, Function::acquire, 4, 5), told(1, Function::acquire, 6, 7),
          told(1, Function::release, 8, 9), told(0, Function::release, 10, 11)};
}

TEST(MutexSweepBlame, IsTheTwoHoldersAndNobodyElse) {
  const SweepResult swept = sweep_mutex(double_hold(), MutexKind::owned, Refusals::observed);
  ASSERT_EQ(swept.answer, SweepAnswer::not_linearizable);
  EXPECT_EQ(swept.blamed, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(swept.stuck, 3U);
}

TEST(MutexSweepBlame, ALateUnknownReleaseExplainsADoubleHold) {
  auto operations = double_hold();
  operations.insert(operations.begin() + 2,
                    told(0, Function::release, 3, never_completed, Outcome::info));
  operations[2].invoked = 4;
  for (std::size_t index = 3; index < operations.size(); ++index) {
    ++operations[index].invoked;
    ++operations[index].completed;
  }
  // It ends 0's first hold; then 0's own release finds nothing to release.
  EXPECT_EQ(sweep_mutex(operations, MutexKind::owned, Refusals::observed).answer,
            SweepAnswer::not_linearizable);
  operations.back().outcome = Outcome::fail;
  const SweepResult swept = sweep_mutex(operations, MutexKind::owned, Refusals::observed);
  ASSERT_EQ(swept.answer, SweepAnswer::linearizable);
  EXPECT_EQ(swept.order, (std::vector<std::uint32_t>{0, 1, 3, 2, 4, 5, 6}));
}

TEST(MutexSweepObstacles, AreNamed) {
  auto forced = double_hold();
  forced[1].function = Function::force_release;
  auto overlapping = double_hold();
  overlapping[3].owner = overlapping[2].owner;
  overlapping[2].completed = 12;
  EXPECT_EQ(sweep_mutex(forced, MutexKind::owned, Refusals::observed).obstacle,
            SweepObstacle::function);
  EXPECT_EQ(sweep_mutex(overlapping, MutexKind::owned, Refusals::observed).obstacle,
            SweepObstacle::overlap);
  Draw draw(1);
  const auto many = random_mutex_history({.event_count = 20'000, .waits_one_in = 0}, draw);
  Limits no_time;
  no_time.is_over = [] { return true; };
  EXPECT_EQ(sweep_mutex(many, MutexKind::owned, Refusals::observed, no_time).obstacle,
            SweepObstacle::time);
}

}  // namespace
}  // namespace lockstep::checker::recorded::testing
