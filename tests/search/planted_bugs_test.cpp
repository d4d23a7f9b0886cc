// Bugs of locks that no shipped variant has: each is planted in a lock of locks/, caught by the
// property that speaks of it, and not found in the lock that does it right.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/runs/seed_runs.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::search::planted_bugs {
namespace {

/// The story told of a lock of locks/, or of scripts/.
std::string told_of(std::string_view lock, std::string_view expect, std::string_view story) {
  return "title = \"t\"\nlock = \"" + std::string(lock) + "\"\nexpect = { " + std::string(expect) +
         " }\n" + std::string(story);
}

std::string planted(std::string_view lock) {
  return source_folder() + "/tests/search/locks/" + std::string(lock);
}

ScenarioOutcome run(const std::string& text) {
  model::Engine engine({support::script_folder()});
  return run_scenario(scenario::parse_scenario("s.toml", text), {.first_seed = 1, .seeds = 10},
                      engine);
}

/// "" where it is as expected, else what is not.
std::string complaints(const std::string& text) {
  const ScenarioOutcome outcome = run(text);
  std::string all;
  for (const std::string& each : outcome.complaints) all += each + "\n";
  if (all.empty() && outcome.kind != OutcomeKind::as_expected) all = "unknown";
  return all;
}

// -- fencing --

/// b draws its token, and waits; a's hold is over when b gets the lock, and a doesn't know.
constexpr std::string_view one_waits_while_another_oversleeps = R"(
[resource]
fencing = true
[[client]]
name = "c"
run  = ["lock lease=5s", "sleep 2s", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock lease=30s", "write", "sleep 3s", "unlock"]
[[client]]
name  = "a"
start = "20ms"
run   = ["lock lease=1s", "sleep 5s", "write", "unlock"]
[[fault]]
pause = "b"
at    = "1s"
for   = "1500ms"
)";

TEST(PlantedBug, ATokenDrawnBeforeTheLockIsOutOfOrder) {
  EXPECT_EQ(complaints(told_of(planted("token-before-lock"), R"(violates = "fencing")",
                               one_waits_while_another_oversleeps)),
            "");
  EXPECT_EQ(
      complaints(told_of(planted("token-before-lock/token-under-lock"),
                         R"(holds = ["fencing", "harm"])", one_waits_while_another_oversleeps)),
      "");
}

// -- a lock that counts its holds in its client --

constexpr std::string_view taken_again = R"(
[[client]]
name = "a"
run  = ["lock lease=10s", "lock lease=10s", "write", "hold_count", "unlock", "hold_count", "sleep 2s", "write", "unlock"]
[[client]]
name  = "b"
start = "1ms"
run   = ["lock lease=10s", "write", "unlock"]
)";

TEST(PlantedBug, ALockThatFreesItsKeyAtTheFirstReleaseOfTwoIsFound) {
  EXPECT_EQ(
      complaints(told_of(
          planted("counts-in-client"),
          R"(holds = ["mutual-exclusion", "valid-grant", "lease-linearizability", "harm", "hold-count", "truthful-answers"])",
          taken_again)),
      "");
  for (const std::string_view property : {"hold-count", "mutual-exclusion"}) {
    EXPECT_EQ(complaints(told_of(planted("counts-in-client/frees-at-first"),
                                 "violates = \"" + std::string(property) + "\"", taken_again)),
              "")
        << property;
  }
}

/// Two holds, and one: a count of 1 that is one too low says that there is none.
TEST(PlantedBug, AClientThatMiscountsItsOwnHoldsIsALiar) {
  constexpr std::string_view asked_inside = R"(
[[client]]
name = "a"
run  = ["lock lease=10s", "lock lease=10s", "hold_count", "unlock", "unlock"]
)";
  for (const std::string_view variant : {"counts-one-more", "counts-one-less"}) {
    EXPECT_EQ(complaints(told_of(planted("counts-in-client/" + std::string(variant)),
                                 R"(violates = "truthful-answers")", asked_inside)),
              "")
        << variant;
  }
  EXPECT_EQ(complaints(told_of(planted("counts-in-client"), R"(holds = "truthful-answers")",
                               asked_inside)),
            "");
}

// -- truthful-answers --

struct Lie {
  std::string_view lie;
  std::string_view shown_by;
  std::vector<std::string_view> locks;  ///< of locks/lying-…
};

constexpr std::string_view lost_before_its_end = R"(
[[client]]
name = "a"
run  = ["lock lease=1s", "sleep 2s", "$step", "unlock"]
[[client]]
name  = "b"
start = "1500ms"
run   = ["lock lease=30s", "sleep 3s", "unlock"]
)";

constexpr std::string_view lost_at_its_end = R"(
[[client]]
name = "a"
run  = ["lock lease=1s", "sleep 2s", "$step"]
)";

