// What a scenario that is right becomes: every key read, every default in its place.
#include <gtest/gtest.h>

#include <string>

#include "checker/property.h"
#include "scenario/explain.h"
#include "scenario/file/scenario_file.h"
#include "scenario/file/write_scenario.h"
#include "scenario/milestones.h"
#include "scenario/scenario.h"
#include "scenario/workload_spec.h"

namespace lockstep::model {
namespace {

constexpr std::string_view smallest = R"(title = "t"
lock = "plain"
expect = { holds = "harm" }
[[client]]
name = "a"
run = ["lock"]
)";

constexpr std::string_view everything = R"(
title     = "Everything"
lock      = "plain/unlatched"
lock_name = "{orders}:1"
expect    = { violates = "harm", holds = ["no-leak", "hold-count"] }
[redis]
masters  = 3
replicas = 2
latency  = "200us..1.5ms"
config   = { appendonly = true, save = "60 1", maxmemory = "1mb", min-replicas-to-write = 1 }
[options]
retry_attempts = 4
timeout        = "3s"
wait_ms        = "1s"
watchdog       = false
mode           = "batched"
[scripts]
acquire = "old/acquire.lua"
[resource]
fencing = true
[clocks]
declared_drift = "100ppm"
[limits]
horizon = "1h"
events  = 5000
[[client]]
name        = "a"
rounds      = 3
start       = "5ms"
wall_offset = "-2s"
drift       = "-200ppm"
run = ["lock lease=10s", "try_lock wait=1s lease=250ms name=other", "write", "sleep 5s",
       "unlock name=other", "unlock", "force_unlock", "crash"]
[[client]]
name = "b"
[[client.thread]]
run = ["lock", "unlock"]
[[client.thread]]
run = ["write name=other"]
[[fault]]
pause = "a"
for   = "15s"
when  = "a acquired other for the 2nd time"
after = "1ms"
[[fault]]
crash = "n1"
at    = "5s"
[[fault]]
restart = "n1"
when    = "n1 crashed"
after   = "1s"
[[fault]]
promote = "n1-replica-2"
when    = "n1 executed acquire for the 3rd time"
[[fault]]
cut = ["b", "resource"]
for = "1s"
[[fault]]
drop = "reply to acquire"
from = "n2"
to   = "b/1"
nth  = 2
at   = "1s"
[[fault]]
delay = "replication"
by    = "2s"
[[fault]]
reset = "acquire"
when  = "b sent write"
[[fault]]
clock_step = "n3"
by         = "-3s"
at         = "0s"
[[fault]]
clock_drift = "b"
rate        = "50ppm"
[[fault]]
delete = "other"
on     = "n1-replica-2"
when   = "n1-replica-2 promoted"
[[fault]]
power_loss = "n2"
at         = "7s"
[[fault]]
shutdown = "n3"
when     = "n2 crashed"
)";

TEST(ValidScenarios, HaveTheDefaultsOfTheContract) {
  const scenario::Scenario scenario = scenario::parse_scenario("dir/s.toml", std::string(smallest));
  const scenario::Scenario defaults;
  EXPECT_EQ(scenario.path, "dir/s.toml");
  EXPECT_EQ(scenario.text, smallest);
  EXPECT_EQ(scenario.title, "t");
  EXPECT_EQ(scenario.lock, "plain");
  EXPECT_EQ(scenario.lock_place.line, 2U);
  EXPECT_EQ(scenario.lock_place.column, 9U);
  EXPECT_EQ(scenario.lock_name, "lock");
  EXPECT_EQ(scenario.redis.masters, 1U);
  EXPECT_EQ(scenario.redis.replicas, 0U);
  EXPECT_EQ(scenario.latency.delay_ns_min, defaults.latency.delay_ns_min);
  EXPECT_EQ(scenario.latency.delay_ns_max, defaults.latency.delay_ns_max);
  EXPECT_FALSE(scenario.resource.fencing);
  EXPECT_EQ(scenario.horizon_ns, 600 * sim::second_ns);
  EXPECT_EQ(scenario.events_max, 1'000'000U);
  EXPECT_TRUE(scenario.faults.empty());
  ASSERT_EQ(scenario.clients.size(), 1U);
  EXPECT_EQ(scenario.clients[0].rounds, 1U);
  ASSERT_EQ(scenario.clients[0].threads.size(), 1U);
  const scenario::Step& step = scenario.clients[0].threads[0].steps.at(0);
  EXPECT_EQ(step.kind, scenario::StepKind::lock);
  EXPECT_EQ(step.lock_names, std::vector<std::string>{"lock"});
  EXPECT_FALSE(step.lease_ns);
  EXPECT_EQ(step.place.line, 6U);
  EXPECT_EQ(step.place.column, 9U);
  ASSERT_EQ(scenario.expect.holds.size(), 1U);
  EXPECT_EQ(scenario.expect.holds[0], checker::Property::harm);
  EXPECT_TRUE(scenario.expect.violates.empty());
}

