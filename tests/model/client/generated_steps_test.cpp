// Steps that are drawn: holds inside one another, leases that differ, times of all magnitudes.
#include "model/client/generated_steps.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/step_forms.h"
#include "scenario/steps.h"
#include "sim/seeded_choices.h"

namespace lockstep::test {
namespace {

constexpr std::uint64_t draws = 300;
constexpr sim::Stream stream{sim::Purpose::workload, 1};

/// What a thread draws with several seeds.
std::vector<std::vector<scenario::Step>> drawn(const std::string& lock,
                                               const std::string& generate) {
  const scenario::Scenario scenario = scenario::parse_scenario(
      "s.toml", "title = \"t\"\nlock = \"" + lock +
                    "\"\nexpect = { holds = \"harm\" }\n[[client]]\nname = \"a\"\n"
                    "[client.generate]\n" +
                    generate);
  std::vector<std::vector<scenario::Step>> all(draws);
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    sim::SeededChoices choices(seed + 1);
    model::draw_steps(scenario.clients.front().threads.front(), choices, stream, all[seed]);
  }
  return all;
}

std::string text_of(const std::vector<scenario::Step>& steps) {
  std::string text;
  for (const scenario::Step& step : steps) text += scenario::write_step(step, "lock") + "; ";
  return text;
}

TEST(GeneratedSteps, AWordMayHaveALeaseOfItsOwn) {
  std::map<bool, int> leased;
  for (const auto& steps :
       drawn("plain", "steps = 1\nmix = { lock = 1, \"lock lease=5s..6s\" = 1 }\n")) {
    ASSERT_EQ(steps.size(), 2U);
    ++leased[steps[0].lease_ns.has_value()];
    if (steps[0].lease_ns) {
      EXPECT_GE(*steps[0].lease_ns, 5 * sim::second_ns);
      EXPECT_LE(*steps[0].lease_ns, 6 * sim::second_ns);
    }
  }
  EXPECT_GT(leased[true], 100);
  EXPECT_GT(leased[false], 100);
}

TEST(GeneratedSteps, HoldsInsideOneAnotherAreUsedBetweenTakingAndGivingBack) {
  std::map<std::string, int> seen;
  for (const auto& steps :
       drawn("plain", "steps = 1\nmix = { lock = 1, write = 1 }\nhold = \"1s\"\nnesting = 2\n")) {
    ++seen[text_of(steps)];
  }
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_GT(seen["lock; write; sleep 1s; unlock; "], 100);
  EXPECT_GT(seen["lock; write; sleep 1s; lock; write; sleep 1s; unlock; write; sleep 1s; unlock; "],
            100);
}

TEST(GeneratedSteps, NobodyAsksForAShorterLeaseInsideAHold) {
  for (const auto& steps :
       drawn("plain",
             "steps = 1\nnesting = 4\n"
             "mix = { \"lock lease=1s..50s\" = 3, \"extend lease=1s..90s\" = 1 }\n")) {
    sim::DurationNs longest = 0;
    for (const scenario::Step& step : steps) {
      if (!step.lease_ns) continue;
      EXPECT_GE(*step.lease_ns, longest) << text_of(steps);
      longest = *step.lease_ns;
    }
  }
}

TEST(GeneratedSteps, WhoReadsNeverAsksToWriteAndWhoWritesMayGoOnAsAReader) {
  std::map<std::string, int> seen;
  for (const auto& steps :
       drawn("readwrite", "steps = 1\nmix = { read_lock = 1, write_lock = 1 }\nnesting = 3\n")) {
    ++seen[text_of(steps)];
    int reads = 0;
    for (const scenario::Step& step : steps) {
      if (step.kind == scenario::StepKind::read_lock) ++reads;
      if (step.kind == scenario::StepKind::read_unlock) --reads;
      if (step.kind == scenario::StepKind::write_lock) {
        EXPECT_EQ(reads, 0) << text_of(steps);
      }
    }
    EXPECT_EQ(reads, 0);
  }
  EXPECT_GT(seen["write_lock; read_lock; read_unlock; write_unlock; "], 0);
  EXPECT_GT(seen["write_lock; read_lock; write_unlock; read_unlock; "], 0);
}

TEST(GeneratedSteps, LocksInsideOneAnotherAreTakenInOneOrder) {
  bool has_both = false;
  for (const auto& steps : drawn("plain",
                                 "steps = 1\nmix = { lock = 1, write = 1 }\nnesting = 3\nlocks = "
                                 "[\"x\", \"y\", \"z\"]\n")) {
    std::map<std::string, int> held;
    std::string last;
    for (const scenario::Step& step : steps) {
      const std::string name = step.lock_names.empty() ? "" : step.lock_names.front();
      if (step.kind == scenario::StepKind::lock) {
        for (const auto& [other, count] : held) {
          if (count > 0 && held[name] == 0) {
            EXPECT_LT(other, name) << text_of(steps);
          }
          has_both |= count > 0 && other != name;
        }
        ++held[name];
        last = name;
      }
      if (step.kind == scenario::StepKind::unlock) --held[name];
      // With the token of the lock that protects what is written.
      if (step.kind == scenario::StepKind::write) {
        EXPECT_EQ(last, "x") << text_of(steps);
      }
    }
  }
  EXPECT_TRUE(has_both);
}

TEST(GeneratedSteps, ALogarithmicSpreadHasAsManyShortTimesAsLong) {
  std::array<int, 3> found{};
  for (const auto& steps :
       drawn("plain", "steps = 1\nmix = { lock = 1 }\nhold = \"1ms..1000s\"\nspread = \"log\"\n")) {
    ASSERT_EQ(steps.size(), 3U);
    const sim::DurationNs hold_ns = steps[1].duration_ns;
    EXPECT_GE(hold_ns, sim::millisecond_ns);
    EXPECT_LE(hold_ns, 1000 * sim::second_ns);
    ++found[hold_ns < 100 * sim::millisecond_ns ? 0 : hold_ns < 10 * sim::second_ns ? 1 : 2];
  }
  for (const int count : found) EXPECT_GT(count, 60);
}

TEST(GeneratedSteps, ALogarithmicSpreadReachesBothEnds) {
  std::map<sim::DurationNs, int> found;
  sim::SeededChoices choices(7);
  for (int i = 0; i < 1000; ++i) {
    ++found[model::draw_duration(choices, stream, {0, 5 * sim::millisecond_ns},
                                 scenario::Spread::log) /
            sim::millisecond_ns];
  }
  EXPECT_EQ(found.size(), 6U);
  EXPECT_EQ(found.begin()->first, 0);
  EXPECT_EQ(found.rbegin()->first, 5);
}

}  // namespace
}  // namespace lockstep::test
