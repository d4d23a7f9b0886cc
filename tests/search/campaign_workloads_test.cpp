// The workloads of every lock: they can be read, and are drawn from what the lock is and offers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "checker/property.h"
#include "model/engine/engine.h"
#include "model/lock/lock_package.h"
#include "model/lock/usage.h"
#include "scenario/faults/fault_choice.h"
#include "scenario/file/scenario_file.h"
#include "scenario/file/write_scenario.h"
#include "scenario/options.h"
#include "scenario/scenario.h"
#include "scenario/step_forms.h"
#include "scenario/steps.h"
#include "scenario/text/input_error.h"
#include "search/campaign/campaign.h"
#include "search/campaign/permit_probe.h"
#include "search/campaign/workloads.h"
#include "tests/search/drawn_workloads.h"
#include "tests/support/script_folder.h"

namespace lockstep::search::campaign_workloads {
namespace {

TEST(CampaignWorkloads, AreFilesThatComeBackAsTheyAre) {
  model::Engine engine({support::script_folder()});
  for (const std::string& name : locks(false)) {
    for (const Workload& workload : drawn_for(name, engine).workloads) {
      const scenario::Scenario scenario = scenario::parse_scenario("drawn.toml", workload.text);
      EXPECT_EQ(scenario::write_scenario(scenario),
                scenario::write_scenario(
                    scenario::parse_scenario("drawn.toml", scenario::write_scenario(scenario))))
          << workload.text;
      EXPECT_EQ(scenario.lock, name);
    }
  }
}

TEST(CampaignWorkloads, MostKeepTheRulesAndEachHasAName) {
  model::Engine engine({support::script_folder()});
  for (const std::string& name : locks(false)) {
    std::set<std::string> names;
    std::size_t keeping = 0;
    const Drawn drawn = drawn_for(name, engine);
    for (const Workload& workload : drawn.workloads) {
      names.insert(workload.name);
      keeping += workload.breaks.empty() ? 1U : 0U;
    }
    EXPECT_EQ(names.size(), drawn.workloads.size()) << name;
    EXPECT_GT(2 * keeping, drawn.workloads.size()) << name;
    EXPECT_TRUE(drawn.workloads.front().breaks.empty()) << name;
  }
}

bool judges(const scenario::Scenario& scenario, checker::Property property) {
  const auto& holds = scenario.expect.holds;
  return std::find(holds.begin(), holds.end(), property) != holds.end();
}

bool may_write(const scenario::ThreadSpec& thread) {
  const std::vector<scenario::Step>& steps =
      thread.generate ? thread.generate->possible : thread.steps;
  return std::any_of(steps.begin(), steps.end(), [](const scenario::Step& step) {
    return step.kind == scenario::StepKind::write;
  });
}

// In a queue stand two only where a third has the lock, and harm takes two who write.
TEST(CampaignWorkloads, HaveThreadsEnoughToPutToTheTestWhatTheyJudge) {
  model::Engine engine({support::script_folder()});
  for (const std::string& name : locks(false)) {
    for (const Workload& workload : drawn_for(name, engine).workloads) {
      const scenario::Scenario scenario = scenario::parse_scenario("drawn.toml", workload.text);
      std::size_t threads = 0;
      std::size_t writers = 0;
      for (const scenario::ClientSpec& client : scenario.clients) {
        threads += client.threads.size();
        writers += static_cast<std::size_t>(
            std::count_if(client.threads.begin(), client.threads.end(), may_write));
      }
      SCOPED_TRACE(name + ": " + workload.name);
      if (judges(scenario, checker::Property::fifo)) {
        EXPECT_GE(threads, 3U);
      }
      if (judges(scenario, checker::Property::harm)) {
        EXPECT_GE(writers, 2U);
      }
    }
  }
}

TEST(CampaignWorkloads, TakeTheirTimesFromTheLock) {
  model::Engine engine({support::script_folder()});
  Drawn drawn = drawn_for("plain", engine);
  const auto text_of = [&](std::string_view name) {
    const auto all = workloads_of(drawn.lock, drawn.offered);
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Workload& each) { return each.name == name; });
    return found == all.end() ? std::string() : found->text;
  };
  EXPECT_NE(text_of("the watchdog").find("\"3s..75s\""), std::string::npos)
      << text_of("the watchdog");
  (*drawn.lock.options)["watchdog_lease_ms"] = std::int64_t{3000};
  EXPECT_NE(text_of("the watchdog").find("\"300ms..7.5s\""), std::string::npos)
      << text_of("the watchdog");
}

