// Which faults a violation needs, and when, on stories of which it is known.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/engine/engine.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/file/scenario_file.h"
#include "scenario/milestones.h"
#include "scenario/scenario.h"
#include "search/runs/moved_faults.h"
#include "search/runs/needed_faults.h"
#include "search/runs/seed_runs.h"
#include "sim/time.h"
#include "tests/support/script_folder.h"

namespace lockstep::search::minimal_faults_test {
namespace {

constexpr std::string_view two_clients = R"(
title  = "t"
lock   = "plain"
expect = { violates = "mutual-exclusion" }
[redis]
replicas = 1
[[client]]
name = "a"
run  = ["lock lease=10s", "sleep 1s", "write", "unlock"]
[[client]]
name  = "b"
start = "5ms"
run   = ["lock lease=10s", "write", "sleep 3s", "unlock"]
)";

constexpr std::string_view pause = R"(
[[fault]]
pause = "a"
when  = "a read"
for   = "15s"
)";

constexpr std::string_view pause_at_some_time = R"(
[[fault]]
pause = "a"
when  = "a acquired"
after = "100ms..900ms"
for   = "15s"
)";

constexpr std::string_view failover = R"(
[[fault]]
cut = ["n1", "n1-replica-1"]
[[fault]]
crash = "n1"
when  = "a acquired"
[[fault]]
promote = "n1-replica-1"
when    = "n1 crashed"
)";

constexpr std::string_view harmless = R"(
[[fault]]
delay = "release"
by    = "10ms"
)";

struct Row {
  std::string_view about;
  std::vector<std::string_view> faults;
  std::vector<std::size_t> needed;
};

TEST(MinimalFaults, AreThoseWithoutWhichItDoesNotBreak) {
  const Row rows[] = {
      {"one that matters", {pause}, {0}},
      {"one whose moment is drawn", {harmless, pause_at_some_time}, {1}},
      {"one that does not matter after it", {pause, harmless}, {0}},
      {"one that does not matter before it", {harmless, pause}, {1}},
      {"each of three", {failover}, {0, 1, 2}},
      {"three, or the pause: the later one is tried last", {failover, pause}, {3}},
      {"both ends of a story", {harmless, failover}, {1, 2, 3}},
  };
  model::Engine engine({support::script_folder()});
  for (const Row& row : rows) {
    std::string text(two_clients);
    for (const std::string_view fault : row.faults) text += fault;
    const scenario::Scenario scenario = scenario::parse_scenario("t.toml", text);
    Rerun rerun(engine, 1);
    EXPECT_EQ(minimal_faults(scenario, checker::Property::mutual_exclusion, rerun), row.needed)
        << row.about;
  }
}

TEST(MinimalFaults, AreToldOfAnExample) {
  model::Engine engine({support::script_folder()});
  std::string text(two_clients);
  text.append(harmless).append(pause);
  const ScenarioOutcome outcome =
      run_scenario(scenario::parse_scenario("t.toml", text), {1, 2}, engine);
  ASSERT_FALSE(outcome.needed.empty());
  EXPECT_EQ(outcome.needed[0].property, checker::Property::mutual_exclusion);
  EXPECT_EQ(outcome.needed[0].faults, (std::vector<std::size_t>{1}));
}

// -- moved in time --

std::vector<MovedFault> moves_of(const std::vector<std::string_view>& faults) {
  model::Engine engine({support::script_folder()});
  std::string text(two_clients);
  for (const std::string_view fault : faults) text += fault;
  const ScenarioOutcome outcome =
      run_scenario(scenario::parse_scenario("t.toml", text), {1, 1}, engine);
  return outcome.needed.empty() ? std::vector<MovedFault>() : outcome.needed[0].moved;
}

/// a reads for a moment and writes in the end: a pause between the two may come at any time, one
/// behind them does no harm.
TEST(MovedFaults, AreThoseThatTheViolationNeeds) {
  const std::vector<MovedFault> moves = moves_of({harmless, pause});
  ASSERT_FALSE(moves.empty());
  for (const MovedFault& move : moves) EXPECT_EQ(move.fault, 1U);
  const auto found = [&](bool breaks, int sign) {
    return std::any_of(moves.begin(), moves.end(), [&](const MovedFault& move) {
      return move.breaks == breaks && (move.by > 0) == (sign > 0);
    });
  };
  EXPECT_TRUE(found(false, 1)) << "a pause that comes when a is done";
}

/// The crash is not needed, as a promotion alone will do. Where it comes first the promotion may be
/// later.
TEST(MovedFaults, AreMovedInTheFileAsItIs) {
  model::Engine engine({support::script_folder()});
  const ScenarioOutcome outcome = run_scenario(scenario::parse_scenario("t.toml", R"(
title  = "t"
lock   = "readwrite"
expect = { violates = "mutual-exclusion" }
[redis]
replicas = 1
[[client]]
name  = "r"
count = 2
run   = ["read_lock lease=30s", "sleep 6s", "read_unlock"]
[[client]]
name  = "w"
start = "2s"
run   = ["write_lock lease=30s", "write", "write_unlock"]
[[fault]]
stall = "n1-replica-1"
at    = "0s"
for   = "5s"
[[fault]]
crash = "n1"
at    = "1s"
[[fault]]
promote = "n1-replica-1"
at      = "1500ms"
)"),
                                               {1, 1}, engine);
  ASSERT_FALSE(outcome.needed.empty());
  EXPECT_EQ(outcome.needed[0].faults, (std::vector<std::size_t>{0, 2}));
  for (const MovedFault& move : outcome.needed[0].moved) {
    EXPECT_TRUE(move.fault != 2 || move.breaks || move.by > sim::second_ns) << move.by;
  }
}

