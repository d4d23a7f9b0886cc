// A client that is a program: what it sends, is answered, reports and suffers.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/lock/lock_package.h"
#include "model/recorded_trace.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "sim/seeded_choices.h"
#include "tests/model/program/scripted_program.h"
#include "tests/support/source_folder.h"

namespace lockstep::model::test {
namespace {

constexpr std::int64_t second = 1'000'000'000;

struct Ran {
  RecordedTrace trace;
  std::vector<std::string> failures;
  std::vector<checker::Verdict> verdicts;

  [[nodiscard]] const checker::Verdict& of(checker::Property property) const {
    return *std::find_if(verdicts.begin(), verdicts.end(),
                         [&](const auto& each) { return each.property == property; });
  }
  /// The texts of a field, of all events of that kind.
  [[nodiscard]] std::vector<std::string> texts(std::string_view kind,
                                               std::string_view field) const {
    std::vector<std::string> found;
    for (const RecordedEvent& event : trace.events) {
      if (event.kind == kind) found.emplace_back(event.text(field));
    }
    return found;
  }
};

std::string client(const std::string& name, const std::string& more = {}) {
  return "[[client]]\nname = \"" + name + "\"\ncommand = [\"x\"]\n" + more + "\n";
}

Ran run(ScriptedLauncher& launcher, const std::string& rest, std::uint64_t seed = 1) {
  Engine engine({source_folder() + "/scripts"}, &launcher);
  const auto simulation = engine.prepare(
      scenario::parse_scenario("test.toml",
                               "title = \"t\"\nlock = \"setnx\"\nlock_name = \"orders\"\n"
                               "expect = { holds = \"mutual-exclusion\" }\n" +
                                   rest));
  sim::SeededChoices choices(seed);
  Ran ran;
  TraceRecorder sink(ran.trace.events);
  const RunResult& result = simulation->run(choices, &sink);
  ran.failures = result.client_failures;
  ran.verdicts = *result.verdicts;
  return ran;
}

/// Connects, takes the lock with SET NX, and holds it for so long without giving it back.
ScriptedProgram::Behaviour holder(std::string token, std::int64_t hold_ns) {
  return [token = std::move(token), hold_ns](ScriptedProgram& program, ProgramStep& step) {
    switch (program.steps) {
      case 1:
        step.connects.push_back(connect_to(1, 6379));
        return;
      case 2:
        step.sent.push_back(send_on(1, request({"SET", "orders", token, "NX", "PX", "1000"})));
        return;
      case 3:
        if (program.take(1) != "<opened>+OK\r\n") {
          step.state = ProgramStep::State::ended;
          return;
        }
        step.reports.emplace_back("ACQUIRED orders");
        step.deadline_ns = program.clocks.monotonic_ns + hold_ns;
        return;
      default:
        step.reports.emplace_back("RELEASED orders");
        step.state = ProgramStep::State::ended;
    }
  };
}

TEST(ProgramClient, IsAnsweredByTheServer) {
  ScriptedLauncher launcher;
  std::string heard;
  launcher.behaviours["a"] = [&](ScriptedProgram& program, ProgramStep& step) {
    heard += program.take(1);
    if (program.steps == 1) step.connects.push_back(connect_to(1, 6379));
    if (program.steps == 2) {
      step.sent.push_back(send_on(1, request({"HELLO", "3"}) + request({"GET", "nothing"})));
    }
    if (program.steps == 4) step.closed.push_back(ProgramConnection{1});
  };
  const Ran ran = run(launcher, client("a"));
  EXPECT_TRUE(heard.starts_with("<opened>%7\r\n")) << heard;  // a map, as RESP3 has it
  EXPECT_TRUE(heard.ends_with("_\r\n")) << heard;
  EXPECT_EQ(ran.texts("command-executed", "label"), (std::vector<std::string>{"hello", "get"}));
}

TEST(ProgramClient, OverlappingBeliefsAreSeen) {
  ScriptedLauncher launcher;
  launcher.behaviours["a"] = holder("token-of-a", 5 * second);  // its lease is over after one
  launcher.behaviours["b"] = holder("token-of-b", second / 2);
  const Ran ran = run(launcher, client("a") + client("b", "start = \"2s\""));
  EXPECT_EQ(ran.of(checker::Property::mutual_exclusion).kind, checker::VerdictKind::violated);
  EXPECT_EQ(ran.of(checker::Property::valid_grant).kind, checker::VerdictKind::holds);
  EXPECT_TRUE(ran.failures.empty());
}

TEST(ProgramClient, HoldersThatTakeTurnsAreAllRight) {
  ScriptedLauncher launcher;
  launcher.behaviours["a"] = holder("token-of-a", second / 2);
  launcher.behaviours["b"] = holder("token-of-b", second / 2);
  const Ran ran = run(launcher, client("a") + client("b", "start = \"2s\""));
  EXPECT_EQ(ran.of(checker::Property::mutual_exclusion).kind, checker::VerdictKind::holds);
}

TEST(ProgramClient, WhoWasNeverGivenTheLockHasNoValidGrant) {
  ScriptedLauncher launcher;
  launcher.behaviours["a"] = [](ScriptedProgram&, ProgramStep& step) {
    step.reports.emplace_back("ACQUIRED orders");
    step.state = ProgramStep::State::ended;
  };
  const Ran ran = run(launcher, client("a"));
  EXPECT_EQ(ran.of(checker::Property::valid_grant).kind, checker::VerdictKind::violated);
}

TEST(ProgramClient, WhatItReportsMustBeUnderstood) {
  const auto complaint_of = [](const std::string& line) {
    ScriptedLauncher launcher;
    launcher.behaviours["a"] = [&line](ScriptedProgram&, ProgramStep& step) {
      step.reports.push_back(line);
      step.state = ProgramStep::State::ended;
    };
    const Ran ran = run(launcher, client("a"));
    return ran.failures.empty() ? std::string() : ran.failures.front();
  };
  EXPECT_EQ(complaint_of(""), "");
  EXPECT_EQ(complaint_of("REFUSED orders\r"), "");
  EXPECT_EQ(complaint_of("ACQUIRED orders 7 1700000000000"), "");
  EXPECT_EQ(complaint_of("ACQUIRED orders - 1700000000000"), "");
  for (const std::string line :
       {"ACQUIRED", "acquired orders", "TAKEN orders", "RELEASED orders now", "LOST",
        "ACQUIRED orders 7 8 9", "ACQUIRED orders x", "ACQUIRED orders -7", "ACQUIRED orders 1 x",
        "ACQUIRED orders 1 99999999999999999", "ACQUIRED orders 1 -5"}) {
    EXPECT_NE(complaint_of(line), "") << line;
  }
  EXPECT_NE(complaint_of("ACQUIRED invoices").find("the scenario's lock is 'orders'"),
            std::string::npos);
}

TEST(ProgramClient, AHoldEndsWithItsProcess) {
  ScriptedLauncher launcher;
  launcher.behaviours["a"] = holder("token-of-a", 60 * second);
  launcher.behaviours["b"] = holder("token-of-b", second / 2);
  const Ran ran = run(launcher, client("a") + client("b", "start = \"4s\"") +
                                    "[[fault]]\ncrash = \"a\"\nat = \"3s\"\n");
  EXPECT_EQ(ran.of(checker::Property::mutual_exclusion).kind, checker::VerdictKind::holds);
  EXPECT_EQ(ran.texts("belief-ended", "why"), (std::vector<std::string>{"crashed", "released"}));
}

TEST(ProgramClient, APausedOneIsNotCalled) {
  ScriptedLauncher launcher;
  std::vector<std::int64_t> times;
  launcher.behaviours["a"] = [&](ScriptedProgram& program, ProgramStep& step) {
    times.push_back(program.clocks.monotonic_ns);
    if (times.size() < 3) step.deadline_ns = program.clocks.monotonic_ns + second;
  };
  static_cast<void>(
      run(launcher, client("a") + "[[fault]]\npause = \"a\"\nat = \"500ms\"\nfor = \"5s\"\n"));
  ASSERT_EQ(times.size(), 3);
  EXPECT_EQ(times[1], 5 * second + second / 2);
  EXPECT_EQ(times[2], 6 * second + second / 2);
}

TEST(ProgramClient, ItsClocksAreItsHosts) {
  ScriptedLauncher launcher;
  std::vector<ProgramClocks> read;
  launcher.behaviours["a"] = [&](ScriptedProgram& program, ProgramStep& step) {
    read.push_back(program.clocks);
    if (read.size() < 2) step.deadline_ns = program.clocks.monotonic_ns + 10 * second;
  };
  static_cast<void>(run(launcher, client("a") + "[[fault]]\nclock_step = \"a\"\nat = \"1s\"\nby = "
                                                "\"-1h\"\n"));
  ASSERT_EQ(read.size(), 2);
  EXPECT_EQ(read[1].monotonic_ns - read[0].monotonic_ns, 10 * second);
  EXPECT_EQ(read[1].wall_ns - read[0].wall_ns, 10 * second - 3600 * second);
}

TEST(ProgramClient, OneThatAlwaysWantsToGoOnSeesTimePass) {
  ScriptedLauncher launcher;
  std::int64_t last_ns = -1;
  launcher.behaviours["a"] = [&](ScriptedProgram& program, ProgramStep& step) {
    EXPECT_GT(program.clocks.monotonic_ns, last_ns);
    last_ns = program.clocks.monotonic_ns;
    step.deadline_ns = 0;
    if (program.steps == 1'000) step.state = ProgramStep::State::ended;
  };
  static_cast<void>(run(launcher, client("a")));
  EXPECT_GE(last_ns, 998'000);
}

TEST(ProgramClient, ABusyOneReadsItsMessagesLater) {
  ScriptedLauncher launcher;
  std::int64_t answered_ns = 0;
  launcher.behaviours["a"] = [&](ScriptedProgram& program, ProgramStep& step) {
    if (program.steps == 1) step.connects.push_back(connect_to(1, 6379));
    if (program.steps == 2) {
      step.sent.push_back(send_on(1, request({"PING"})));
      step.spun_ns = second;
    }
    if (program.steps == 3) answered_ns = program.clocks.monotonic_ns;
  };
  static_cast<void>(run(launcher, client("a")));
  EXPECT_GE(answered_ns, second);
}

TEST(ProgramClient, WhereNobodyListensItIsRefused) {
  ScriptedLauncher launcher;
  std::string heard;
  launcher.behaviours["a"] = [&](ScriptedProgram& program, ProgramStep& step) {
    heard += program.take(1);
    if (program.steps == 1) step.connects.push_back(connect_to(1, 80));
  };
  const Ran ran = run(launcher, client("a"));
  EXPECT_EQ(heard, "<refused>");
  EXPECT_EQ(ran.texts("client-logged", "text"),
            (std::vector<std::string>{
                "connects to localhost:80, where the scenario has no host; refused"}));
}

TEST(ProgramClient, ConnectLeadsToTheHostsThatItNames) {
  ScriptedLauncher launcher;
  launcher.behaviours["a"] = [&](ScriptedProgram& program, ProgramStep& step) {
    const auto named = std::find_if(launcher.hosts.begin(), launcher.hosts.end(),
                                    [](const ProgramHost& host) { return host.name == "redis-b"; });
    ASSERT_NE(named, launcher.hosts.end());
    if (program.steps == 1) step.connects.push_back(connect_to(1, 7000, named->address));
    if (program.steps == 2) step.connects.push_back(connect_to(2, 6381));
    if (program.steps == 3) {
      step.sent.push_back(send_on(1, request({"SET", "x", "1"})));
      step.sent.push_back(send_on(2, request({"SET", "y", "1"})));
    }
  };
  const Ran ran = run(
      launcher, "[redis]\nmasters = 3\n" + client("a", "connect = { \"redis-b:7000\" = \"n2\" }"));
  std::vector<std::string> nodes;
  for (const RecordedEvent& event : ran.trace.events) {
    if (event.kind != "command-executed") continue;
    nodes.push_back(std::to_string(static_cast<std::uint32_t>(event.actor)));
  }
  ASSERT_EQ(nodes.size(), 2);
  EXPECT_NE(nodes[0], nodes[1]);
}

TEST(ProgramClient, BytesThatAreNoRequestAreRefusedByItself) {
  ScriptedLauncher launcher;
  std::string heard;
  launcher.behaviours["a"] = [&](ScriptedProgram& program, ProgramStep& step) {
    heard += program.take(1);
    if (program.steps == 1) step.connects.push_back(connect_to(1, 6379));
    if (program.steps == 2) step.sent.push_back(send_on(1, "*1\r\n:1\r\n"));
  };
  static_cast<void>(run(launcher, client("a")));
  EXPECT_TRUE(heard.starts_with("<opened>-ERR Protocol error")) << heard;
  EXPECT_TRUE(heard.ends_with("<closed>")) << heard;
}

TEST(ProgramClient, ConnectionThatIsResetIsNoEndOfTheStream) {
  for (const auto& [fault, heard_of_it] :
       {std::pair{"reset = \"reply to get\"\nto = \"a\"", "<reset>"},
        std::pair{"crash = \"n1\"\nat = \"1s\"", "<closed>"}}) {
    ScriptedLauncher launcher;
    std::string heard;
    launcher.behaviours["a"] = [&](ScriptedProgram& program, ProgramStep& step) {
      heard += program.take(1);
      if (program.steps == 1) step.connects.push_back(connect_to(1, 6379));
      if (program.steps == 2) step.sent.push_back(send_on(1, request({"GET", "nothing"})));
      if (program.clocks.monotonic_ns < second) step.deadline_ns = 2 * second;
    };
    static_cast<void>(run(launcher, client("a") + "[[fault]]\n" + fault + "\n"));
    EXPECT_TRUE(heard.ends_with(heard_of_it)) << heard;
  }
}

TEST(ProgramClient, ThreadsGoInTurnUnlessTheScenarioSaysOtherwise) {
  std::set<std::uint64_t> orders;
  ScriptedLauncher launcher;
  launcher.behaviours["a"] = [&](ScriptedProgram& program, ProgramStep& step) {
    orders.insert(program.thread_order);
    step.state = ProgramStep::State::ended;
  };
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    static_cast<void>(run(launcher, client("a"), seed));
  EXPECT_EQ(orders, std::set<std::uint64_t>{0});
  orders.clear();
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Ran ran = run(launcher, client("a", "thread_order = \"any\""), seed);
    const auto started =
        std::find_if(ran.trace.events.begin(), ran.trace.events.end(),
                     [](const RecordedEvent& event) { return event.kind == "program-started"; });
    ASSERT_NE(started, ran.trace.events.end());
    EXPECT_TRUE(orders.contains(static_cast<std::uint64_t>(started->number("thread_order"))));
  }
  EXPECT_EQ(orders.size(), 5);
}

TEST(ProgramClient, WritesToTheResource) {
  ScriptedLauncher launcher;
  std::string heard;
  launcher.behaviours["a"] = [&](ScriptedProgram& program, ProgramStep& step) {
    heard += program.take(1);
    const auto resource = std::find_if(launcher.hosts.begin(), launcher.hosts.end(),
                                       [](const auto& host) { return host.name == "resource"; });
    switch (program.steps) {
      case 1:
        step.connects.push_back(connect_to(1, 1, resource->address));
        break;
      case 2:
        step.sent.push_back(send_on(1, request({"READ"})));
        break;
      case 3:
        step.sent.push_back(send_on(1, request({"WRITE", "0", "7"})));
        break;
      case 4:
        step.sent.push_back(send_on(1, request({"WRITE", "1", "6"})));
        break;
      case 5:
        step.sent.push_back(send_on(1, request({"ERASE"})));
        break;
      default:
        break;
    }
  };
  const Ran ran = run(launcher, "[resource]\nfencing = true\n" + client("a"));
  EXPECT_EQ(heard,
            "<opened>:0\r\n:1\r\n-STALE the resource has seen a higher token\r\n"
            "-ERR the resource knows READ, and WRITE version [token]\r\n");
  EXPECT_EQ(ran.texts("resource-written", "by"), (std::vector<std::string>{"a/1"}));
}

// What sending and reading bring about may strike down the process, with its connections.
TEST(ProgramClient, MayDieAsItSends) {
  ScriptedLauncher launcher;
  launcher.behaviours["a"] = holder("token-of-a", second);
  const Ran ran = run(launcher, client("a") +
                                    "[[fault]]\ndrop = \"set\"\n"
                                    "[[fault]]\ncrash = \"a\"\nwhen = \"a sent set\"\n");
  EXPECT_EQ(ran.texts("process-crashed", "").size(), 1U);
}

TEST(ProgramClient, MayDieAsItReads) {
  ScriptedLauncher launcher;
  launcher.behaviours["a"] = [&](ScriptedProgram& program, ProgramStep& step) {
    const auto resource = std::find_if(launcher.hosts.begin(), launcher.hosts.end(),
                                       [](const auto& host) { return host.name == "resource"; });
    if (program.steps == 1) step.connects.push_back(connect_to(1, 1, resource->address));
    if (program.steps == 2) step.sent.push_back(send_on(1, request({"READ"})));
    EXPECT_LT(program.steps, 3);
  };
  const Ran ran = run(launcher, client("a") + "[[fault]]\ncrash = \"a\"\nwhen = \"a read\"\n");
  EXPECT_EQ(ran.texts("process-crashed", "").size(), 1U);
}

TEST(ProgramClient, ThatStillListensLeaksNoSubscription) {
  const auto leaks = [](bool unsubscribes, bool ends) {
    ScriptedLauncher launcher;
    launcher.behaviours["a"] = [=](ScriptedProgram& program, ProgramStep& step) {
      if (program.steps == 1) step.connects.push_back(connect_to(1, 6379));
      if (program.steps == 2) step.sent.push_back(send_on(1, request({"SUBSCRIBE", "x", "y"})));
      if (program.steps == 4 && unsubscribes) {
        step.sent.push_back(send_on(1, request({"UNSUBSCRIBE"})));
      }
      if (program.steps == 4 && ends) step.state = ProgramStep::State::ended;
    };
    return run(launcher, client("a")).of(checker::Property::no_leak).kind ==
           checker::VerdictKind::violated;
  };
  EXPECT_FALSE(leaks(false, false));
  EXPECT_FALSE(leaks(true, false));
  EXPECT_FALSE(leaks(false, true)) << "its connections end with it";
}

TEST(ProgramClient, ThatGivesUpAtOnceIsTheScenariosMistake) {
  ScriptedLauncher launcher;
  launcher.behaviours["a"] = [](ScriptedProgram&, ProgramStep& step) {
    step.state = ProgramStep::State::ended;
    step.status = 2;
  };
  try {
    static_cast<void>(run(launcher, client("a")));
    FAIL() << "it was run";
  } catch (const scenario::InputError& error) {
    EXPECT_STREQ(error.what(),
                 "test.toml:7:11: error: the client 'a' ended with exit status 2 before it "
                 "connected to anything: its last line");
  }
}

TEST(ProgramClient, ThatFailsLaterIsAnEventOfTheRun) {
  ScriptedLauncher launcher;
  launcher.behaviours["a"] = [](ScriptedProgram& program, ProgramStep& step) {
    if (program.steps == 1) step.connects.push_back(connect_to(1, 6379));
    if (program.steps < 2) return;
    step.state = ProgramStep::State::ended;
    step.status = -11;
  };
  const Ran ran = run(launcher, client("a"));
  EXPECT_EQ(ran.texts("program-ended", "how"), (std::vector<std::string>{"signal 11"}));
  EXPECT_TRUE(ran.failures.empty());
}

TEST(ProgramClient, ThatCannotGoOnMakesTheRunUnknown) {
  for (const auto& [state, how] :
       {std::pair(ProgramStep::State::failed, "killed"), {ProgramStep::State::stuck, "stuck"}}) {
    ScriptedLauncher launcher;
    launcher.behaviours["a"] = [state = state](ScriptedProgram& program, ProgramStep& step) {
      if (program.steps == 1) step.connects.push_back(connect_to(1, 6379));
      if (program.steps < 2) return;
      step.state = state;
      step.why = "it can't go on";
    };
    const Ran ran = run(launcher, client("a"));
    EXPECT_EQ(ran.failures, (std::vector<std::string>{"a: it can't go on"}));
    EXPECT_EQ(ran.texts("program-ended", "how"), (std::vector<std::string>{how}));
  }
}

/// Polls each millisecond, without a pause but for one of so long after `pause_after` turns.
Ran poll_for_ever(const std::string& repeats, int pause_after = 0, std::int64_t pause_ns = 0,
                  int turns = 70'000) {
  ScriptedLauncher launcher;
  launcher.behaviours["a"] = [&](ScriptedProgram& program, ProgramStep& step) {
    if (program.steps == 1) step.connects.push_back(connect_to(1, 6379));
    const bool pauses = program.steps == pause_after;
    step.deadline_ns = program.clocks.monotonic_ns + (pauses ? pause_ns : second / 1'000);
    if (!pauses) step.repeats = repeats;
    if (program.steps > turns) step.state = ProgramStep::State::ended;
  };
  return run(launcher, client("a"));
}

TEST(ProgramClient, ThatRepeatsACallForAMinuteIsToldWhichOne) {
  EXPECT_EQ(poll_for_ever("sleep for no time").failures,
            (std::vector<std::string>{"a: it is stuck: for 1m it has done nothing but sleep for no "
                                      "time, again and again; expected a sleep or a time-out, or "
                                      "that it waits for what it asks for"}));
  EXPECT_EQ(poll_for_ever("").failures, std::vector<std::string>{});
  EXPECT_EQ(poll_for_ever("yield", 40'000, 2 * second).failures, std::vector<std::string>{});
  EXPECT_EQ(poll_for_ever("yield", 0, 0, 59'000).failures, std::vector<std::string>{});
}

TEST(ProgramClient, ThatCannotGoOnFromTheStartIsTheScenariosMistake) {
  ScriptedLauncher launcher;
  launcher.behaviours["a"] = [](ScriptedProgram&, ProgramStep& step) {
    step.state = ProgramStep::State::failed;
    step.why = "it floods";
  };
  try {
    static_cast<void>(run(launcher, client("a")));
    FAIL() << "it was run";
  } catch (const scenario::InputError& error) {
    EXPECT_STREQ(error.what(),
                 "test.toml:7:11: error: the client 'a' failed before it connected to anything: it "
                 "floods; it wrote: its last line");
  }
}

TEST(ProgramClient, EachSeedGivesItOtherRandomNumbers) {
  ScriptedLauncher launcher;
  std::vector<std::uint64_t> seeds;
  launcher.behaviours["a"] = [&](ScriptedProgram& program, ProgramStep& step) {
    seeds.push_back(program.seed);
    step.state = ProgramStep::State::ended;
  };
  for (const std::uint64_t seed : {1U, 1U, 2U}) static_cast<void>(run(launcher, client("a"), seed));
  EXPECT_EQ(seeds[0], seeds[1]);
  EXPECT_NE(seeds[0], seeds[2]);
}

TEST(ProgramClient, IsNotRunByAnEngineWithoutALauncher) {
  Engine engine({source_folder() + "/scripts"});
  EXPECT_THROW(static_cast<void>(engine.prepare(
                   scenario::parse_scenario("test.toml",
                                            "title = \"t\"\nlock = \"setnx\"\n"
                                            "expect = { holds = \"mutual-exclusion\" }\n" +
                                                client("a")))),
               scenario::InputError);
}

TEST(ProgramClient, WhatItDoesNotDeclareIsNotJudged) {
  ScriptedLauncher launcher;
  launcher.behaviours["a"] = [](ScriptedProgram&, ProgramStep& step) {
    step.state = ProgramStep::State::ended;
  };
  const Ran ran = run(launcher, client("a"));
  for (const checker::Verdict& verdict : ran.verdicts) {
    EXPECT_FALSE(needs_declared_operations(verdict.property));
  }
  Engine engine({source_folder() + "/scripts"}, &launcher);
  EXPECT_THROW(static_cast<void>(engine.prepare(
                   scenario::parse_scenario("test.toml",
                                            "title = \"t\"\nlock = \"setnx\"\n"
                                            "expect = { holds = \"lease-linearizability\" }\n" +
                                                client("a")))),
               scenario::InputError);
}

}  // namespace
}  // namespace lockstep::model::test