const Workload* find(const std::vector<Workload>& workloads, std::string_view name) {
  const auto found = std::find_if(workloads.begin(), workloads.end(),
                                  [&](const Workload& each) { return each.name == name; });
  return found == workloads.end() ? nullptr : &*found;
}

TEST(CampaignWorkloads, AreWeightedAndHaveOptionsAsTheLockSays) {
  model::Engine engine({support::script_folder()});
  Drawn drawn = drawn_for("plain", engine);
  drawn.lock.contract.drift_ppm = 250;
  drawn.lock.search_plan.weights = {{"contention", 3, {}, 0, 0}, {"many clients", 0, {}, 0, 0}};
  drawn.lock.search_plan.options = {{{"wait_replicas", std::int64_t{0}}},
                                    {{"wait_replicas", std::int64_t{1}}}};
  const std::vector<Workload> planned = workloads_of(drawn.lock, drawn.offered, "plain");
  EXPECT_EQ(planned.size() + 1, drawn.workloads.size());
  EXPECT_EQ(find(planned, "many clients"), nullptr);
  ASSERT_NE(find(planned, "contention"), nullptr);
  EXPECT_EQ(find(planned, "contention")->weight, 3U);
  std::set<std::int64_t> values;
  for (const Workload& each : planned) {
    const scenario::Scenario parsed = scenario::parse_scenario("w.toml", each.text);
    EXPECT_EQ(parsed.declared_drift_ppm, 250);
    values.insert(std::get<std::int64_t>(parsed.options.at("wait_replicas")));
  }
  EXPECT_EQ(values, (std::set<std::int64_t>{0, 1}));

  const std::vector<CampaignPart> parts = parts_of(drawn.lock, planned);
  const Rota rota(parts);
  std::map<std::string, int> turns;
  for (std::uint64_t batch = 0; batch < 1000; ++batch) ++turns[parts[rota.part_of(batch)].workload];
  EXPECT_GT(turns["contention"], 2 * turns["waits that end"]);
}

// The commonest uses come first in the list, those that break a rule last: neither waits for the
// other, nor for faults.
TEST(CampaignWorkloads, AreBegunAtBothEnds) {
  model::Engine engine({support::script_folder()});
  const Drawn drawn = drawn_for("plain", engine);
  const std::vector<CampaignPart> parts = parts_of(drawn.lock, drawn.workloads);
  std::vector<std::string> listed;
  for (const CampaignPart& part : parts) {
    if (part.tier == Tier::without_faults) listed.push_back(part.workload);
  }
  ASSERT_GT(listed.size(), 4U);
  const std::vector<std::string> expected = {listed.front(), listed.back(), listed[1],
                                             listed[listed.size() - 2]};
  const Rota rota(parts);
  for (std::uint64_t i = 0; i < expected.size(); ++i) {
    const CampaignPart& without = parts[rota.part_of(2 * i)];
    EXPECT_EQ(without.workload, expected[i]);
    EXPECT_EQ(without.tier, Tier::without_faults);
    const CampaignPart& with = parts[rota.part_of(2 * i + 1)];
    EXPECT_EQ(with.workload, expected[i]);
    EXPECT_EQ(with.tier, Tier::within_contract);
  }
}

// Whether a lock survives a failover is what everybody asks: one strange topology is not the
// answer.
TEST(CampaignWorkloads, AreFailedOverInEachTopology) {
  model::Engine engine({support::script_folder()});
  const Drawn drawn = drawn_for("plain", engine);
  std::set<std::string> failed_over;
  for (const CampaignPart& part : parts_of(drawn.lock, drawn.workloads)) {
    if (part.against == model::Assumption::writes_survive) failed_over.insert(part.workload);
  }
  for (const char* const topology : {"cluster", "replicas", "sentinel"}) {
    EXPECT_EQ(failed_over.erase(topology), 1U) << topology;
  }
  EXPECT_EQ(failed_over.size(), 1U) << "a master that comes back by itself";
}