TEST(ValidScenarios, HaveTheirTables) {
  const scenario::Scenario scenario =
      scenario::parse_scenario("dir/s.toml", std::string(everything));
  EXPECT_EQ(scenario.lock_name, "{orders}:1");
  EXPECT_EQ(scenario.expect.violates, std::vector{checker::Property::harm});
  EXPECT_EQ(scenario.expect.holds,
            (std::vector{checker::Property::no_leak, checker::Property::hold_count}));
  EXPECT_EQ(scenario.redis.masters, 3U);
  EXPECT_EQ(scenario.redis.replicas, 2U);
  EXPECT_EQ(scenario.latency.delay_ns_min, 200 * sim::microsecond_ns);
  EXPECT_EQ(scenario.latency.delay_ns_max, 1500 * sim::microsecond_ns);
  const scenario::Options expected = {{"retry_attempts", std::int64_t{4}},
                                      {"timeout_ms", std::int64_t{3000}},
                                      {"wait_ms", std::int64_t{1000}},
                                      {"watchdog", false},
                                      {"mode", std::string("batched")}};
  EXPECT_EQ(scenario.options, expected);
  EXPECT_EQ(scenario.option_places.at("timeout_ms").line, 13U);
  EXPECT_EQ(scenario.option_places.at("timeout_ms").column, 1U);
  EXPECT_EQ(scenario.scripts.at("acquire"), "dir/old/acquire.lua");
  EXPECT_EQ(scenario.script_places.at("acquire").line, 18U);
  EXPECT_TRUE(scenario.resource.fencing);
  EXPECT_EQ(scenario.declared_drift_ppm, 100);
  EXPECT_EQ(scenario.horizon_ns, 3600 * sim::second_ns);
  EXPECT_EQ(scenario.events_max, 5000U);
}

TEST(ValidScenarios, HaveTheirClients) {
  const scenario::Scenario scenario = scenario::parse_scenario("s.toml", std::string(everything));
  ASSERT_EQ(scenario.clients.size(), 2U);
  const scenario::ClientSpec& a = scenario.clients[0];
  EXPECT_EQ(a.name, "a");
  EXPECT_EQ(a.rounds, 3U);
  EXPECT_EQ(a.start_ns, 5 * sim::millisecond_ns);
  EXPECT_EQ(a.wall_offset_ns, -2 * sim::second_ns);
  EXPECT_EQ(a.drift_ppm, -200);
  ASSERT_EQ(a.threads.size(), 1U);
  const std::vector<scenario::Step>& steps = a.threads[0].steps;
  ASSERT_EQ(steps.size(), 8U);
  EXPECT_EQ(steps[0].lease_ns, 10 * sim::second_ns);
  EXPECT_EQ(steps[0].lock_names, std::vector<std::string>{"{orders}:1"});
  EXPECT_EQ(steps[1].kind, scenario::StepKind::try_lock);
  EXPECT_EQ(steps[1].wait_ns, sim::second_ns);
  EXPECT_EQ(steps[1].lease_ns, 250 * sim::millisecond_ns);
  EXPECT_EQ(steps[1].lock_names, std::vector<std::string>{"other"});
  EXPECT_EQ(steps[2].kind, scenario::StepKind::write);
  EXPECT_EQ(steps[3].kind, scenario::StepKind::sleep);
  EXPECT_EQ(steps[3].duration_ns, 5 * sim::second_ns);
  EXPECT_EQ(steps[4].kind, scenario::StepKind::unlock);
  EXPECT_EQ(steps[6].kind, scenario::StepKind::force_unlock);
  EXPECT_EQ(steps[7].kind, scenario::StepKind::crash);
  ASSERT_EQ(scenario.clients[1].threads.size(), 2U);
  EXPECT_EQ(scenario.clients[1].threads[1].steps.at(0).lock_names,
            std::vector<std::string>{"other"});
}

