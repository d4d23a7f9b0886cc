// After [heal] hosts, network and clocks are as if nothing had been: for every kind of fault, what
// a client that comes then sees is what it sees in a run without faults.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "checker/property.h"
#include "checker/verdict.h"
#include "checker/verdict_kind.h"
#include "model/engine/run_result.h"
#include "scenario/faults/fault_forms.h"
#include "tests/model/engine/simulated_run.h"

namespace lockstep::model::test::healing {
namespace {

using Lines = std::vector<std::string>;

/// Every hop takes a millisecond, so that nothing that comes later depends on what was drawn
/// before. a is there from the start, c comes when all is healed.
std::string story(std::string_view faults) {
  return fmt::format(R"(title = "t"
lock = "plain"
expect = {{ holds = "harm" }}
[redis]
replicas = 2
latency = "1ms"
[heal]
at = "6s"
[[client]]
name = "a"
rounds = 3
run = ["lock lease=2s", "sleep 500ms", "unlock", "sleep 200ms"]
[[client]]
name = "c"
start = "80s"
run = [
  "lock lease=5s", "unlock", "sleep 1s",
  "lock lease=5s", "write", "sleep 10s", "lock lease=20s", "extend lease=30s", "unlock",
]
{})",
                     faults);
}

/// What c does, and what the servers do for it, since it has its connections and the servers know
/// the scripts; instants are counted from there.
Lines seen_by_c(const SimulatedRun& run) {
  sim::TimeNs begin = sim::never_ns;
  for (const RecordedEvent* event : run.events("step-completed", "c/1")) {
    if (event->text("step") == "sleep 1s") begin = event->at;
  }
  Lines lines;
  for (const std::string_view kind : {"step-completed", "command-executed", "message-delivered",
                                      "stream-applied", "lock-changed"}) {
    for (const RecordedEvent* event : run.events(kind)) {
      if (event->at < begin) continue;
      // What a replica acknowledges once a second has the phase of its link.
      const std::string_view what = kind == "step-completed"     ? event->text("outcome")
                                    : kind == "command-executed" ? event->text("label")
                                                                 : std::string_view();
      lines.push_back(
          fmt::format("{} {} {} {}", event->at - begin, kind, run.actor_name(*event), what));
    }
  }
  std::sort(lines.begin(), lines.end());  // a master serves first who was first to come back
  return lines;
}

/// As many as tell of different ways to be healed. What stays as it was set, or is over as it
/// strikes, strikes again and again until the heal.
const std::multimap<std::string_view, std::string_view> faults = {
    {"pause", R"(pause = "n1")"},
    {"pause", R"(pause = "c")"},
    {"pause", "pause = \"n1-replica-1\"\nfor = \"300s\""},
    {"crash", R"(crash = "n1")"},
    {"crash", R"(crash = "n1-replica-1")"},
    {"restart", "crash = \"n1\"\n[[fault]]\nrestart = \"n1\"\nat = \"3s\""},
    {"power_loss", R"(power_loss = "n1")"},
    {"shutdown", R"(shutdown = "n1-replica-2")"},
    {"slow", "slow = \"n1\"\nby = \"50ms\""},
    {"slow", "slow = \"c\"\nby = \"50ms\"\nfor = \"300s\""},
    {"cut", R"(cut = ["c", "n1"])"},
    {"cut", R"(cut = ["n1", "n1-replica-1"])"},
    {"cut_one_way", R"(cut_one_way = ["n1", "c"])"},
    {"isolate", R"(isolate = "n1")"},
    {"partition", R"(partition = [["a", "n1"], ["c", "n1-replica-1"]])"},
    {"ring", R"(ring = ["n1", "n1-replica-1", "n1-replica-2"])"},
    {"swizzle", "swizzle = [\"n1\", \"n1-replica-1\", \"n1-replica-2\"]\nfor = \"6s\""},
    {"clog", "clog = [\"c\", \"n1\"]\nby = \"70ms\""},
    {"refuse", R"(refuse = "n1")"},
    {"half_open", "half_open = [\"a\", \"n1\"]"},
    {"drop", "drop = \"acquire\"\ntimes = \"always\""},
    {"delay", "delay = \"release\"\nby = \"300s\"\ntimes = \"always\""},
    {"delay", "delay = \"replication\"\nby = \"300s\"\ntimes = \"always\""},
    {"reset", "reset = \"reply to acquire\"\ntimes = \"always\""},
    {"reorder",
     "reorder = \"acquire\"\nbehind = \"renew\"\nat_most = \"300s\"\ntimes = \"always\""},
    {"lag", "lag = \"n1-replica-1\"\nby = \"500ms\""},
    {"stall", R"(stall = "n1-replica-1")"},
    {"disconnect", R"(disconnect = "n1-replica-1")"},
    {"clock_drift", "clock_drift = \"n1\"\nrate = \"300000ppm\"\nclock = \"both\""},
    {"clock_drift", "clock_drift = \"c\"\nrate = \"300000ppm\"\nclock = \"both\""},
    {"clock_freeze", "clock_freeze = \"n1\"\nclock = \"both\""},
    {"clock_freeze", "clock_freeze = \"c\"\nclock = \"both\""},
    {"clock_strobe", "clock_strobe = \"n1\"\nby = \"10s\"\nevery = \"10ms\"\nfor = \"300s\""},
    {"clock_step", "clock_step = \"n1\"\nby = \"3s\"\nevery = \"1500ms\""},
    {"clock_leap", "clock_leap = \"c\"\nevery = \"1s\""},
    {"busy", "busy = \"n1\"\nfor = \"300s\""},
    {"busy", "busy = \"n1\"\nfor = \"4s\"\nevery = \"3s\""},
    {"max_clients", "max_clients = \"n1\"\nlimit = 1"},
    {"delete", "delete = \"lock\"\non = \"n1\"\nevery = \"300ms\""},
    {"evict", "evict = \"lock\"\non = \"n1\"\nevery = \"300ms\""},
    {"flush_all", "flush_all = \"n1\"\nevery = \"300ms\""},
    {"script_flush", "script_flush = \"n1\"\nevery = \"300ms\""},
    {"interrupt", "interrupt = \"a\"\nevery = \"300ms\""},
    {"abandon", "abandon = \"a\"\nevery = \"1ms\""},
    {"postpone", "postpone = \"a\"\nreply = \"acquire\"\nby = \"300s\""},
};

/// A promoted replica stays the master.
constexpr std::string_view not_healed = "promote";

TEST(HealingOfAll, LeavesAFreshEnvironmentWhateverStruck) {
  const Lines fresh = seen_by_c(SimulatedRun(story("")));
  ASSERT_GT(fresh.size(), 20U);
  for (const auto& [word, fault] : faults) {
    SCOPED_TRACE(fault);
    const SimulatedRun run(story(fmt::format("[[fault]]\nat = \"1s\"\n{}\n", fault)));
    EXPECT_GE(run.result().fault_strikes.at(0), 1U);
    EXPECT_EQ(seen_by_c(run), fresh);
  }
}

// The message that would have woken b is lost at 5 s. That is over when it is lost: what b does
// until everything heals, much later, is judged. A server that is down until then is another
// matter.
TEST(HealingOfAll, LeavesAloneWhatWasOverBefore) {
  constexpr std::string_view sleeper = R"(title = "t"
lock = "plain"
expect = { holds = "harm" }
[heal]
at = "100s"
[[client]]
name = "a"
run = ["lock lease=60s", "sleep 5s", "unlock"]
[[client]]
name = "b"
start = "1s"
run = ["lock lease=60s", "unlock"]
[[fault]]
)";
  const auto wakeup_after = [&](std::string_view fault) {
    const SimulatedRun run(std::string(sleeper) + std::string(fault));
    return run.verdict(checker::Property::no_lost_wakeup).kind;
  };
  EXPECT_EQ(wakeup_after("drop = \"message\"\n"), checker::VerdictKind::violated);
  EXPECT_EQ(wakeup_after("cut = [\"b\", \"n1\"]\nat = \"2s\"\n"), checker::VerdictKind::holds);
  EXPECT_EQ(wakeup_after("crash = \"n1\"\nat = \"2s\"\n"), checker::VerdictKind::holds);
  const std::string_view lost = "drop = \"message\"\n[[fault]]\n";
  const auto wakeup_after_both = [&](std::string_view other) {
    return wakeup_after(std::string(lost) + std::string(other));
  };
  EXPECT_EQ(wakeup_after_both("clock_drift = \"a\"\nrate = \"100ppm\"\nat = \"1s\"\n"),
            checker::VerdictKind::holds);
  EXPECT_EQ(wakeup_after_both("postpone = \"b\"\nreply = \"acquire\"\nby = \"1s\"\n"),
            checker::VerdictKind::holds);
  EXPECT_EQ(wakeup_after_both("delay = \"release\"\nby = \"200s\"\n"), checker::VerdictKind::holds);
  EXPECT_EQ(wakeup_after_both("cut = [\"b\", \"resource\"]\nat = \"2s\"\nstays = true\n"),
            checker::VerdictKind::violated);
}

TEST(HealingOfAll, KnowsEveryKind) {
  for (const scenario::FaultForm& form : scenario::fault_forms()) {
    EXPECT_NE(faults.contains(form.word), form.word == not_healed) << form.word;
  }
}

}  // namespace
}  // namespace lockstep::model::test::healing