constexpr std::string_view held = R"(
[[client]]
name = "a"
run  = ["lock lease=10s", "sleep 3s", "$step", "unlock"]
)";

constexpr std::string_view twice_held = R"(
[[client]]
name = "a"
run  = ["lock lease=10s", "lock lease=10s", "$step", "unlock", "unlock"]
)";

constexpr std::string_view all_lost = R"(
[[client]]
name = "a"
run  = ["lock_all names=x,y lease=1s", "sleep 2s", "$step names=x,y"]
)";

constexpr std::string_view slow_network = R"(
[[client]]
name = "a"
run  = ["$step lease=10s", "unlock"]
[redis]
latency = "80ms"
)";

const std::vector<Lie>& lies() {
  static const std::vector<Lie> all = {
      {"unlock", lost_at_its_end, {"plain", "spin", "fenced", "setnx", "redlock"}},
      {"unlock_all", all_lost, {"multi"}},
      {"try_lock", slow_network, {"plain", "spin", "fenced", "setnx"}},
      {"extend", lost_before_its_end, {"plain", "spin", "fenced", "setnx", "redlock"}},
      {"validity", held, {"plain", "spin", "fenced", "setnx", "redlock"}},
      {"is_held_by_me", lost_before_its_end, {"plain", "spin", "fenced", "setnx", "redlock"}},
      {"remaining_lease", held, {"plain", "spin", "fenced", "setnx", "redlock"}},
      {"hold_count", twice_held, {"plain", "spin", "fenced"}},
  };
  return all;
}

std::string with_step(std::string_view story, std::string_view step) {
  std::string text(story);
  text.replace(text.find("$step"), 5, step);
  return text;
}

std::string lie_of(const Lie& lie, std::string_view lock, std::string_view told,
                   std::string_view verdict) {
  std::string step(lie.lie == "validity" ? "extend" : lie.lie);
  const bool is_extension = step == "extend";
  if (is_extension) step += " lease=10s";
  std::string text =
      told_of(planted("lying-" + std::string(lock)),
              std::string(verdict) + " = \"truthful-answers\"", with_step(lie.shown_by, step));
  if (lock == "redlock") text += "[redis]\nmasters = 3\n";
  return text + "[options]\nlie = \"" + std::string(told) + "\"\n";
}

TEST(PlantedBug, ALieIsFoundWhereTheTruthIsNot) {
  for (const Lie& lie : lies()) {
    for (const std::string_view lock : lie.locks) {
      const std::string_view option = lie.lie == "unlock_all" ? "unlock" : lie.lie;
      EXPECT_EQ(complaints(lie_of(lie, lock, option, "violates")), "") << lock << ' ' << lie.lie;
      EXPECT_EQ(complaints(lie_of(lie, lock, "none", "holds")), "") << lock << ' ' << lie.lie;
    }
  }
}

// Though a vote may be split, and leave less than half of it.
TEST(PlantedBug, AVoteThatRefusesOrDeniesForNothingLies) {
  const std::string alone = R"(
[[client]]
name = "a"
run  = ["try_lock lease=10s", "sleep 1s", "unlock"]
[redis]
masters = 3
[options]
lie = ")";
  for (const std::string_view lie : {"refuses", "denies", "none"}) {
    const std::string verdict =
        std::string(lie == "none" ? "holds" : "violates") + " = \"truthful-answers\"";
    EXPECT_EQ(
        complaints(told_of(planted("lying-redlock"), verdict, alone + std::string(lie) + "\"\n")),
        "")
        << lie;
  }
}

TEST(PlantedBug, AReadersOrWritersLieIsFoundToo) {
  const std::vector<std::pair<std::string_view, std::string_view>> stories = {
      {"read_unlock", R"(
[[client]]
name = "a"
run  = ["read_lock lease=1s", "sleep 2s", "read_unlock"]
)"},
      {"write_unlock", R"(
[[client]]
name = "a"
run  = ["write_lock lease=1s", "sleep 2s", "write_unlock"]
)"},
      {"is_held_by_me", R"(
[[client]]
name = "a"
run  = ["read_lock lease=1s", "sleep 2s", "is_held_by_me", "read_unlock"]
[[client]]
name  = "b"
start = "1500ms"
run   = ["write_lock lease=30s", "sleep 3s", "write_unlock"]
)"},
      {"try_read_lock", R"(
[[client]]
name = "a"
run  = ["read_lock lease=10s", "sleep 2s", "read_unlock"]
[[client]]
name  = "b"
start = "500ms"
run   = ["try_read_lock lease=10s", "read_unlock"]
)"},
  };
  for (const auto& [lie, story] : stories) {
    const std::string option = "[options]\nlie = \"" + std::string(lie) + "\"\n";
    EXPECT_EQ(complaints(told_of(planted("lying-readwrite"), R"(violates = "truthful-answers")",
                                 std::string(story) + option)),
              "")
        << lie;
    EXPECT_EQ(complaints(told_of("readwrite", R"(holds = "truthful-answers")", story)), "") << lie;
  }
}

