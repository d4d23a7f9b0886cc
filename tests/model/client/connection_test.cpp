// What carries a client's calls: a pool of connections, or one that they share.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include "lock_folder.h"
#include "lock_run.h"
#include "model/lock/lock_package.h"
#include "scenario/options.h"
#include "tests/support/source_folder.h"

namespace lockstep::test::one_connection {
namespace {

using Words = std::vector<std::string>;

/// A client model that begins calls by themselves and says what became of each.
constexpr std::string_view asking = R"(
local function ask(command, key, ...)
  local replied, answer = pcall(function(...)
    return client.command(1, command, key, ...)
  end, ...)
  client.log(key .. (replied and " ok" or " " .. answer.code .. (answer.unknown and "?" or "")))
end
local function begin(command, key, ...)
  client.spawn(key, ask, command, key, ...)
end
local function begin_later(after_ms, command, key, ...)
  client.spawn(key, function(...)
    client.sleep(after_ms)
    ask(command, key, ...)
  end, ...)
end
)";

/// One client, one node, hops of 1 ms.
class Connections : public testing::Test {
 protected:
  /// Runs the body of the function `lock`, at 0 ms.
  LockRun& run(const std::string& body, const scenario::Options& options) {
    folder_.write(
        "client.lua",
        std::string(asking) + LockFolder::client_model("function model.lock(lock)\n" + body +
                                                       "\nclient.sleep(30000)\nreturn true end"));
    run_.scenario.lock = folder_.folder().string();
    run_.scenario.options = options;
    if (!run_.scenario.options.contains("retry_attempts")) {
      run_.scenario.options["retry_attempts"] = std::int64_t{0};
    }
    run_.client("a", {"lock; unlock"});
    run_.run();
    EXPECT_EQ(run_.count("client-failed"), 0U) << run_.text();
    return run_;
  }

  /// The keys of the commands in the order in which the node has executed them: "x@12" at 12 ms.
  [[nodiscard]] Words executed() const {
    Words keys;
    for (const TraceLine& line : run_.find("command-executed", "n1")) {
      const std::size_t from = line.fields.find("arguments=") + 10;
      const std::size_t end = line.fields.find_first_of(" ", from);
      keys.push_back(line.fields.substr(from, end - from) + "@" +
                     std::to_string(line.at_ns / sim::millisecond_ns));
    }
    return keys;
  }
  [[nodiscard]] Words answers() const {
    Words texts;
    for (const TraceLine& line : run_.find("client-logged")) texts.push_back(line.fields.substr(5));
    return texts;
  }
  scenario::FaultSpec& restart_n1_after(sim::DurationNs crash_ns, sim::DurationNs restart_ns) {
    run_.fault(scenario::FaultKind::crash, "n1").trigger.after_ns = crash_ns;
    scenario::FaultSpec& restart = run_.fault(scenario::FaultKind::restart, "n1");
    restart.trigger.after_ns = restart_ns;
    return restart;
  }

  static scenario::Options one(const char* reconnect = "resend") {
    return {{"connection", std::string("one")}, {"reconnect", std::string(reconnect)}};
  }
  static scenario::Options pool(std::int64_t size) {
    return {{"connection", std::string("pool")}, {"pool_size", size}};
  }

  LockFolder folder_;
  LockRun run_{"own"};
};

// -- the order of requests --

TEST_F(Connections, OfAPoolLetACallOvertakeOneThatWaits) {
  run_.message_fault(scenario::FaultKind::delay, "set").by_ns = 500 * sim::millisecond_ns;
  run(R"(begin("SET", "first", 1)
         begin_later(10, "SET", "second", 1))",
      {});
  EXPECT_EQ(executed(), (Words{"second@13", "first@503"})) << run_.text();
}

TEST_F(Connections, WhereThereIsOneLetNoCallOvertakeOneThatWaits) {
  run_.message_fault(scenario::FaultKind::delay, "set").by_ns = 500 * sim::millisecond_ns;
  run(R"(begin("SET", "first", 1)
         begin_later(10, "SET", "second", 1))",
      one());
  EXPECT_EQ(executed(), (Words{"first@503", "second@503"})) << run_.text();
  EXPECT_EQ(run_.count("connection-opening", "a"), 1U);
}