TEST(CampaignWorkloads, HaveEachOfTheFaultsThatAreNamed) {
  model::Engine engine({support::script_folder()});
  const Drawn drawn = drawn_for("plain", engine);
  scenario::FaultChoice named;
  named.only = {scenario::FaultKind::crash, scenario::FaultKind::restart};
  std::size_t with_faults = 0;
  for (const CampaignPart& part : parts_of(drawn.lock, drawn.workloads, named)) {
    if (part.tier != Tier::within_contract) continue;
    ++with_faults;
    const scenario::Scenario scenario = scenario::parse_scenario("s.toml", part.text);
    for (const scenario::FaultKind kind : named.only) {
      EXPECT_TRUE(scenario.open_faults->allows(kind)) << part.workload;
    }
  }
  EXPECT_EQ(with_faults, drawn.workloads.size());
}

TEST(CampaignWorkloads, BeginWithTheFaultsThatWereAskedAfter) {
  model::Engine engine({support::script_folder()});
  const Drawn drawn = drawn_for("plain", engine);
  scenario::FaultChoice failovers;
  failovers.only = {scenario::FaultKind::promote, scenario::FaultKind::lag};
  const std::vector<CampaignPart> parts = parts_of(drawn.lock, drawn.workloads, failovers);
  const Rota rota(parts);
  EXPECT_EQ(parts[rota.part_of(0)].tier, Tier::without_faults);
  EXPECT_EQ(parts[rota.part_of(1)].against, model::Assumption::writes_survive);
}

TEST(CampaignWorkloads, ThatThereAreNotCannotBeWeighted) {
  model::Engine engine({support::script_folder()});
  Drawn drawn = drawn_for("plain", engine);
  drawn.lock.search_plan.weights = {{"contentoin", 3, "lock.toml", 9, 1}};
  try {
    static_cast<void>(workloads_of(drawn.lock, drawn.offered, "plain"));
    FAIL() << "nothing was wrong with it";
  } catch (const scenario::InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("lock.toml:9:1: error: unknown workload 'contentoin'; did you mean "
                        "'contention'?"),
              std::string::npos)
        << text;
  }
}

TEST(CampaignWorkloads, ThatBreakARuleExpectOnlyWhatDoesNotNeedIt) {
  model::Engine engine({support::script_folder()});
  const Drawn drawn = drawn_for("plain", engine);
  const Workload* const forced = find(drawn.workloads, "forced releases");
  ASSERT_NE(forced, nullptr);
  const scenario::Scenario parsed = scenario::parse_scenario("w.toml", forced->text);
  const auto& holds = parsed.expect.holds;
  EXPECT_EQ(std::count(holds.begin(), holds.end(), checker::Property::mutual_exclusion), 0);
  EXPECT_EQ(std::count(holds.begin(), holds.end(), checker::Property::no_leak), 1);
}

const Workload& named(const Drawn& drawn, std::string_view name) {
  return *find(drawn.workloads, name);
}

// Who waits longer than others breaks no rule where nobody stands in a queue, and outwaits a lease
// that nobody renews any more.
TEST(CampaignWorkloads, AskForEqualWaitsWhereThereIsAQueue) {
  model::Engine engine({support::script_folder()});
  const Drawn plain = drawn_for("plain", engine);
  EXPECT_TRUE(named(plain, "waits that end").breaks.empty());
  EXPECT_NE(named(plain, "waits that end").text.find("try_lock wait=30s..1m"), std::string::npos)
      << named(plain, "waits that end").text;
  const Drawn fair = drawn_for("fair", engine);
  EXPECT_EQ(named(fair, "waits that end").breaks, std::vector{model::Usage::equal_waits});
}

// What an inner release leaves of the lease is used up, and judged.
TEST(CampaignWorkloads, UseUpALeaseAfterAnInnerHold) {
  model::Engine engine({support::script_folder()});
  const Drawn plain = drawn_for("plain", engine);
  EXPECT_TRUE(named(plain, "no lease inside one").breaks.empty());
  EXPECT_NE(named(plain, "no lease inside one").text.find("\"sleep 27s..33.75s\""),
            std::string::npos)
      << named(plain, "no lease inside one").text;
}

