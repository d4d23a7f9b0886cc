// What a scenario that is right becomes: every key read, every default in its place.
#include <gtest/gtest.h>

#include <string>

#include "checker/property.h"
#include "scenario/explain.h"
#include "scenario/file/scenario_file.h"
#include "scenario/file/write_scenario.h"
#include "scenario/milestones.h"
#include "scenario/participants.h"
#include "scenario/scenario.h"
#include "scenario/sentinel_names.h"
#include "scenario/text/input_error.h"
#include "scenario/thread_order.h"
#include "scenario/workload_spec.h"
#include "tests/scenario/invalid_scenarios.h"

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

// [redis] topology: what is read, and what is refused.

namespace lockstep::model::topology {
namespace {

constexpr std::string_view client = "[[client]]\nname = \"a\"\nrun = [\"lock lease=1s\"]\n";

TEST(Topology, RefusesWhatDoesNotGoTogether) {
  constexpr InvalidScenario cases[] = {
      {"topology = \"⟦sentinal\"\nreplicas = 1\n",
       "there is no topology 'sentinal'; did you mean 'sentinel'? (there are independent, "
       "sentinel and cluster)"},
      {"topology = \"cluster\"\nmasters = ⟦2\n",
       "2 masters can't agree on a failover; expected masters = 3 or more"},
      {"topology = ⟦\"cluster\"\nmasters = 40\nreplicas = 2\n",
       "this cluster has 120 nodes; expected 100 at most"},
      {"⟦cluster = { node_timeout = \"1s\" }\n",
       "there is no cluster to set; expected topology = \"cluster\" too"},
      {"topology = \"cluster\"\ncluster = { node_timeout = \"⟦100ms\" }\n",
       "'node_timeout' is 100ms; expected whole milliseconds, 200ms or more"},
      {"topology = ⟦1\n", "'topology' is a whole number; expected a string in quotes"},
      {"topology = ⟦\"sentinel\"\n",
       "sentinels have no replica to promote; expected 'replicas', as in replicas = 2"},
      {"topology = \"sentinel\"\nmasters = ⟦2\nreplicas = 1\n",
       "sentinels watch one master here, not 2; expected masters = 1"},
      {"⟦sentinel = { count = 3 }\n",
       "there are no sentinels to set; expected topology = \"sentinel\" too"},
      {"topology = \"sentinel\"\nreplicas = 1\nsentinel = { ⟦counts = 3 }\n",
       "unknown key 'counts'; did you mean 'count'? ([redis.sentinel] has count, quorum, "
       "down_after and failover_timeout)"},
      {"topology = \"sentinel\"\nreplicas = 1\nsentinel = { count = ⟦10 }\n",
       "'count' is 10; expected a whole number from 1 to 9"},
      {"topology = \"sentinel\"\nreplicas = 1\nsentinel = { quorum = ⟦4 }\n",
       "a quorum of 4 among 3 sentinels is never reached; expected 3 at most"},
      {"topology = \"sentinel\"\nreplicas = 1\nsentinel = { down_after = \"⟦1500us\" }\n",
       "'down_after' is 1.5ms; expected whole milliseconds, 10ms or more"},
      {"topology = \"sentinel\"\nreplicas = 1\n[[client]]\nname = \"⟦s2\"\nrun = [\"sleep 1s\"]\n",
       "'s2' is taken: sentinels are named s1, s2 …"},
      {"topology = \"sentinel\"\nreplicas = 1\n[[fault]]\ncrash = \"⟦s4\"\nat = \"1s\"\n",
       "there is no client or node 's4' (there are a, n1, n1-replica-1, s1, s2 and s3)"},
      {"topology = \"sentinel\"\nreplicas = 1\n[[fault]]\npower_loss = \"⟦s1\"\nat = \"1s\"\n",
       "'s1' is a sentinel; expected a node"},
      {"topology = \"sentinel\"\nreplicas = 1\n[[fault]]\ncut = [\"s1\", \"⟦resource\"]\n",
       "'s1' and 'resource' never talk to each other; expected a client and a node or the "
       "resource, or two nodes of one shard"},
      {"topology = \"sentinel\"\nreplicas = 1\n"
       "[[fault]]\ncrash = \"n1\"\nwhen = \"s1 switched ⟦a\"\n",
       "'a' is a client; expected a node"},
  };
  const std::string before = std::string(head) + "[redis]\n";
  for (const InvalidScenario& wrong : cases) expect_invalid(before, wrong, client);
}

TEST(Topology, OfSentinelsIsReadAndTold) {
  const scenario::Scenario scenario = scenario::parse_scenario(
      "t.toml", std::string(head) +
                    "[redis]\ntopology = \"sentinel\"\nreplicas = 2\n"
                    "sentinel = { count = 5, down_after = \"1s\", failover_timeout = \"10s\" }\n" +
                    std::string(client) +
                    "[[fault]]\ncut = [\"s1\", \"s5\"]\nwhen = \"s2 subjectively-down n1\"\n"
                    "[[fault]]\nrestart = \"s3\"\nwhen = \"s3 crashed\"\n"
                    "[[fault]]\ncrash = \"s3\"\nwhen = \"n1-replica-1 promoted\"\n");
  EXPECT_EQ(scenario.redis.topology, scenario::TopologyKind::sentinel);
  EXPECT_EQ(scenario::quorum_of(scenario.redis.sentinel), 3U);
  EXPECT_NE(scenario::explain(scenario).find(
                "sentinels: 5, quorum 3; down after 1s, failover timeout 10s\n"),
            std::string::npos);
  EXPECT_EQ(scenario.faults[0].trigger.when->detail, "n1");
  const scenario::Participants participants(scenario.redis, scenario.clients);
  ASSERT_NE(participants.find("s5"), nullptr);
  EXPECT_EQ(participants.find("s6"), nullptr);
  EXPECT_TRUE(scenario::can_communicate(*participants.find("a"), *participants.find("s5")));
}

}  // namespace
}  // namespace lockstep::model::topology