TEST(PlantedBug, ARefusedAcquisitionThatWasKeptIsALie) {
  constexpr std::string_view unacknowledged = R"(
[redis]
replicas = 1
[[client]]
name = "a"
run  = ["try_lock lease=10s", "unlock"]
[[fault]]
cut = ["n1", "n1-replica-1"]
[options]
wait_replicas = 1
)";
  EXPECT_EQ(complaints(told_of("plain/wait-uncompensated", R"(violates = "truthful-answers")",
                               unacknowledged)),
            "");
  EXPECT_EQ(complaints(told_of("plain", R"(holds = "truthful-answers")", unacknowledged)), "");
}

TEST(PlantedBug, AnExtensionThatAMinorityGrantedIsALie) {
  constexpr std::string_view one_node_extends = R"(
[redis]
masters = 3
[[client]]
name = "a"
run  = ["lock lease=5s", "extend lease=20s", "unlock"]
[[fault]]
drop  = "extend"
to    = "n1"
times = 3
[[fault]]
drop  = "extend"
to    = "n2"
times = 3
)";
  EXPECT_EQ(complaints(told_of("redlock/extension-by-any", R"(violates = "truthful-answers")",
                               one_node_extends)),
            "");
  // The sound one raises an error, and so tells nothing that could be untrue.
  EXPECT_EQ(complaints(told_of("redlock", R"(holds = "truthful-answers")", one_node_extends)),
            "unknown");
}

constexpr std::string_view takes_the_last = R"(
[[client]]
name = "a"
run  = ["try_set_permits permits=2", "try_acquire permits=2", "release permits=2"]
)";

TEST(PlantedBug, ASemaphoresLieIsFoundToo) {
  EXPECT_EQ(complaints(told_of("semaphore", R"(holds = "truthful-answers")", takes_the_last)), "");
  for (const char* variant : {"/keeps-last", "/sets-nothing", "/denies"}) {
    EXPECT_EQ(complaints(told_of(planted("lying-semaphore") + variant,
                                 R"(violates = "truthful-answers")", takes_the_last)),
              "");
  }
}

constexpr std::string_view set_again = R"(
[[client]]
name = "a"
run  = ["try_set_count count=2", "sleep 5ms", "count_down", "count_down", "await wait=1s", "try_set_count count=1"]
[[client]]
name  = "b"
start = "2ms"
run   = ["await wait=1s"]
)";

TEST(PlantedBug, ALatchThatCannotBeSetAgainIsALie) {
  EXPECT_EQ(complaints(told_of("latch", R"(holds = ["truthful-answers", "latch"])", set_again)),
            "");
  EXPECT_EQ(complaints(told_of(planted("lying-latch/stays-at-zero"),
                               R"(violates = "truthful-answers")", set_again)),
            "");
}

// -- liveness --

TEST(PlantedBug, ASemaphoreThatIsGoneWithItsLastPermitHasLostThem) {
  EXPECT_EQ(complaints(told_of(planted("lying-semaphore/forgets"), R"(violates = "permits")",
                               takes_the_last)),
            "");
}

/// b asks for all permits, and c, who would be served with the one that is left, waits behind b.
constexpr std::string_view one_wants_all = R"(
[[client]]
name = "a"
run  = ["acquire permits=2", "sleep 20s", "release permits=2"]
[[client]]
name  = "b"
start = "1s"
run   = ["acquire permits=3", "release permits=3"]
[[client]]
name  = "c"
start = "2s"
run   = ["acquire permits=1", "release permits=1"]
[[client]]
name  = "d"
start = "2s"
run   = ["try_acquire permits=1 wait=1s", "release permits=1"]
)";

TEST(PlantedBug, AFairSemaphoreThatIsStuckLosesAWakeup) {
  constexpr std::string_view holds = R"(holds = ["permits", "truthful-answers", "no-lost-wakeup"])";
  constexpr std::string_view breaks = R"(violates = "no-lost-wakeup")";
  EXPECT_EQ(complaints(told_of(planted("fair-permits"), holds, one_wants_all)), "");
  EXPECT_EQ(complaints(told_of(planted("fair-permits/stuck"), breaks, one_wants_all)), "");
  // A lock that doesn't say that it serves in order is held to serving whomever it can.
  EXPECT_EQ(complaints(told_of(planted("fair-permits/unsaid"), breaks, one_wants_all)), "");
}