// Another thread of the client asks for the shorter lease meanwhile, which is nothing to the
// holder.
TEST(CampaignWorkloads, AskForAShorterLeaseBesideALongerOne) {
  model::Engine engine({support::script_folder()});
  for (const char* const lock : {"plain", "fenced", "readwrite"}) {
    const Drawn drawn = drawn_for(lock, engine);
    const scenario::Scenario longer =
        scenario::parse_scenario("w.toml", named(drawn, "a longer lease inside").text);
    EXPECT_EQ(longer.clients.front().threads.size(), 2U) << lock;
    EXPECT_TRUE(judges(longer, checker::Property::mutual_exclusion)) << lock;
  }
}

const CampaignPart& part_of(const std::vector<CampaignPart>& parts, std::string_view workload) {
  return *std::find_if(parts.begin(), parts.end(),
                       [&](const CampaignPart& part) { return part.workload == workload; });
}

bool contains(const std::vector<checker::Property>& properties, checker::Property property) {
  return std::find(properties.begin(), properties.end(), property) != properties.end();
}

// That one sleeps past its lease excuses what breaks for it, and nothing else.
TEST(CampaignWorkloads, ThatOversleepAreJudgedByWhatTheyDoToOthers) {
  model::Engine engine({support::script_folder()});
  const Drawn plain = drawn_for("plain", engine);
  const std::vector<CampaignPart> parts = parts_of(plain.lock, plain.workloads);
  const CampaignPart& sleeping = part_of(parts, "oversleeping");
  EXPECT_TRUE(contains(sleeping.judged, checker::Property::mutual_exclusion));
  EXPECT_TRUE(contains(sleeping.limits_untold, checker::Property::mutual_exclusion));
  EXPECT_FALSE(contains(sleeping.limits_untold, checker::Property::no_leak));
  const CampaignPart& forcing = part_of(parts, "forced releases");
  EXPECT_FALSE(contains(forcing.judged, checker::Property::mutual_exclusion));
  EXPECT_TRUE(part_of(parts, "contention").limits_untold.empty());
}

// One message that is lost is an error then, which a lock has to live with.
TEST(CampaignWorkloads, AskOnceWhereTheLockAsksAgain) {
  model::Engine engine({support::script_folder()});
  Drawn drawn = drawn_for("plain", engine);
  for (const char* const name : {"asked once", "renewals asked once"}) {
    const scenario::Scenario asked = scenario::parse_scenario("w.toml", named(drawn, name).text);
    EXPECT_EQ(std::get<std::int64_t>(asked.options.at("retry_attempts")), 0);
  }
  for (const char* const lock : {"setnx", "semaphore", "latch"}) {
    EXPECT_NE(find(drawn_for(lock, engine).workloads, "asked once"), nullptr) << lock;
  }
  EXPECT_EQ(find(drawn_for("setnx", engine).workloads, "renewals asked once"), nullptr);
  (*drawn.lock.options)["retry_attempts"] = std::int64_t{0};
  EXPECT_EQ(find(workloads_of(drawn.lock, drawn.offered, "plain"), "asked once"), nullptr);
}

TEST(CampaignWorkloads, TryForALockThatItsHolderMayNotTakeAgain) {
  model::Engine engine({support::script_folder()});
  EXPECT_NE(find(drawn_for("setnx", engine).workloads, "tried by who has it"), nullptr);
  EXPECT_EQ(find(drawn_for("plain", engine).workloads, "tried by who has it"), nullptr);
}

TEST(CampaignWorkloads, HaveNoLeaseThatOutlastsAPlaceInTheQueue) {
  model::Engine engine({support::script_folder()});
  EXPECT_NE(named(drawn_for("fair", engine), "leases for long").text.find("lease=2m..4m"),
            std::string::npos);
  EXPECT_NE(named(drawn_for("plain", engine), "leases for long").text.find("lease=2m..8m"),
            std::string::npos);
}