TEST(ValidScenarios, HaveTheirFaults) {
  const scenario::Scenario scenario = scenario::parse_scenario("s.toml", std::string(everything));
  const std::vector<scenario::FaultSpec>& faults = scenario.faults;
  ASSERT_EQ(faults.size(), 13U);
  for (std::size_t i = 0; i < faults.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(faults[i].kind), i) << "one of each kind, in order";
  }
  EXPECT_EQ(faults[0].target, "a");
  EXPECT_EQ(faults[0].for_ns, 15 * sim::second_ns);
  ASSERT_TRUE(faults[0].trigger.when);
  EXPECT_EQ(faults[0].trigger.when->actor, "a");
  EXPECT_EQ(faults[0].trigger.when->milestone, scenario::Milestone::acquired);
  EXPECT_EQ(faults[0].trigger.when->detail, "other");
  EXPECT_EQ(faults[0].trigger.when->nth, 2U);
  EXPECT_EQ(faults[0].trigger.after_ns, sim::millisecond_ns);
  EXPECT_FALSE(faults[1].trigger.when);
  EXPECT_EQ(faults[1].trigger.after_ns, 5 * sim::second_ns);
  EXPECT_EQ(faults[3].target, "n1-replica-2");
  EXPECT_EQ(faults[3].trigger.when->detail, "acquire");
  EXPECT_EQ(faults[4].target, "b");
  EXPECT_EQ(faults[4].other, "resource");
  EXPECT_EQ(faults[5].message_label, "reply to acquire");
  EXPECT_EQ(faults[5].message_from, "n2");
  EXPECT_EQ(faults[5].message_to, "b/1");
  EXPECT_EQ(faults[5].nth, 2U);
  EXPECT_EQ(faults[6].by_ns, 2 * sim::second_ns);
  EXPECT_EQ(faults[6].trigger.after_ns, 0);
  EXPECT_EQ(faults[7].trigger.when->actor, "b");
  EXPECT_EQ(faults[8].by_ns, -3 * sim::second_ns);
  EXPECT_EQ(faults[9].drift_ppm, 50);
  EXPECT_EQ(faults[10].lock_name, "other");
  EXPECT_EQ(faults[10].target, "n1-replica-2");
}

TEST(ValidScenarios, AreExplainedWithTheirDefaults) {
  EXPECT_EQ(scenario::explain(scenario::parse_scenario("s.toml", std::string(smallest))),
            "t\n"
            "lock: plain, named 'lock'\n"
            "redis: 1 master, 0 replicas; a hop takes 200us to 400us\n"
            "resource: without fencing\n"
            "client a: lock\n"
            "no faults\n"
            "expected: holds harm\n"
            "clocks: declared drift 0ppm\n"
            "liveness: progress 1m, wakeup 10s, 100 overtakings\n"
            "limits: horizon 10m, 1000000 events\n");
}

TEST(ValidScenarios, OfAClusterAreExplainedWithItsTimeoutAndTheLocksMaster) {
  const std::string cluster =
      std::string(smallest) + "[redis]\ntopology = \"cluster\"\nmasters = 3\nreplicas = 1\n";
  const std::string explanation = scenario::explain(scenario::parse_scenario("s.toml", cluster));
  EXPECT_NE(explanation.find("cluster: node timeout 15s; 'lock' is in a slot of n2\n"),
            std::string::npos)
      << explanation;
}

TEST(ValidScenarios, AreExplainedWithThePrograms) {
  const std::string text = R"(title = "t"
lock   = "plain"
expect = { holds = "harm" }
[[client]]
name    = "a"
command = ["python3", "worker.py"]
folder  = "workers"
reuse   = "fork"
connect = { "redis-1:6379" = "n1" }
env     = { ORDERS = "3" }
)";
  const std::string explanation = scenario::explain(scenario::parse_scenario("s.toml", text));
  EXPECT_NE(
      explanation.find("client a: runs [\"python3\", \"worker.py\"] in workers, each run a fork of "
                       "one process; redis-1:6379 is n1; ORDERS=3\n"),
      std::string::npos)
      << explanation;
}

TEST(ValidScenarios, MayDeleteTheLockOfAProgram) {
  const std::string text = R"(title = "t"
lock      = "plain"
lock_name = "orders"
expect    = { holds = "harm" }
[[client]]
name    = "a"
command = "worker"
[[fault]]
delete = "orders"
on     = "n1"
at     = "5s"
)";
  EXPECT_EQ(scenario::parse_scenario("s.toml", text).faults[0].lock_name, "orders");
}

