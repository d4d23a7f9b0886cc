// When a strike of each kind of fault mattered, and when it struck and did not.
#include "model/faults/strike_effects.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "model/engine/run_result.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_kind.h"
#include "scenario/faults/fault_spec.h"
#include "tests/model/engine/simulated_run.h"

namespace lockstep::model::strike_effects_test {
namespace {

using scenario::FaultKind;

constexpr std::string_view one_node = "";
constexpr std::string_view with_replica = "[redis]\nreplicas = 1\n";
constexpr std::string_view stored =
    "[redis]\nconfig = { appendonly = \"yes\", appendfsync = \"always\" }\n";

/// The last fault of each text is the one that is asked about.
struct Case {
  FaultKind kind;
  std::string_view redis;
  std::string_view mattered;
  std::string_view did_not;  ///< … though it struck; empty: it always does
};

constexpr std::string_view promoted_without_the_lock = R"(
[[fault]]
lag = "n1-replica-1"
by  = "60s"
[[fault]]
promote = "n1-replica-1"
when    = "a acquired"
)";

const std::vector<Case> cases = {
    {FaultKind::pause, one_node, R"(
[[fault]]
pause = "a"
when  = "a acquired"
for   = "15s"
)",
     R"(
[[fault]]
pause = "a"
when  = "a acquired"
for   = "1s"
)"},
    {FaultKind::crash, one_node, R"(
[[fault]]
crash = "a"
when  = "a acquired"
)",
     R"(
[[fault]]
crash = "a"
at    = "50s"
)"},
    {FaultKind::restart, stored, R"(
[[fault]]
crash = "n1"
when  = "a acquired"
[[fault]]
restart = "n1"
when    = "n1 crashed"
after   = "100ms"
)",
     R"(
[[fault]]
crash = "n1"
at    = "50s"
[[fault]]
restart = "n1"
when    = "n1 crashed"
)"},
    {FaultKind::promote, with_replica, promoted_without_the_lock, R"(
[[fault]]
promote = "n1-replica-1"
at      = "2s"
)"},
    {FaultKind::cut, one_node, R"(
[[fault]]
cut  = ["a", "n1"]
when = "a acquired"
for  = "15s"
)",
     R"(
[[fault]]
cut = ["a", "n1"]
at  = "1s"
for = "1s"
)"},
    {FaultKind::drop, with_replica, R"(
[[fault]]
drop = "reply to acquire"
to   = "a"
)",
     R"(
[[fault]]
drop = "replication"
)"},
    {FaultKind::delay, one_node, R"(
[[fault]]
delay = "reply to acquire"
to    = "a"
by    = "15s"
)",
     R"(
[[fault]]
delay = "reply to acquire"
to    = "a"
by    = "10ms"
)"},
    {FaultKind::reset, with_replica, R"(
[[fault]]
reset = "release"
from  = "a"
)",
     R"(
[[fault]]
reset = "replication"
)"},
    {FaultKind::clock_step, one_node, R"(
[[fault]]
clock_step = "n1"
by         = "20s"
when       = "a acquired"
)",
     R"(
[[fault]]
clock_step = "n1"
by         = "20s"
at         = "50s"
)"},
    {FaultKind::delete_key, one_node, R"(
[[fault]]
delete = "lock"
on     = "n1"
when   = "a acquired"
)",
     R"(
[[fault]]
delete = "lock"
on     = "n1"
at     = "50s"
)"},
    {FaultKind::flush_all, one_node, R"(
[[fault]]
flush_all = "n1"
when      = "a acquired"
)",
     R"(
[[fault]]
flush_all = "n1"
at        = "50s"
)"},
    {FaultKind::script_flush, one_node, R"(
[[fault]]
script_flush = "n1"
when         = "a acquired"
)",
     R"(
[[fault]]
script_flush = "n1"
at           = "50s"
)"},
    {FaultKind::interrupt, one_node, R"(
[[fault]]
interrupt = "a/1"
when      = "a sent acquire"
)",
     R"(
[[fault]]
interrupt = "idle/1"
at        = "50s"
)"},
    {FaultKind::refuse, one_node, R"(
[[fault]]
refuse = "n1"
for    = "2s"
)",
     R"(
[[fault]]
refuse = "n1"
at     = "50s"
)"},
    {FaultKind::slow, one_node, R"(
[[fault]]
slow = "n1"
by   = "12s"
)",
     R"(
[[fault]]
slow = "n1"
by   = "1ms"
)"},
    {FaultKind::clog, one_node, R"(
[[fault]]
clog = ["a", "n1"]
by   = "12s"
)",
     R"(