TEST_F(Connections, WhereThereIsOneSendAtOnceWithoutWaitingForReplies) {
  run(R"(begin("SET", "x", 1)
         begin("SET", "y", 1)
         begin("SET", "z", 1))",
      one());
  std::vector<sim::TimeNs> sent_at;
  for (const TraceLine& line : run_.find("message-sent", "a")) {
    sent_at.push_back(line.at_ns / sim::millisecond_ns);
  }
  EXPECT_EQ(sent_at, (std::vector<sim::TimeNs>{2, 2, 2})) << run_.text();
  EXPECT_EQ(executed(), (Words{"x@3", "y@3", "z@3"}));
  EXPECT_EQ(answers(), (Words{"x ok", "y ok", "z ok"}));
}

TEST_F(Connections, WhereThereIsOneWaitBehindABlockingCommand) {
  run(R"(begin("BLPOP", "list", 1)
         begin("SET", "x", 1)
         begin("GET", "y"))",
      one());
  EXPECT_EQ(executed(), (Words{"list@3", "x@1003", "y@1003"})) << run_.text();
  EXPECT_EQ(answers(), (Words{"list ok", "x ok", "y ok"})) << run_.text();
}

TEST_F(Connections, WhereThereIsOneWaitBehindEachOfSeveralBlockingCommands) {
  run(R"(begin("BLPOP", "list", 1)
         begin("BLPOP", "other", "0.5")
         begin("SET", "x", 1))",
      one());
  EXPECT_EQ(executed(), (Words{"list@3", "other@1003", "x@1503"})) << run_.text();
}

TEST_F(Connections, OfAPoolDoNotWaitBehindABlockingCommand) {
  run(R"(begin("BLPOP", "list", 1)
         begin("SET", "x", 1))",
      {});
  EXPECT_EQ(executed(), (Words{"list@3", "x@3"})) << run_.text();
}

TEST_F(Connections, ThatAreBlockedTakeTheRequestsBehindWithThemWhenTheyClose) {
  run_.message_fault(scenario::FaultKind::reset, "get");
  run(R"(begin("BLPOP", "list", 0)
         begin("SET", "x", 1)
         begin_later(100, "GET", "y"))",
      one("drop"));
  EXPECT_EQ(executed(), (Words{"list@3"})) << run_.text();
  EXPECT_EQ(answers(), (Words{"list TIMEOUT?", "x TIMEOUT?", "y TIMEOUT?"}));
}

// -- a call without a reply --

TEST_F(Connections, WhereThereIsOneStayOpenWhenACallTimesOut) {
  run_.fault(scenario::FaultKind::pause, "n1").for_ns = 4 * sim::second_ns;
  scenario::Options options = one();
  options["retry_attempts"] = std::int64_t{1};
  run(R"(begin("INCR", "x")
         begin_later(5000, "GET", "x"))",
      options);
  EXPECT_EQ(run_.count("connection-closed"), 0U) << run_.text();
  EXPECT_EQ(run_.count("call-timed-out"), 1U);
  // The process accepts at 0 and reads when it goes on; the second attempt is made at 4500.
  EXPECT_EQ(executed(), (Words{"x@4000", "x@4501", "x@5001"}));
  EXPECT_EQ(answers(), (Words{"x ok", "x ok"})) << "the late reply is nobody's";
}

TEST_F(Connections, WhereThereIsOneKeepTheRequestOfACallThatWasInterrupted) {
  run_.message_fault(scenario::FaultKind::delay, "reply to set").by_ns = sim::second_ns;
  scenario::FaultSpec& interruption = run_.fault(scenario::FaultKind::interrupt, "a/1");
  interruption.trigger.after_ns = 100 * sim::millisecond_ns;
  run(R"(begin_later(200, "GET", "y")
         ask("SET", "x", 1))",
      one());
  EXPECT_EQ(answers(), (Words{"x INTERRUPTED?", "y ok"})) << run_.text();
  EXPECT_EQ(run_.count("connection-closed"), 0U);
}