TEST(SoundLock, HasPermitsThatEndedWhileItsServerStoodStill) {
  constexpr std::string_view one_dies_with_all = R"(
[[client]]
name = "c"
run  = ["acquire permits=3", "crash"]
[[client]]
name  = "d"
start = "32s"
run   = ["acquire permits=3", "release permits=3"]
[[fault]]
pause = "n1"
at    = "29s"
for   = "4s"
)";
  const ScenarioOutcome outcome =
      run(told_of(planted("ending-permits"), R"(holds = "truthful-answers")", one_dies_with_all));
  EXPECT_EQ(outcome.kind, OutcomeKind::as_expected)
      << (outcome.complaints.empty() ? "unknown" : outcome.complaints.front());
}

/// Two count_downs at once, each by a GET and a SET.
constexpr std::string_view counted_down_at_once = R"(
[[client]]
name = "a"
run  = ["try_set_count count=2", "await"]
[[client]]
name  = "b"
count = 2
start = "100ms"
run   = ["count_down"]
[limits]
horizon = "1m"
)";

TEST(PlantedBug, ALatchThatLosesACountDownStaysShutForWhoPolls) {
  EXPECT_EQ(complaints(told_of(planted("lying-latch/polls-and-loses"), R"(violates = "latch")",
                               counted_down_at_once)),
            "");
  EXPECT_EQ(
      complaints(told_of("latch", R"(holds = ["latch", "no-lost-wakeup"])", counted_down_at_once)),
      "");
}

TEST(PlantedBug, ALatchThatLosesACountDownStaysShut) {
  constexpr std::string_view one_waits = R"(
[[client]]
name = "a"
run  = ["try_set_count count=2", "sleep 5ms", "count_down", "count_down", "await"]
[[client]]
name  = "b"
start = "2ms"
run   = ["await"]
)";
  EXPECT_EQ(
      complaints(told_of(planted("lying-latch/loses-one"), R"(violates = "latch")", one_waits)),
      "");
  EXPECT_EQ(complaints(told_of("latch", R"(holds = ["latch", "no-lost-wakeup"])", one_waits)), "");
}

struct LostWakeUp {
  std::string_view sound;
  std::string_view planted;  ///< of locks/: what gives back tells nobody who waits
  std::string_view story;
};

const std::vector<LostWakeUp>& lost_wake_ups() {
  static const std::vector<LostWakeUp> all = {
      {"semaphore", "lying-semaphore/tells-nobody", R"(
[[client]]
name = "a"
run  = ["try_set_permits permits=1", "acquire", "sleep 5s", "release"]
[[client]]
name  = "b"
start = "1s"
run   = ["acquire", "release"]
)"},
      {"latch", "lying-latch/opens-in-silence", R"(
[[client]]
name = "a"
run  = ["try_set_count count=1", "sleep 5s", "count_down"]
[[client]]
name  = "b"
start = "1s"
run   = ["await"]
)"},
      {"fair", "silent-fair", R"(
[[client]]
name = "a"
run  = ["lock lease=5m", "sleep 5s", "unlock"]
[[client]]
name  = "b"
start = "1s"
run   = ["lock lease=10s", "unlock"]
)"},
      {"readwrite", "silent-readwrite/of-writers", R"(
[[client]]
name = "a"
run  = ["write_lock lease=5m", "sleep 5s", "write_unlock"]
[[client]]
name  = "b"
start = "1s"
run   = ["read_lock lease=10s", "read_unlock"]
)"},
      {"readwrite", "silent-readwrite/of-readers", R"(
[[client]]
name = "a"
run  = ["read_lock lease=5m", "sleep 5s", "read_unlock"]
[[client]]
name  = "b"
start = "1s"
run   = ["write_lock lease=10s", "write_unlock"]
)"},
  };
  return all;
}

TEST(PlantedBug, WhoGivesBackAndTellsNobodyLosesAWakeUp) {
  for (const LostWakeUp& each : lost_wake_ups()) {
    EXPECT_EQ(
        complaints(told_of(planted(each.planted), R"(violates = "no-lost-wakeup")", each.story)),
        "")
        << each.planted;
    EXPECT_EQ(complaints(told_of(each.sound, R"(holds = "no-lost-wakeup")", each.story)), "")
        << each.sound;
  }
}

TEST(PlantedBug, AThreadThatWaitsForItselfForEverIsADeadlock) {
  constexpr std::string_view locks_twice = R"(
[[client]]
name = "a"
run  = ["lock lease=10s", "lock lease=10s", "unlock", "unlock"]
)";
  EXPECT_EQ(
      complaints(told_of(planted("waits-for-itself"), R"(violates = "no-deadlock")", locks_twice)),
      "");
  EXPECT_EQ(complaints(told_of("plain", R"(holds = "no-deadlock")", locks_twice)), "");
  EXPECT_EQ(complaints(told_of("setnx", R"(holds = "no-deadlock")", locks_twice)), "");
}

}  // namespace
}  // namespace lockstep::search::planted_bugs