// The keys of [[client]] that make it a real program.

namespace lockstep::scenario {
namespace {

std::string file_with(const std::string& keys) {
  return "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n[[client]]\nname = "
         "\"a\"\n" +
         keys + "\n";
}

ProgramSpec program_of(const std::string& keys, const std::string& path = "t.toml") {
  return parse_scenario(path, file_with(keys)).clients.front().program.value();
}

std::string complaint_of(const std::string& keys) {
  try {
    static_cast<void>(parse_scenario("t.toml", file_with(keys)));
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(ProgramFields, SayHowAProgramIsStarted) {
  const ProgramSpec program = program_of(
      "command = [\"python3\", \"worker.py\"]\nreuse = \"fork\"\nfolder = \"there\"\n"
      "connect = { \"redis-1:6379\" = \"n1\" }\nenv = { ORDERS = \"3\" }",
      "here/t.toml");
  EXPECT_EQ(program.command, (std::vector<std::string>{"python3", "worker.py"}));
  EXPECT_EQ(program.folder, "here/there");
  EXPECT_EQ(program.reuse, ProgramSpec::Reuse::fork);
  EXPECT_EQ(program.connect.at("redis-1:6379"), "n1");
  EXPECT_EQ(program.env.at("ORDERS"), "3");
}

TEST(ProgramFields, HaveDefaults) {
  const ProgramSpec program = program_of("command = \"./worker\"");
  EXPECT_EQ(program.command, (std::vector<std::string>{"./worker"}));
  EXPECT_EQ(program.folder, "");
  EXPECT_EQ(program.reuse, ProgramSpec::Reuse::process);
  EXPECT_FALSE(threads_run_in_any_order(program));
  EXPECT_TRUE(program.env.empty());
}

TEST(ProgramFields, TellTheProgramOfTheOrderOfItsThreads) {
  EXPECT_TRUE(threads_run_in_any_order(program_of("command = \"x\"\nthread_order = \"any\"")));
  EXPECT_FALSE(threads_run_in_any_order(program_of("command = \"x\"\nthread_order = \"in turn\"")));
}

TEST(ProgramFields, AreWrittenAsTheyAreRead) {
  const std::string keys =
      "command = [\"python3\", \"worker.py\"]\nreuse = \"fork\"\nthread_order = \"any\"\n"
      "connect = { \"redis-1:6379\" = \"n1\" }\nenv = { ORDERS = \"3\" }";
  const Scenario read = parse_scenario("t.toml", file_with(keys));
  const Scenario again = parse_scenario("t.toml", write_scenario(read, "t.toml"));
  EXPECT_EQ(read.clients.front().program, again.clients.front().program);
  const Scenario elsewhere = parse_scenario("out/t.toml", write_scenario(read, "out/t.toml"));
  EXPECT_EQ(elsewhere.clients.front().program->folder, ".");
}

TEST(ProgramFields, ComplainOfWhatDoesNotFit) {
  struct Row {
    std::string keys;
    std::string complaint;  ///< a part of it
  };
  const Row rows[] = {
      {"command = []", "there is no program to run"},
      {"command = [\"\"]", "there is no program to run"},
      {"command = 3", "expected"},
      {"command = [\"x\"]\nrun = [\"lock\"]", "'run' for the lock's client model, not both"},
      {"command = [\"x\"]\nthreads = 2", "'threads' for the lock's client model"},
      {"command = [\"x\"]\nrounds = 2", "'rounds' for the lock's client model"},
      {"command = [\"x\"]\nreuse = \"spoon\"", "expected \"process\" or \"fork\""},
      {"command = [\"x\"]\nthread_order = \"random\"", "expected \"in turn\" or \"any\""},
      {"run = [\"lock\"]\nthread_order = \"any\"",
       "'thread_order' is of a client that is a program"},
      {"command = [\"x\"]\nconnect = { \"redis\" = \"n1\" }", "is no host and port"},
      {"command = [\"x\"]\nconnect = { \":1\" = \"n1\" }", "is no host and port"},
      {"command = [\"x\"]\nconnect = { \"redis:99999\" = \"n1\" }", "is no host and port"},
      {"command = [\"x\"]\nconnect = { \"redis:1\" = \"n7\" }", "n7"},
      {"command = [\"x\"]\nenv = { A = 3 }", "expected"},
      {"command = [\"x\\u0000y\"]", "zero byte"},
      {"run = [\"lock\"]\nreuse = \"fork\"", "'reuse' is of a client that is a program"},
      {"run = [\"lock\"]\nenv = { A = \"b\" }", "'env' is of a client that is a program"},
  };
  for (const Row& row : rows) {
    const std::string complaint = complaint_of(row.keys);
    EXPECT_NE(complaint.find(row.complaint), std::string::npos) << row.keys << "\n" << complaint;
    EXPECT_TRUE(complaint.starts_with("t.toml:")) << complaint;
  }
}

}  // namespace
}  // namespace lockstep::scenario