[[fault]]
clog = ["a", "n1"]
by   = "10ms"
)"},
    {FaultKind::isolate, with_replica, R"(
[[fault]]
lag = "n1-replica-1"
by  = "60s"
[[fault]]
promote = "n1-replica-1"
when    = "a acquired"
after   = "1s"
[[fault]]
isolate = "n1"
when    = "a acquired"
)",
     R"(
[[fault]]
promote = "n1-replica-1"
when    = "a acquired"
after   = "1s"
[[fault]]
isolate = "n1"
when    = "a acquired"
after   = "500ms"
for     = "1s"
)"},
    {FaultKind::lag, with_replica, R"(
[[fault]]
promote = "n1-replica-1"
when    = "a acquired"
[[fault]]
lag = "n1-replica-1"
by  = "60s"
)",
     R"(
[[fault]]
lag = "n1-replica-1"
by  = "60s"
)"},
};

const std::string clients = R"(
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "sleep 3s", "unlock"]
[[client]]
name  = "b"
start = "5ms"
run   = ["lock lease=10s", "write", "sleep 3s", "unlock"]
[[client]]
name = "idle"
run  = ["sleep 100s"]
)";

Mattered last_of(const Case& tried, std::string_view faults) {
  std::string text = "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"no-leak\" }\n";
  text += tried.redis;
  text += clients;
  text += faults;
  const test::SimulatedRun run(text);
  const std::size_t last = run.result().faults->size() - 1;
  EXPECT_EQ((*run.result().faults)[last].kind, tried.kind);
  EXPECT_GT(run.result().fault_strikes[last], 0U) << faults;
  return run.result().fault_effects[last];
}

class StrikeEffectsOf : public ::testing::TestWithParam<Case> {};

TEST_P(StrikeEffectsOf, TellWhatMatteredFromWhatDidNot) {
  EXPECT_GE(last_of(GetParam(), GetParam().mattered), Mattered::to_owners);
  EXPECT_LT(last_of(GetParam(), GetParam().did_not), Mattered::to_owners);
}

INSTANTIATE_TEST_SUITE_P(Kinds, StrikeEffectsOf, ::testing::ValuesIn(cases),
                         [](const ::testing::TestParamInfo<Case>& tried) {
                           return std::string(scenario::to_string(tried.param.kind));
                         });

// b sleeps on, and a finds out as it gives the lock back.
TEST(StrikeEffects, ALackingLockThatItsOwnerAloneComesToSeeMattersToOwnersOnly) {
  const Case crash{FaultKind::crash, with_replica, {}, {}};
  EXPECT_EQ(last_of(crash, R"(
[[fault]]
lag = "n1-replica-1"
by  = "60s"
[[fault]]
promote = "n1-replica-1"
when    = "a acquired"
after   = "1s"
[[fault]]
crash = "n1"
when  = "n1-replica-1 promoted"
)"),
            Mattered::to_owners);
}

/// a alone, but for what follows.
Mattered pause_of(std::string_view others) {
  const test::SimulatedRun run(R"(
title = "t"
lock = "plain"
expect = { holds = "no-leak" }
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "sleep 1s", "unlock"]
[[fault]]
pause = "a"
when  = "a acquired"
for   = "20s"
)" + std::string(others));
  return run.result().fault_effects[0];
}

TEST(StrikeEffects, ALeaseThatEndsMattersToHoldersWhereARivalComesBeforeItsOwnerIsDone) {
  EXPECT_EQ(pause_of(""), Mattered::to_owners);
  EXPECT_EQ(pause_of(R"(
[[client]]
name  = "b"
start = "5ms"
run   = ["try_lock wait=2s lease=10s", "unlock"]
)"),
            Mattered::to_owners)
      << "b gave up before the lease ended";
  EXPECT_EQ(pause_of(R"(
[[client]]
name  = "b"
start = "30s"
run   = ["lock lease=10s", "unlock"]
)"),
            Mattered::to_owners)
      << "a is done with it";
  EXPECT_GE(pause_of(R"(
[[client]]
name  = "b"
start = "15s"
run   = ["lock lease=10s", "unlock"]
)"),
            Mattered::to_holders);
  EXPECT_EQ(pause_of(R"(
[[client]]
name  = "b"
start = "15s"
run   = ["lock lease=10s name=other", "unlock name=other"]
)"),
            Mattered::to_owners)
      << "another lock";
}