// -- a connection that breaks --

TEST_F(Connections, ThatAreOpenedAgainCarryTheUnansweredRequestsInTheirOrder) {
  run_.message_fault(scenario::FaultKind::reset, "reply to set");
  run(R"(begin("SET", "x", 1)
         begin("SET", "y", 1)
         begin("GET", "z"))",
      one("resend"));
  // The node executes x and breaks the connection with its reply: y and z are lost with it.
  EXPECT_EQ(executed(), (Words{"x@3", "x@6", "y@6", "z@6"})) << run_.text();
  EXPECT_EQ(answers(), (Words{"x ok", "y ok", "z ok"}));
  EXPECT_EQ(run_.count("call-resent", "a/1"), 3U);
  EXPECT_EQ(run_.count("call-retried"), 0U) << "it costs no attempt";
}

TEST_F(Connections, ThatBreakInTheMiddleOfSeveralRequestsCarryWhatWasNotAnswered) {
  run_.message_fault(scenario::FaultKind::reset, "get");  // as it is sent, behind two others
  run(R"(begin_later(50, "SET", "w", 1)
         begin_later(100, "SET", "x", 1)
         begin_later(100, "GET", "y")
         begin_later(100, "SET", "z", 1))",
      one("resend"));
  EXPECT_EQ(executed(), (Words{"w@53", "x@103", "y@103", "z@103"})) << run_.text();
  EXPECT_EQ(answers(), (Words{"w ok", "x ok", "y ok", "z ok"}));
}

TEST_F(Connections, ThatBreakWithinAPipelineCarryTheRestOfIt) {
  run_.message_fault(scenario::FaultKind::reset, "reply to get");
  run(R"(client.spawn("p", function()
           client.pipeline(1, {"INCR", "x"}, {"GET", "y"}, {"INCR", "z"})
           client.log("p ok")
         end))",
      one("resend"));
  // The reply to x was under way, and lost with the connection.
  EXPECT_EQ(executed(), (Words{"x@3", "y@3", "x@6", "y@6", "z@6"})) << run_.text();
  EXPECT_EQ(answers(), (Words{"p ok"}));
}

TEST_F(Connections, ThatAreLostLetCallsWaitInAQueue) {
  restart_n1_after(100 * sim::millisecond_ns, 2'000 * sim::millisecond_ns);
  run(R"(begin("BLPOP", "list", 0)
         begin_later(500, "SET", "x", 1)
         begin_later(600, "GET", "y"))",
      one("queue"));
  EXPECT_EQ(answers(), (Words{"list TIMEOUT?", "x ok", "y ok"})) << run_.text();
  EXPECT_EQ(run_.count("call-queued", "a/1", "why=reconnect"), 2U);
  const Words commands = executed();
  ASSERT_EQ(commands.size(), 3U);
  EXPECT_EQ(commands[1].substr(0, 2), "x@");
  EXPECT_EQ(commands[2].substr(0, 2), "y@");
}

