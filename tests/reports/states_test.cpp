// What is told of everybody's state at each event, compared with what a run itself says there.
#include "reports/states/states.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "checker/history.h"
#include "model/engine/engine.h"
#include "reports/html/html_report.h"
#include "reports/states/event_words.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/runs/seed_runs.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::reports {
namespace {

struct SteppedScenario {
  search::ScenarioOutcome outcome;
  States states;
};

SteppedScenario stepped(const std::string& path) {
  model::Engine engine({support::script_folder()});
  const auto file = std::filesystem::path(source_folder()) / "scenarios" / path;
  search::ScenarioOutcome outcome = search::run_scenario(scenario::load_scenario(file), {}, engine);
  CapturedStates taken = capture_states(*outcome.scenario, outcome.example, engine);
  EXPECT_EQ(taken.difference, "");
  return {std::move(outcome), std::move(taken.states)};
}

/// The value of an item at an event; empty: it is not there.
std::string value_at(const States& states, EventIndex event, std::string_view subject,
                     std::string_view name_begins) {
  for (const StateLine& line : states.at(event)) {
    if (line.subject == subject && line.name.starts_with(name_begins)) return line.value;
  }
  return {};
}

const char* const varied[] = {
    "known-bugs/gc-pause.toml", "known-bugs/failover-before-replication.toml",
    "sentinel/failover-while-held.toml", "fair/dead-waiter.toml", "fair/threads.toml"};

TEST(States, OfThePauseSayWhoBelievesAndWhoHolds) {
  const auto [outcome, states] = stepped("known-bugs/gc-pause.toml");
  const auto violation = violation_event(outcome.example);
  ASSERT_TRUE(violation);
  EXPECT_EQ(value_at(states, *violation, "a", "process"), "paused");
  EXPECT_EQ(value_at(states, *violation, "a/1", "believes in"), "has it");
  EXPECT_EQ(value_at(states, *violation, "b/1", "believes in"), "has it");
  EXPECT_EQ(value_at(states, *violation, "lock lock", "truly held by"), "b/1 holds it");
  EXPECT_TRUE(value_at(states, *violation, "n1", "key ").starts_with("hash {"));
  EXPECT_EQ(value_at(states, 0, "n1", "key "), "");
}

TEST(States, AgreeWithTheEventsOfTheTrace) {
  for (const char* const path : varied) {
    SCOPED_TRACE(path);
    const auto [outcome, states] = stepped(path);
    const auto& trace = outcome.example.trace;
    std::map<std::string, std::string> processes;  // of hosts, as events tell
    std::map<std::string, bool> believes;          // of threads
    for (EventIndex i = 0; i < trace.events.size(); ++i) {
      const model::RecordedEvent& event = trace.events[i];
      if (event.actor == sim::no_actor) continue;
      const std::string& name = trace.actors[static_cast<std::uint32_t>(event.actor)].name;
      if (event.kind == "process-paused") processes[name] = "paused";
      if (event.kind == "process-resumed" || event.kind == "process-restarted") {
        processes[name] = "runs";
      }
      if (event.kind == "process-crashed") processes[name] = "crashed";
      if (event.kind == "belief-began") believes[name] = true;
      if (event.kind == "belief-ended") believes[name] = false;
      // Between two instants all of the first is told.
      const bool is_last = i + 1 == trace.events.size() || trace.events[i + 1].at > event.at;
      if (!is_last) continue;
      for (const auto& [host, state] : processes) {
        ASSERT_EQ(value_at(states, i, host, "process"), state) << host << " at " << i;
      }
      for (const auto& [thread, is_believed] : believes) {
        ASSERT_EQ(!value_at(states, i, thread, "believes in").empty(), is_believed)
            << thread << " at " << i;
      }
    }
  }
}

// The observer of locks and the look at the node's keys are two ways to the same truth.
TEST(States, OfAKeyAgreeWithWhoTrulyHoldsTheLock) {
  const auto [outcome, states] = stepped("known-bugs/gc-pause.toml");
  const auto& events = outcome.example.trace.events;
  std::size_t held = 0;
  for (EventIndex i = 0; i < events.size(); ++i) {
    const bool is_last = i + 1 == events.size() || events[i + 1].at > events[i].at;
    if (!is_last) continue;
    sim::TimeNs lease_ends_ns = -1;
    sim::TimeNs key_ends_ns = -1;
    for (const StateLine& line : states.at(i)) {
      if (line.name == "truly held by" && line.value != "free") lease_ends_ns = line.ends_ns;
      if (line.name == "key lock" && line.ends_ns > events[i].at) key_ends_ns = line.ends_ns;
    }
    ASSERT_EQ(lease_ends_ns, key_ends_ns) << "at " << i;
    if (lease_ends_ns >= 0) ++held;
  }
  EXPECT_GT(held, 10U);
}

TEST(States, AreTheSameEachTimeAndSorted) {
  const auto [one, states] = stepped("known-bugs/gc-pause.toml");
  const auto [other, again] = stepped("known-bugs/gc-pause.toml");
  EXPECT_EQ(states.changes, again.changes);
  EXPECT_EQ(states.values, again.values);
  for (std::size_t i = 1; i < states.changes.size(); ++i) {
    ASSERT_LE(states.changes[i - 1].event, states.changes[i].event);
  }
}

TEST(States, ChangesAddUpToWhatIsThere) {
  const auto [outcome, states] = stepped("known-bugs/gc-pause.toml");
  std::map<std::pair<std::string, std::string>, std::string> sum;
  for (EventIndex i = 0; i < outcome.example.trace.events.size(); ++i) {
    for (const StateLine& line : states.changed_at(i)) {
      if (line.value.empty()) {
        sum.erase({line.subject, line.name});
      } else {
        sum[{line.subject, line.name}] = line.value;
      }
    }
    std::map<std::pair<std::string, std::string>, std::string> there;
    for (const StateLine& line : states.at(i)) there[{line.subject, line.name}] = line.value;
    ASSERT_EQ(sum, there) << "at " << i;
  }
}

TEST(States, OfAnotherScenarioAreRefused) {
  auto [outcome, states] = stepped("known-bugs/gc-pause.toml");
  outcome.scenario->faults.clear();
  model::Engine engine({support::script_folder()});
  EXPECT_NE(capture_states(*outcome.scenario, outcome.example, engine).difference, "");
}

TEST(States, ClocksGoOnWithTheirDrift) {
  const ClockChange change{0, "a", 1'000, {5, 1'000'000}, {0, -1'000'000}};
  EXPECT_EQ(ahead_at(change, change.wall, 1'000), 5);
  EXPECT_EQ(ahead_at(change, change.wall, 4'000'500), 3'999'505);
  EXPECT_EQ(ahead_at(change, change.monotonic, 4'000'500), -3'999'500);
}

TEST(HtmlReport, GivesTheSameBytes) {
  const auto [outcome, states] = stepped("known-bugs/gc-pause.toml");
  const auto made = [&outcome = outcome, &states = states] {
    HtmlReport report;
    report.add(outcome, {}, &states);
    return report.text();
  };
  EXPECT_EQ(made(), made());
}

TEST(HtmlReport, LeavesOutRunsForWhichThereIsNoRoom) {
  const auto [outcome, states] = stepped("known-bugs/gc-pause.toml");
  const std::size_t events = outcome.example.trace.events.size();
  HtmlReport report({.events_max = events, .runs_max = 10});
  EXPECT_TRUE(report.has_room(events, search::OutcomeKind::as_expected));
  report.add(outcome, {}, &states);
  EXPECT_FALSE(report.has_room(events, search::OutcomeKind::as_expected));
  EXPECT_TRUE(report.has_room(events, search::OutcomeKind::not_as_expected));
}

}  // namespace
}  // namespace lockstep::reports