TEST(ValidScenarios, AreExplainedWhole) {
  EXPECT_EQ(
      scenario::explain(scenario::parse_scenario("s.toml", std::string(everything))),
      "Everything\n"
      "lock: plain/unlatched, named '{orders}:1', mode = batched, retry_attempts = 4, "
      "timeout_ms = 3000, wait_ms = 1000, watchdog = false, acquire from old/acquire.lua\n"
      "redis: 3 masters (n1 to n3), 2 replicas each; a hop takes 200us to 1.5ms; "
      "appendonly = yes, save = 60 1, maxmemory = 1mb, min-replicas-to-write = 1\n"
      "resource: with fencing\n"
      "client a: lock lease=10s, try_lock wait=1s lease=250ms name=other, write, sleep 5s, "
      "unlock name=other, unlock, force_unlock, crash; 3 rounds; starts at 5ms; wall clock off by "
      "-2s; drift -200ppm\n"
      "client b/1: lock, unlock\n"
      "client b/2: write name=other\n"
      "fault: pause a for 15s 1ms after a acquired other for the 2nd time\n"
      "fault: crash n1 at 5s\n"
      "fault: restart n1 1s after n1 crashed\n"
      "fault: promote n1-replica-2 when n1 executed acquire for the 3rd time\n"
      "fault: cut b off from resource for 1s from the start\n"
      "fault: drop the 2nd 'reply to acquire' from n2 to b/1 from 1s on\n"
      "fault: delay the 'replication' by 2s from the start\n"
      "fault: reset the 'acquire' when b sent write\n"
      "fault: step the clock of n3 by -3s at the start\n"
      "fault: let the clocks of b drift by 50ppm from the start\n"
      "fault: delete 'other' on n1-replica-2 when n1-replica-2 promoted\n"
      "fault: cut the power of n2 at 7s\n"
      "fault: shut down n3 when n2 crashed\n"
      "expected: violates harm; holds no-leak and hold-count\n"
      "clocks: declared drift 100ppm\n"
      "liveness: progress 1m, wakeup 10s, 100 overtakings\n"
      "limits: horizon 1h, 5000 events\n");
}

TEST(ValidScenarios, HaveRangesOfRatesAndPeriodsAndOfSleepsFromNothingOn) {
  const std::string text = R"(title = "t"
lock = "plain"
expect = { holds = "harm" }
[[client]]
name = "a"
run = ["lock lease=10s", "sleep 0s..5s", "unlock"]
[[fault]]
clock_drift = "n1"
rate = "-100ppm..200ppm"
[[fault]]
clock_strobe = "n1"
by = "1s"
every = "10ms..20ms"
for = "2s"
at = "1s"
)";
  const scenario::Scenario read = scenario::parse_scenario("s.toml", text);
  EXPECT_EQ(read.clients[0].threads[0].steps[1].duration_ns, 0);
  EXPECT_EQ(read.clients[0].threads[0].steps[1].duration_ns_max, 5 * sim::second_ns);
  ASSERT_EQ(read.faults.size(), 2U);
  EXPECT_EQ(read.faults[0].describe(),
            "let the clocks of n1 drift by -100ppm to 200ppm from the start");
  EXPECT_NE(read.faults[1].describe().find("every 10ms to 20ms"), std::string::npos);
  const scenario::Scenario again =
      scenario::parse_scenario("s.toml", scenario::write_scenario(read, "s.toml"));
  EXPECT_EQ(again.faults, read.faults);
  EXPECT_EQ(scenario::write_scenario(again, "s.toml"), scenario::write_scenario(read, "s.toml"));
}

TEST(ValidScenarios, MayDeleteAnotherKeyThanTheLocks) {
  const std::string fault =
      "[[fault]]\ndelete = \"lock\"\nkey = \"queue:{{name}}\"\non = \"n1\"\nat = \"1s\"\n";
  const scenario::Scenario scenario =
      scenario::parse_scenario("s.toml", std::string(smallest) + fault);
  ASSERT_EQ(scenario.faults.size(), 1U);
  EXPECT_EQ(scenario.faults[0].lock_name, "lock");
  EXPECT_EQ(scenario.faults[0].key_pattern, "queue:{{name}}");
  EXPECT_EQ(scenario.faults[0].describe(), "delete 'queue:{{name}}' of 'lock' on n1 at 1s");
}

TEST(ValidScenarios, MayHaveWindowsLineEndsAndAByteOrderMark) {
  std::string text = "\xEF\xBB\xBF";
  for (const char byte : smallest) {
    if (byte == '\n') text += '\r';
    text += byte;
  }
  EXPECT_EQ(scenario::parse_scenario("s.toml", text).clients.size(), 1U);
}

}  // namespace
}  // namespace lockstep::model