TEST_F(Connections, ThatAreLostSendABlockingCommandAgainBeforeWhatCameLater) {
  restart_n1_after(100 * sim::millisecond_ns, 2'000 * sim::millisecond_ns);
  scenario::Options options = one("resend");
  options["timeout_ms"] = std::int64_t{10'000};
  run(R"(begin("BLPOP", "list", "0.5")
         begin_later(500, "SET", "x", 1))",
      options);
  EXPECT_EQ(answers(), (Words{"list ok", "x ok"})) << run_.text();
  const Words commands = executed();
  ASSERT_EQ(commands.size(), 3U);
  EXPECT_EQ(commands[1].substr(0, 5), "list@");
  EXPECT_EQ(commands[2].substr(0, 2), "x@");
}

TEST_F(Connections, ThatAreLostDropWhatWasSentAndWhatComesMeanwhile) {
  restart_n1_after(100 * sim::millisecond_ns, 2'000 * sim::millisecond_ns);
  run(R"(begin("BLPOP", "list", 0)
         begin_later(500, "SET", "x", 1)
         begin_later(5000, "GET", "y"))",
      one("drop"));
  EXPECT_EQ(answers(), (Words{"list TIMEOUT?", "x NOCONNECTION", "y ok"})) << run_.text();
}

TEST_F(Connections, ThatNobodyListensToLetACallWaitForAsLongAsItsTimeOutOnly) {
  run_.fault(scenario::FaultKind::crash, "n1").trigger.after_ns = 100 * sim::millisecond_ns;
  run(R"(begin("SET", "x", 1)
         begin_later(500, "SET", "y", 1))",
      one("queue"));
  EXPECT_EQ(answers(), (Words{"x ok", "y NOCONNECTION"})) << run_.text();
  const auto said = run_.find("client-logged", "a/1", "y NOCONNECTION");
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].at_ns, 3'500 * sim::millisecond_ns);
}

// -- a pool with an end --

TEST_F(Connections, OfAPoolOfOneCarryOneCallAfterAnother) {
  run(R"(begin("SET", "x", 1)
         begin("SET", "y", 1)
         begin("SET", "z", 1))",
      pool(1));
  EXPECT_EQ(executed(), (Words{"x@3", "y@5", "z@7"})) << run_.text();
  EXPECT_EQ(run_.count("connection-opening", "a"), 1U);
  EXPECT_EQ(run_.count("call-queued", "a/1", "label=set why=pool"), 2U);
}

TEST_F(Connections, OfAPoolOfTwoCarryTwoCallsAtOnce) {
  run(R"(begin("SET", "x", 1)
         begin("SET", "y", 1)
         begin("SET", "z", 1)
         begin("SET", "w", 1))",
      pool(2));
  EXPECT_EQ(executed(), (Words{"x@3", "y@3", "z@5", "w@5"})) << run_.text();
  EXPECT_EQ(run_.count("connection-opening", "a"), 2U);
}

TEST_F(Connections, OfAPoolAreGivenToWhoHasWaitedLongest) {
  run(R"(begin("SET", "x", 1)
         client.sleep(1)
         begin("SET", "y", 1)
         client.sleep(1)
         begin("SET", "z", 1)
         client.sleep(2)
         ask("SET", "late", 1))",
      pool(1));
  EXPECT_EQ(executed(), (Words{"x@3", "y@5", "z@7", "late@9"})) << run_.text();
}

TEST_F(Connections, OfAPoolAreWaitedForAsLongAsThePoolSays) {
  scenario::Options options = pool(1);
  options["pool_timeout_ms"] = std::int64_t{100};
  run(R"(begin("BLPOP", "list", 1)
         begin_later(10, "SET", "x", 1)
         begin_later(950, "SET", "y", 1))",
      options);
  EXPECT_EQ(answers(), (Words{"x NOCONNECTION", "list ok", "y ok"})) << run_.text();
  EXPECT_EQ(run_.find("client-logged", "a/1", "x NOCONNECTION")[0].at_ns,
            110 * sim::millisecond_ns);
}

TEST_F(Connections, OfAPoolAreNotWaitedForWhereItDoesNotLetWait) {
  scenario::Options options = pool(1);
  options["pool_timeout_ms"] = std::int64_t{0};
  run(R"(begin("BLPOP", "list", 1)
         begin_later(10, "SET", "x", 1))",
      options);
  EXPECT_EQ(answers(), (Words{"x NOCONNECTION", "list ok"})) << run_.text();
  EXPECT_EQ(run_.find("client-logged", "a/1", "x NOCONNECTION")[0].at_ns, 10 * sim::millisecond_ns);
}