TEST(StrikeEffects, ALostMessageMattersToRivalsWhereOneComesWhileItsCallIsUnderWay) {
  const auto lost_reply = [](std::string_view start) {
    const test::SimulatedRun run(
        "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"no-leak\" }\n"
        "[[client]]\nname = \"a\"\nrun = [\"lock lease=10s\", \"unlock\"]\n"
        "[[client]]\nname = \"b\"\nstart = \"" +
        std::string(start) +
        "\"\nrun = [\"lock lease=10s\", \"unlock\"]\n"
        "[[fault]]\ndrop = \"reply to release\"\nto = \"a\"\n");
    return run.result().fault_effects[0];
  };
  EXPECT_GE(lost_reply("1s"), Mattered::to_rivals) << "the release is sent again";
  EXPECT_EQ(lost_reply("60s"), Mattered::to_callers);
}

TEST(StrikeEffects, ALostMessageOfAQuestionMattersToOwnersUnlessALeaseEndsMeanwhile) {
  const auto lost = [](std::string_view message, std::string_view run_of_a) {
    const test::SimulatedRun run(
        "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"no-leak\" }\n"
        "[[client]]\nname = \"a\"\nrun = [" +
        std::string(run_of_a) +
        "]\n[[client]]\nname = \"b\"\nstart = \"5ms\"\n"
        "run = [\"lock lease=10s\", \"write\", \"unlock\"]\n[[fault]]\ndrop = \"" +
        std::string(message) + "\"\n");
    EXPECT_GT(run.result().fault_strikes[0], 0U) << message;
    return run.result().fault_effects[0];
  };
  for (const std::string_view message : {"reply to exists", "exists"}) {
    EXPECT_EQ(lost(message, R"("lock lease=30s", "is_locked", "write", "unlock")"),
              Mattered::to_owners)
        << message;
    EXPECT_EQ(lost(message, R"("lock", "is_locked", "write", "unlock")"), Mattered::to_owners)
        << message << ", while the lease is renewed";
    EXPECT_GE(lost(message, R"("lock lease=1s", "is_locked", "write", "unlock")"),
              Mattered::to_holders)
        << message << ", asked again after the lease";
  }
  EXPECT_GE(lost("reply to release", R"("lock lease=30s", "is_locked", "unlock")"),
            Mattered::to_rivals);
}

TEST(StrikeEffects, APauseOfAWaiterWhoCouldHaveHadTheLockMattersToWaitersOnly) {
  const Case pause{FaultKind::pause, one_node, {}, {}};
  EXPECT_EQ(last_of(pause, R"(
[[fault]]
pause = "b"
at    = "2s"
for   = "2s"
)"),
            Mattered::to_waiters);
  EXPECT_EQ(last_of(pause, R"(
[[fault]]
pause = "b"
at    = "1s"
for   = "1s"
)"),
            Mattered::no);
}

Mattered of_two(std::string_view fault) {
  const test::SimulatedRun run(
      "title = \"t\"\nlock = \"setnx\"\nexpect = { holds = \"no-leak\" }\n"
      "[[client]]\nname = \"w\"\ncount = 2\nrun = [\"lock lease=60s\", \"sleep 9s\", "
      "\"unlock\"]\n[[fault]]\n" +
      std::string(fault));
  EXPECT_GT(run.result().fault_strikes[0], 0U) << fault;
  return run.result().fault_effects[0];
}

TEST(StrikeEffects, ALimitOnConnectionsMattersWhereItTurnsOneDown) {
  EXPECT_EQ(of_two("max_clients = \"n1\"\nlimit = 10\nfor = \"2s\"\n"), Mattered::no);
  EXPECT_GE(of_two("max_clients = \"n1\"\nlimit = 1\nfor = \"2s\"\n"), Mattered::to_holders);
  EXPECT_EQ(of_two("refuse = \"n1\"\nat = \"1s\"\nfor = \"2s\"\n"), Mattered::no)
      << "both are connected by then";
  EXPECT_GE(of_two("refuse = \"n1\"\nfor = \"2s\"\n"), Mattered::to_holders);
}

TEST(StrikeEffects, WhatTakesHardlyAnyTimeMattersToNobody) {
  EXPECT_EQ(of_two("slow = \"n1\"\nby = \"1us\"\n"), Mattered::no);
  EXPECT_EQ(of_two("clog = [\"w1\", \"n1\"]\nby = \"1us\"\n"), Mattered::no);
  EXPECT_EQ(of_two("delay = \"any\"\nby = \"1us\"\n"), Mattered::no);
  EXPECT_GE(of_two("slow = \"n1\"\nby = \"400ms\"\n"), Mattered::to_waiters);
}