TEST(MovedFaults, OfSingleMessagesStrikeAnother) {
  const std::vector<MovedFault> moves = moves_of({R"(
[[fault]]
delay = "write"
from  = "a"
by    = "15s"
)"});
  EXPECT_EQ(moves, (std::vector<MovedFault>{{0, 1, false}}));
}

TEST(MovedFaults, StrikeSoMuchLaterOrEarlier) {
  scenario::FaultSpec fault;
  fault.kind = scenario::FaultKind::pause;
  fault.trigger.when = scenario::Trigger::When{"a", scenario::Milestone::acquired, {}};
  const std::vector<sim::TimeNs> once{500};
  EXPECT_EQ(moved(fault, 20, once)->trigger.after_ns, 20);
  const scenario::Trigger before = moved(fault, -20, once)->trigger;
  EXPECT_FALSE(before.when);
  EXPECT_EQ(before.after_ns, 480);
  EXPECT_FALSE(moved(fault, -501, once)) << "before the run";
  EXPECT_FALSE(moved(fault, -20, {})) << "it never struck";
  EXPECT_FALSE(moved(fault, -20, {500, 900})) << "which one?";
  fault.trigger.after_ns = 30;
  EXPECT_EQ(moved(fault, -20, {})->trigger.after_ns, 10);
  fault.trigger.when->kind = scenario::Trigger::When::Kind::lease_end;
  EXPECT_EQ(moved(fault, -50, {})->trigger.after_ns, -20);
}

/// What is drawn is drawn that much later: else the fault would not have moved at all.
TEST(MovedFaults, TakeTheirRangesWithThem) {
  using What = scenario::OpenDuration::What;
  scenario::FaultSpec message;
  message.kind = scenario::FaultKind::drop;
  message.nth = 2;
  message.open = {{What::times, 1, 3}, {What::nth, 2, 4}};
  const scenario::FaultSpec next = *moved(message, 1, {});
  EXPECT_EQ(next.nth, 3U);
  EXPECT_EQ(next.find_open(What::nth)->min_ns, 3);
  EXPECT_EQ(next.find_open(What::nth)->max_ns, 5);
  EXPECT_EQ(next.find_open(What::times)->min_ns, 1) << "how many is another question";
  EXPECT_FALSE(moved(message, -2, {}));

  scenario::FaultSpec stop;
  stop.kind = scenario::FaultKind::pause;
  stop.trigger.when = scenario::Trigger::When{"a", scenario::Milestone::acquired, {}};
  stop.trigger.after_ns = 30;
  stop.open = {{What::after, 30, 90}};
  const scenario::FaultSpec later = *moved(stop, 20, {500});
  EXPECT_EQ(later.trigger.after_ns, 50);
  EXPECT_EQ(later.find_open(What::after)->min_ns, 50);
  EXPECT_EQ(later.find_open(What::after)->max_ns, 110);
  EXPECT_FALSE(moved(stop, -31, {500})) << "by how much it came later was drawn";
  stop.trigger.after_ns = 0;
  stop.open = {{What::strikes, 1, 3}};
  EXPECT_FALSE(moved(stop, -20, {500})) << "it may strike more than once";
}

/// Each asked distance is answered by this.
std::vector<MovedFault> tried(const std::function<std::optional<bool>(std::int64_t)>& breaks,
                              std::size_t& runs) {
  scenario::FaultSpec fault;
  fault.kind = scenario::FaultKind::pause;
  return try_moves(fault, 3, [&](std::int64_t by) {
    ++runs;
    return breaks(by);
  });
}

TEST(MovedFaults, AreTriedByHalving) {
  constexpr std::int64_t ms = sim::millisecond_ns;
  std::size_t runs = 0;
  const auto within = [](std::int64_t by) { return std::optional(std::abs(by) <= 150 * ms); };
  EXPECT_EQ(tried(within, runs), (std::vector<MovedFault>{{3, -1000 * ms, false},
                                                          {3, -100 * ms, true},
                                                          {3, 100 * ms, true},
                                                          {3, 1000 * ms, false}}));
  EXPECT_LE(runs, 8U);
  const auto always = [](std::int64_t) { return std::optional(true); };
  runs = 0;
  EXPECT_EQ(tried(always, runs),
            (std::vector<MovedFault>{{3, -10000 * ms, true}, {3, 10000 * ms, true}}));
  EXPECT_EQ(runs, 2U);
  const auto later_only = [](std::int64_t by) {
    return by > 0 ? std::optional(false) : std::nullopt;
  };
  EXPECT_EQ(tried(later_only, runs), (std::vector<MovedFault>{{3, 1 * ms, false}}));
}

}  // namespace
}  // namespace lockstep::search::minimal_faults_test