// A queue alone is kept by the clocks of those who stand in it, as a rule.
TEST(CampaignWorkloads, GiveClientsDifferentClocks) {
  model::Engine engine({support::script_folder()});
  for (const char* const lock : {"plain", "fair", "readwrite", "redlock", "multi", "semaphore"}) {
    SCOPED_TRACE(lock);
    const Drawn drawn = drawn_for(lock, engine);
    const Workload* const different = find(drawn.workloads, "different clocks");
    ASSERT_NE(different, nullptr);
    EXPECT_EQ(different->breaks, std::vector{model::Usage::clocks_agree});
    std::set<sim::DurationNs> offsets;
    const scenario::Scenario parsed = scenario::parse_scenario("w.toml", different->text);
    for (const scenario::ClientSpec& client : parsed.clients) offsets.insert(client.wall_offset_ns);
    EXPECT_EQ(offsets.size(), 3U);
    // Who waits until another's clock is over must come to that within the run.
    EXPECT_LT(*offsets.rbegin() - *offsets.begin(), parsed.horizon_ns);
    EXPECT_TRUE(judges(parsed, drawn.lock.promises.front()));
    EXPECT_EQ(judges(parsed, checker::Property::no_lost_wakeup),
              lock != std::string("fair") &&
                  std::count(drawn.lock.promises.begin(), drawn.lock.promises.end(),
                             checker::Property::no_lost_wakeup) == 1);
    EXPECT_FALSE(judges(parsed, checker::Property::fifo));
  }
}

TEST(CampaignWorkloads, AskForOnePermitOfMembersUnlessMoreAreGranted) {
  model::Engine engine({support::script_folder()});
  const std::string folder = source_folder() + "/tests/search/locks/ending-permits";
  scenario::Scenario named;
  named.lock = folder;
  const model::LockPackage lock = model::load_lock(named, {support::script_folder()});
  const std::vector<scenario::StepKind> offered = engine.offered(lock);
  EXPECT_EQ(probe_permits(engine, lock, offered, {"w.toml", folder}).count, 3);
  const auto most_asked_for = [&](PermitsAtOnce permits) {
    std::int64_t most = 0;
    for (const Workload& each : workloads_of(lock, offered, folder, permits)) {
      const scenario::Scenario parsed = scenario::parse_scenario("w.toml", each.text);
      for (const scenario::ClientSpec& client : parsed.clients) {
        for (const scenario::ThreadSpec& thread : client.threads) {
          scenario::visit_possible_steps(
              thread, [&](const scenario::Step& step) { most = std::max(most, step.amount); });
          if (thread.generate) most = std::max<std::int64_t>(most, thread.generate->amount_max);
        }
      }
    }
    return most;
  };
  EXPECT_EQ(most_asked_for({}), 1);
  EXPECT_EQ(most_asked_for({3}), 3);
}

TEST(CampaignWorkloads, TakeNoNumberOfPermitsForMembers) {
  model::Engine engine({support::script_folder()});
  const Drawn drawn = drawn_for("semaphore", engine);
  EXPECT_EQ(probe_permits(engine, drawn.lock, drawn.offered, {"w.toml", "semaphore"}).count, 1);
}

// Each of those only where the lock offers what it is about.
TEST(CampaignWorkloads, GoToTheEdgesOfWhatALockOffers) {
  model::Engine engine({support::script_folder()});
  const std::map<std::string, std::set<std::string>> edges = {
      {"plain", {"one lock left beside another"}},
      {"fair", {"one lock left beside another", "different waits", "coming back at once"}},
      {"setnx", {"one lock inside another"}},
      {"redlock", {"one lock inside another", "late extensions"}},
      {"multi", {"one lock left beside another", "together inside one", "oversleeping together"}}};
  const std::set<std::string> all = {"one lock left beside another", "different waits",
                                     "one lock inside another",      "late extensions",
                                     "together inside one",          "oversleeping together",
                                     "coming back at once"};
  for (const auto& [lock, expected] : edges) {
    std::set<std::string> seen;
    for (const Workload& each : drawn_for(lock, engine).workloads) {
      if (all.contains(each.name)) seen.insert(each.name);
    }
    EXPECT_EQ(seen, expected) << lock;
  }
}

}  // namespace
}  // namespace lockstep::search::campaign_workloads