constexpr std::string_view cluster =
    "[redis]\ntopology = \"cluster\"\nmasters = 3\nreplicas = 1\n"
    "cluster = { node_timeout = \"1s\" }\n";
constexpr std::string_view sentinel =
    "[redis]\ntopology = \"sentinel\"\nreplicas = 2\nsentinel = { down_after = \"1s\" }\n";

Mattered last_in(std::string_view redis, std::string_view fault) {
  std::string text = "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"no-leak\" }\n";
  text += redis;
  text += clients;
  text += "[[fault]]\n";
  text += fault;
  const test::SimulatedRun run(text);
  const std::size_t last = run.result().faults->size() - 1;
  EXPECT_GT(run.result().fault_strikes[last], 0U) << fault;
  return run.result().fault_effects[last];
}

// The lock's slot is n2's.
TEST(StrikeEffects, WhatStrikesAnotherSlotMattersToNobody) {
  EXPECT_EQ(last_in(cluster, "crash = \"n1\"\nat = \"1s\"\n"), Mattered::no);
  EXPECT_EQ(last_in(cluster, "crash = \"n2-replica-1\"\nat = \"1s\"\n"), Mattered::no);
  EXPECT_EQ(last_in(cluster, "cut = [\"b\", \"n3\"]\nat = \"1s\"\nfor = \"30s\"\n"), Mattered::no);
  EXPECT_EQ(last_in(cluster, "script_flush = \"n3\"\nat = \"1s\"\n"), Mattered::no);
  EXPECT_EQ(last_in(cluster, "clock_step = \"n1\"\nby = \"20s\"\nat = \"1s\"\n"), Mattered::no);
  EXPECT_GE(last_in(cluster, "crash = \"n2\"\nat = \"1s\"\n"), Mattered::to_waiters);
  EXPECT_GE(last_in(cluster, "cut = [\"b\", \"n2\"]\nat = \"1s\"\nfor = \"30s\"\n"),
            Mattered::to_waiters);
  EXPECT_GE(last_in(cluster, "script_flush = \"n2\"\nat = \"1s\"\n"), Mattered::to_holders);
}

TEST(StrikeEffects, WhatStrikesAReplicaOrASentinelMattersWhereAFailoverMayNeedIt) {
  EXPECT_EQ(last_in(sentinel, "crash = \"n1-replica-1\"\nat = \"1s\"\n"), Mattered::no);
  EXPECT_EQ(last_in(sentinel, "crash = \"s1\"\nat = \"1s\"\n"), Mattered::no);
  EXPECT_EQ(last_in(sentinel, "cut = [\"b\", \"n1-replica-1\"]\nfor = \"5s\"\n"), Mattered::no);
  constexpr std::string_view with_failover =
      "crash = \"n1\"\nat = \"1s\"\n[[fault]]\ncrash = \"n1-replica-1\"\nat = \"1s\"\n";
  EXPECT_GE(last_in(sentinel, with_failover), Mattered::to_waiters);
  EXPECT_EQ(last_in(with_replica, "crash = \"n1-replica-1\"\nat = \"1s\"\n"), Mattered::no);
  constexpr std::string_view needed =
      "[redis]\nreplicas = 1\nconfig = { min-replicas-to-write = 1 }\n";
  EXPECT_GE(last_in(needed, "crash = \"n1-replica-1\"\nat = \"1s\"\n"), Mattered::to_waiters);
}

TEST(StrikeEffects, AClockThatIsOffByLessThanAHopOrThatNobodyReadsMattersToNobody) {
  EXPECT_EQ(of_two("clock_step = \"n1\"\nby = \"1ms\"\nat = \"1s\"\n"), Mattered::no);
  EXPECT_EQ(of_two("clock_drift = \"n1\"\nrate = \"1ppm\"\nat = \"1s\"\n"), Mattered::no);
  EXPECT_EQ(of_two("clock_step = \"w1\"\nby = \"90s\"\nat = \"1s\"\n"), Mattered::no)
      << "its model never asks what time it is";
  EXPECT_GE(of_two("clock_step = \"n1\"\nby = \"90s\"\nat = \"1s\"\n"), Mattered::to_holders);
  EXPECT_EQ(of_two("clock_freeze = \"n1\"\nat = \"2990ms\"\nfor = \"60s\"\n"), Mattered::no)
      << "for hardly any time of what is left of the leases";
}

}  // namespace
}  // namespace lockstep::model::strike_effects_test