TEST_F(Connections, OfAPoolThatBreakGoToWhoWaitsBeforeTheCallIsTriedAgain) {
  run_.message_fault(scenario::FaultKind::reset, "reply to set");
  scenario::Options options = pool(1);
  options["retry_attempts"] = std::int64_t{1};
  run(R"(begin("SET", "x", 1)
         begin("SET", "y", 1))",
      options);
  EXPECT_EQ(executed(), (Words{"x@3", "y@6", "x@8"})) << run_.text();
}

TEST_F(Connections, OfAPoolStayTakenUntilACallThatWasInterruptedIsAnswered) {
  scenario::FaultSpec& interruption = run_.fault(scenario::FaultKind::interrupt, "a/1");
  interruption.trigger.after_ns = 100 * sim::millisecond_ns;
  run(R"(begin_later(200, "SET", "x", 1)
         ask("BLPOP", "list", 1))",
      pool(1));
  EXPECT_EQ(answers(), (Words{"list INTERRUPTED?", "x ok"})) << run_.text();
  EXPECT_EQ(executed(), (Words{"list@3", "x@1005"}));
}

// -- the lock that this began with --

TEST(OneConnection, LetsNoReleaseOvertakeARenewal) {
  const auto order_of = [](const char* connection) {
    LockRun run("plain");
    run.scenario.options["connection"] = std::string(connection);
    run.client("a", {"lock; sleep 10100ms; unlock"});
    run.message_fault(scenario::FaultKind::delay, "renew_batch").by_ns = 500 * sim::millisecond_ns;
    run.run();
    Words labels;
    for (const TraceLine& line : run.find("command-executed", "n1")) {
      labels.push_back(line.fields.substr(6, line.fields.find(' ') - 6));
    }
    return labels;
  };
  EXPECT_EQ(order_of("pool"), (Words{"acquire", "release", "renew_batch"}));
  EXPECT_EQ(order_of("one"), (Words{"acquire", "renew_batch", "release"}));
}

// -- for single clients --

TEST(OneConnection, IsOfThoseClientsThatHaveIt) {
  LockRun run("plain");
  run.client("a", {"lock; unlock", "is_locked"});
  run.client("b", {"is_locked", "is_locked", "is_locked"}).options["connection"] =
      std::string("one");
  run.run();
  EXPECT_EQ(run.count("connection-opening", "a", "to=n1"), 2U) << run.text();
  EXPECT_EQ(run.count("connection-opening", "b", "to=n1"), 1U) << run.text();
}

TEST(OneConnection, IsNotTheOnlyOptionThatAClientMayHaveOtherwise) {
  LockRun run("plain");
  run.client("a", {"lock; sleep 11s; unlock"});
  run.client("b", {"lock name=other; sleep 11s; unlock name=other"}).options["watchdog_lease_ms"] =
      std::int64_t{6'000};
  run.run();
  EXPECT_EQ(run.count("command-executed", "n1", "label=renew_batch"), 1U + 5U) << run.text();
}

// -- the locks of this repository --

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// As a lock's README has to say it.
std::string habit_of(const model::LockPackage& lock) {
  const auto word = lock.options->find("connection");
  if (word == lock.options->end() || std::get<std::string>(word->second) != "pool") return "one";
  const std::int64_t size = lock.find_number("pool_size").value_or(0);
  return size == 0 ? "without an end" : "a pool of " + std::to_string(size) + " to each master";
}

TEST(ShippedLock, SaysWhichLibrarysConnectionsItHas) {
  const std::filesystem::path scripts = source_folder() + "/scripts";
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(scripts)) {
    scenario::Scenario scenario;
    scenario.lock = entry.path().string();
    const model::LockPackage lock = model::load_lock(scenario, {});
    const std::string readme = text_of(entry.path() / "README.md");
    EXPECT_NE(readme.find(habit_of(lock)), std::string::npos) << lock.name << habit_of(lock);
    const bool names_library =
        readme.find("**Connections**: ") != std::string::npos ||
        readme.find("`plain`'s, its options, connections") != std::string::npos;
    EXPECT_TRUE(names_library) << lock.name;
    ++count;
  }
  EXPECT_EQ(count, 11U);
}

}  // namespace
}  // namespace lockstep::test::one_connection
