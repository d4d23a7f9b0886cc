// Where a delay sits: what waits in a process's buffers is lost with the process, what has left it
// arrives (docs/faults.md). For replication, for replies to clients, and for their requests.
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

#include "checker/property.h"
#include "tests/model/engine/simulated_run.h"

namespace lockstep::model::test {
namespace {

enum class Fate : std::uint8_t { is_lost, arrives };

struct DelayCase {
  std::string_view what;
  std::string_view lines;  ///< of a scenario file
  Fate fate;
};

void PrintTo(const DelayCase& each, std::ostream* out) { *out << each.what; }

std::string with_head(std::string_view redis, const DelayCase& each, std::string_view clients) {
  return std::string("title = \"buffers\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n")
      .append(redis)
      .append(clients)
      .append(each.lines);
}

constexpr std::string_view slow_replication =
    "[[link]]\nfrom = \"n1\"\nto = \"n1-replica-1\"\nlatency = \"2s\"\n";
constexpr std::string_view dies = "[[fault]]\ncrash = \"n1\"\nat = \"500ms\"\n";

// -- replication --

class Replicated : public testing::TestWithParam<DelayCase> {};

TEST_P(Replicated, TheNewMasterHasWhatHadLeftTheOldOne) {
  const SimulatedRun run(
      with_head("[redis]\nreplicas = 1\n", GetParam(),
                "[[client]]\nname = \"a\"\nrun = [\"lock lease=60s\", \"sleep 20s\", \"unlock\"]\n"
                "[[client]]\nname = \"b\"\nstart = \"9s\"\nrun = [\"lock lease=60s\", \"unlock\"]\n"
                "[[fault]]\npromote = \"n1-replica-1\"\nat = \"8s\"\n"));
  ASSERT_FALSE(run.events("node-promoted", "n1-replica-1").empty());
  EXPECT_EQ(run.violates(checker::Property::mutual_exclusion), GetParam().fate == Fate::is_lost);
}

const std::string crash_n1_early(dies);
const std::string slow_n1_early = std::string(slow_replication) + crash_n1_early;
const std::string replicated_delayed =
    "[[fault]]\ndelay = \"replication\"\nby = \"2s\"\n" + crash_n1_early;
const std::string replicated_reordered =
    "[[fault]]\nreorder = \"replication\"\nbehind = \"reply to release\"\nat_most = \"2s\"\n" +
    crash_n1_early;
const std::string replicated_lagged =
    "[[fault]]\nlag = \"n1-replica-1\"\nby = \"2s\"\n" + crash_n1_early;
const std::string replicated_lagged_later =
    "[[fault]]\nlag = \"n1-replica-1\"\nby = \"2s\"\nat = \"400ms\"\n" + slow_n1_early;
const std::string replicated_cut_before =
    "[[fault]]\ncut = [\"n1\", \"n1-replica-1\"]\nfor = \"2s\"\n" + crash_n1_early;
const std::string replicated_cut_later =
    "[[fault]]\ncut = [\"n1\", \"n1-replica-1\"]\nat = \"400ms\"\nfor = \"2s\"\n";
const std::string replicated_clogged =
    "[[fault]]\nclog = [\"n1\", \"n1-replica-1\"]\nby = \"2s\"\n" + crash_n1_early;
const std::string replicated_stalled =
    "[[fault]]\nstall = \"n1-replica-1\"\nfor = \"2s\"\n" + crash_n1_early;
const std::string replicated_paused =
    "[[fault]]\npause = \"n1-replica-1\"\nat = \"0s\"\nfor = \"2s\"\n" + crash_n1_early;
const std::string replicated_cut_then_crash = replicated_cut_later + slow_n1_early;
const std::string replicated_cut_then_power = replicated_cut_later + std::string(slow_replication) +
                                              "[[fault]]\npower_loss = \"n1\"\nat = \"500ms\"\n";
const std::string replicated_power_of_slow =
    std::string(slow_replication) + "[[fault]]\npower_loss = \"n1\"\nat = \"500ms\"\n";

INSTANTIATE_TEST_SUITE_P(
    Buffers, Replicated,
    testing::Values(
        DelayCase{"delay", replicated_delayed, Fate::is_lost},
        DelayCase{"reorder", replicated_reordered, Fate::is_lost},
        DelayCase{"lag", replicated_lagged, Fate::is_lost},
        DelayCase{"cut", replicated_cut_before, Fate::is_lost},
        DelayCase{"clog", replicated_clogged, Fate::arrives},
        DelayCase{"latency", slow_n1_early, Fate::arrives},
        DelayCase{"power loss behind a latency", replicated_power_of_slow, Fate::arrives},
        DelayCase{"lag that begins later", replicated_lagged_later, Fate::arrives},
        DelayCase{"cut that begins later", replicated_cut_then_crash, Fate::arrives},
        DelayCase{"cut that begins later, power loss", replicated_cut_then_power, Fate::is_lost},
        DelayCase{"stall", replicated_stalled, Fate::arrives},
        DelayCase{"pause of the replica", replicated_paused, Fate::arrives}));

// -- replies to clients, and their requests --

struct LinkCase {
  std::string_view what;
  std::string_view lines;
  Fate request;  ///< whether the server executes it
  Fate reply;    ///< whether the client hears of the grant
};

void PrintTo(const LinkCase& each, std::ostream* out) { *out << each.what; }

class Called : public testing::TestWithParam<LinkCase> {};

// Nothing answers whoever died, and nobody is asked twice: what arrives is what was sent once.
TEST_P(Called, WhatHadLeftItsSenderArrives) {
  const SimulatedRun run(
      std::string("title = \"buffers\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n"
                  "[options]\nretry_attempts = 0\ntimeout = \"30s\"\n")
          .append(GetParam().lines));
  ASSERT_EQ(run.events("process-crashed").size(), 1U);
  EXPECT_EQ(run.events("lock-changed", "n1").empty(), GetParam().request == Fate::is_lost);
  EXPECT_EQ(run.events("belief-began").empty(), GetParam().reply == Fate::is_lost);
}

const std::string asks_at_once =
    "[[client]]\nname = \"a\"\nrun = [\"try_lock lease=60s\", \"sleep 20s\", \"unlock\"]\n";
/// On a connection that was opened before the cut.
const std::string asks_at_1s =
    "[[client]]\nname = \"a\"\n"
    "run = [\"is_locked\", \"sleep 1s\", \"try_lock lease=60s\", \"sleep 20s\", \"unlock\"]\n";
/// A way from the client takes 2 s: it is connected at 2 s, and asks then.
const std::string slow_request = "[[link]]\nfrom = \"a\"\nto = \"n1\"\nlatency = \"2s\"\n";
/// It hears of its connection at 2 s, asks then, and is answered at 2 s.
const std::string slow_reply = "[[link]]\nfrom = \"n1\"\nto = \"a\"\nlatency = \"2s\"\n";
const std::string a_dies = "[[fault]]\ncrash = \"a\"\nat = \"3s\"\n";
const std::string n1_dies = "[[fault]]\ncrash = \"n1\"\nat = \"3s\"\n";
const std::string n1_fails = "[[fault]]\npower_loss = \"n1\"\nat = \"3s\"\n";
const std::string cut_under_way =
    "[[fault]]\ncut = [\"a\", \"n1\"]\nat = \"2500ms\"\nfor = \"2s\"\n";

std::string late(std::string_view message) {
  return "[[fault]]\ndelay = \"" + std::string(message) + "\"\nby = \"5s\"\n";
}

const std::string request_delayed = asks_at_once + late("acquire") + a_dies;
const std::string request_reordered =
    asks_at_once + "[[fault]]\nreorder = \"acquire\"\nbehind = \"renew\"\nat_most = \"5s\"\n" +
    a_dies;
const std::string request_cut = asks_at_1s +
                                "[[fault]]\ncut_one_way = [\"a\", \"n1\"]\nat = \"500ms\"\n"
                                "for = \"5s\"\n" +
                                a_dies;
const std::string request_slow = asks_at_once + slow_request + a_dies;
const std::string request_caught = asks_at_once + cut_under_way + slow_request + a_dies;
const std::string clog_begins_late =
    asks_at_once + "[[fault]]\nclog = [\"a\", \"n1\"]\nby = \"5s\"\nat = \"2500ms\"\n" +
    slow_request + a_dies;

const std::string reply_delayed = asks_at_once + late("reply to acquire") + n1_dies;
const std::string reply_reordered =
    asks_at_once +
    "[[fault]]\nreorder = \"reply to acquire\"\nbehind = \"message\"\nat_most = \"5s\"\n" + n1_dies;
const std::string reply_cut = asks_at_1s +
                              "[[fault]]\ncut_one_way = [\"n1\", \"a\"]\nat = \"500ms\"\n"
                              "for = \"5s\"\n" +
                              n1_dies;
const std::string reply_slow = asks_at_once + slow_reply + n1_dies;
const std::string reply_of_failed = asks_at_once + slow_reply + n1_fails;
const std::string reply_caught = asks_at_once + cut_under_way + slow_reply + n1_dies;
const std::string reply_caught_of_failed = asks_at_once + cut_under_way + slow_reply + n1_fails;

INSTANTIATE_TEST_SUITE_P(
    Buffers, Called,
    testing::Values(
        LinkCase{"delayed request", request_delayed, Fate::is_lost, Fate::is_lost},
        LinkCase{"reordered request", request_reordered, Fate::is_lost, Fate::is_lost},
        LinkCase{"request behind a cut", request_cut, Fate::is_lost, Fate::is_lost},
        LinkCase{"slow request", request_slow, Fate::arrives, Fate::is_lost},
        LinkCase{"request caught by a cut", request_caught, Fate::arrives, Fate::is_lost},
        LinkCase{"clog that begins later", clog_begins_late, Fate::arrives, Fate::is_lost},
        LinkCase{"delayed reply", reply_delayed, Fate::arrives, Fate::is_lost},
        LinkCase{"reordered reply", reply_reordered, Fate::arrives, Fate::is_lost},
        LinkCase{"reply behind a cut", reply_cut, Fate::arrives, Fate::is_lost},
        LinkCase{"slow reply", reply_slow, Fate::arrives, Fate::arrives},
        LinkCase{"slow reply, power loss", reply_of_failed, Fate::arrives, Fate::arrives},
        LinkCase{"reply caught by a cut", reply_caught, Fate::arrives, Fate::arrives},
        LinkCase{"reply caught by a cut, power loss", reply_caught_of_failed, Fate::arrives,
                 Fate::is_lost}));

}  // namespace
}  // namespace lockstep::model::test
