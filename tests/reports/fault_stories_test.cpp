// For each kind of fault a story in scenarios/faults: there it strikes, the trace shows it, the
// timeline draws it, and without it the run is another. Then what is said of locks with a mistake
// of their own.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "checker/property.h"
#include "model/engine/engine.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause.h"
#include "reports/scene/scene.h"
#include "reports/text.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/runs/outline.h"
#include "search/runs/run_record.h"
#include "search/runs/seed_runs.h"
#include "tests/reports/lost_lock.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
using sim::Field;

constexpr std::size_t lines_max = 60;

std::filesystem::path story_of(const scenario::FaultForm& form) {
  std::string name(form.word);
  std::replace(name.begin(), name.end(), '_', '-');
  return std::filesystem::path(source_folder()) / "scenarios" / "faults" / (name + ".toml");
}

std::vector<const model::RecordedEvent*> events_of(const search::RunRecord& example,
                                                   std::string_view kind, std::size_t fault) {
  std::vector<const model::RecordedEvent*> found;
  for (const model::RecordedEvent& event : example.trace.events) {
    const bool is_its =
        event.kind == kind && event.number("fault") == static_cast<std::int64_t>(fault);
    if (is_its) found.push_back(&event);
  }
  return found;
}

/// The story of one kind, prepared and run once.
class FaultStory : public testing::TestWithParam<scenario::FaultForm> {
 protected:
  void SetUp() override {
    const std::filesystem::path file = story_of(GetParam());
    ASSERT_TRUE(std::filesystem::exists(file))
        << "no story tells of the fault '" << GetParam().word << "'; expected " << file;
    scenario = scenario::load_scenario(file);
    const auto found =
        std::find_if(scenario.faults.begin(), scenario.faults.end(),
                     [](const scenario::FaultSpec& each) { return each.kind == GetParam().kind; });
    ASSERT_NE(found, scenario.faults.end()) << file << " is of something else";
    fault = static_cast<std::size_t>(found - scenario.faults.begin());
    simulation = engine.prepare(scenario);
    example = search::record_seed(*simulation, 1);
  }

  [[nodiscard]] const scenario::FaultSpec& spec() const { return scenario.faults[fault]; }

  model::Engine engine{{support::script_folder()}};
  scenario::Scenario scenario;
  std::size_t fault = 0;
  std::unique_ptr<model::Simulation> simulation;
  search::RunRecord example;
};

TEST_P(FaultStory, IsShort) {
  const auto lines = std::count(scenario.text.begin(), scenario.text.end(), '\n');
  EXPECT_LT(static_cast<std::size_t>(lines), lines_max);
}

TEST_P(FaultStory, StrikesAndShowsInTheTrace) {
  const auto struck = events_of(example, model::trace_kind::fault_struck, fault);
  ASSERT_FALSE(struck.empty());
  EXPECT_FALSE(struck.front()->text("what").empty());
  const auto ended = events_of(example, model::trace_kind::fault_ended, fault);
  const bool is_lasting = scenario::lasts(GetParam());
  EXPECT_EQ(struck.front()->number("lasts"), is_lasting ? 1 : 0);
  if (!is_lasting) {
    EXPECT_TRUE(ended.empty());
    return;
  }
  ASSERT_TRUE(spec().for_ns) << "a story tells how the fault ends, too";
  ASSERT_EQ(ended.size(), struck.size());
  EXPECT_EQ(ended.front()->at - struck.front()->at, *spec().for_ns);
}

TEST_P(FaultStory, IsDrawnInTheTimeline) {
  const Scene scene = make_scene(example);
  const auto struck = events_of(example, model::trace_kind::fault_struck, fault);
  ASSERT_FALSE(struck.empty());
  const std::string what = brief(struck.front()->text("what"), 120);
  const bool is_noted = std::any_of(scene.notes.begin(), scene.notes.end(), [&](const Note& note) {
    // Each host says to which side of a partition it belongs.
    const bool is_side = !scene.sides.empty() && note.text == "cut off: side A";
    const bool is_fault = scene.lanes[note.lane].kind == LaneKind::faults && note.text == what;
    return (is_side || is_fault) && note.tone == Tone::fault;
  });
  EXPECT_TRUE(is_noted) << what;
  if (!scenario::lasts(GetParam())) return;
  const bool has_span = std::any_of(scene.spans.begin(), scene.spans.end(), [&](const Span& span) {
    return span.until && example.trace.events[span.from].at == struck.front()->at &&
           example.trace.events[*span.until].at <= struck.front()->at + *spec().for_ns &&
           *span.until > span.from;
  });
  EXPECT_TRUE(has_span) << what;
}

TEST_P(FaultStory, IsAnotherWithoutIt) {
  scenario::Scenario without = scenario;
  without.faults.erase(without.faults.begin() + static_cast<std::ptrdiff_t>(fault));
  const auto other = engine.prepare(without);
  EXPECT_NE(search::record_seed(*other, 1).trace.hash, example.trace.hash);
}

INSTANTIATE_TEST_SUITE_P(Kinds, FaultStory,
                         testing::ValuesIn(scenario::fault_forms().begin(),
                                           scenario::fault_forms().end()),
                         [](const testing::TestParamInfo<scenario::FaultForm>& parameter) {
                           return std::string(parameter.param.word);
                         });

// -- without a fault: locks with a mistake of their own --

constexpr std::string_view of_served =
    "  redis.call('lpop', KEYS[2])\n"
    "  redis.call('zrem', KEYS[3], ARGV[2])\n";

/// Of a fair lock whose acquire leaves out one of the two lines for who is served.
std::vector<Cause> causes_with(std::string_view kept) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "lockstep-left-places";
  std::filesystem::create_directories(folder);
  std::ifstream file(support::script_folder() / "fair/acquire.lua");
  std::string script{std::istreambuf_iterator<char>(file), {}};
  const std::size_t begin = script.find(of_served);
  if (begin == std::string::npos) throw std::runtime_error("fair/acquire.lua has changed");
  script.replace(begin, of_served.size(), kept);
  std::ofstream(folder / "acquire.lua") << script;
  std::ofstream(folder / "lock.toml") << "title = \"t\"\nbase = \"fair\"\n"
                                         "[scripts]\nacquire = \"acquire.lua\"\n";
  model::Engine engine({support::script_folder()});
  const search::ScenarioOutcome outcome = search::run_scenario(
      scenario::parse_scenario("t.toml", "title = \"t\"\nlock = \"" + folder.string() +
                                             "\"\nexpect = { violates = \"no-leak\" }\n"
                                             "[redis]\nlatency = \"1ms\"\n"
                                             "[[client]]\nname = \"a\"\n"
                                             "run = [\"lock lease=5s\", \"sleep 1s\", \"unlock\"]\n"
                                             "[[client]]\nname = \"b\"\nstart = \"100ms\"\n"
                                             "run = [\"lock lease=5s\", \"unlock\"]\n"),
      {.first_seed = 1, .seeds = 1}, engine);
  std::filesystem::remove_all(folder);
  return causes_of(outcome.example, checker::Property::no_leak);
}

TEST(LeftPlaces, AreToldWithTheScriptThatGaveThem) {
  const std::vector<Cause> causes = causes_with("  redis.call('zrem', KEYS[3], ARGV[2])\n");
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::left_behind);
  EXPECT_EQ(causes[0].victim, "b/1");
  EXPECT_EQ(causes[0].says[0],
            "b/1's acquire, executed on n1 at 103 ms, gave b/1 a place in the queue, which it has "
            "still, though its unlock was over at 1,010 ms.");
}

TEST(LeftPlaces, ADeadlineIsToldWithTheScriptThatTookItsPlaceAway) {
  const std::vector<Cause> causes = causes_with("  redis.call('lpop', KEYS[2])\n");
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::left_behind);
  EXPECT_EQ(causes[0].victim, "b/1");
  EXPECT_EQ(causes[0].says[0],
            "b/1's acquire, executed on n1 at 1,007 ms, took b/1 out of the queue, and left its "
            "deadline.");
}

/// Why it broke that b tries to get what a has for 20 s, where this line of the textbook lock that
/// waits is another.
std::vector<Cause> causes_of_try(std::string_view try_lock, checker::Property broken,
                                 std::string_view line) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "lockstep-tries";
  std::filesystem::create_directories(folder);
  std::ifstream file(support::script_folder() / "setnx/client.lua");
  std::string script{std::istreambuf_iterator<char>(file), {}};
  constexpr std::string_view gives_up =
      "if left_ms <= 0 or not wait(lock, left_ms) then return false end";
  const std::size_t begin = script.find(gives_up);
  if (begin == std::string::npos) throw std::runtime_error("setnx/client.lua has changed");
  script.replace(begin, gives_up.size(), line);
  std::ofstream(folder / "client.lua") << script;
  std::ofstream(folder / "lock.toml")
      << "title = \"t\"\nbase = \"setnx\"\nclient = \"client.lua\"\n";
  std::string story = "title = \"t\"\nlock = \"" + folder.string();
  story += "\"\nexpect = { violates = \"" + std::string(checker::to_string(broken)) + "\" }\n";
  story +=
      "[redis]\nlatency = \"1ms\"\n"
      "[[client]]\nname = \"a\"\nrun = [\"lock\", \"sleep 20s\", \"unlock\"]\n"
      "[[client]]\nname = \"b\"\nstart = \"1s\"\n"
      "run = [\"" +
      std::string(try_lock) + "\", \"unlock\"]\n";
  model::Engine engine({support::script_folder()});
  const search::ScenarioOutcome outcome = search::run_scenario(
      scenario::parse_scenario("t.toml", story), {.first_seed = 1, .seeds = 1}, engine);
  std::filesystem::remove_all(folder);
  return causes_of(outcome.example, broken);
}

TEST(VainWait, OfOneThatOnlySubscribedIsOfOneThatAskedNobody) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.invoke(lost.b1, "lock");
  lost.builder.tell(lost.n1, model_kind::command_executed, Field("label", "subscribe"),
                    Field("command", "SUBSCRIBE"), Field("reply", "1"),
                    Field("on_behalf_of", "b/1"), Field("writes", 0));
  lost.builder.at_us(1'000);
  lost.lock_changes(lost.n1, "", "release", "a/1");
  lost.builder.at_us(9'000'000).tell(lost.b1, model_kind::client_logged, Field("text", "late"));
  EXPECT_EQ(lost.why(checker::Property::no_lost_wakeup, "b/1"),
            "Nobody had lock \"lock\" from 1 ms on, but b/1 had sent no request to acquire it.\n");
}

TEST(VainWait, BehindOneThatWaitsForItselfNamesIt) {
  LostLock lost;
  lost.invoke(lost.a1, "lock");
  lost.execute("acquire", "a/1");
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.tell(lost.a1, model_kind::belief_began, Field("lock", "lock"));
  lost.builder.at_us(1'000);
  lost.invoke(lost.a1, "lock");
  lost.invoke(lost.b1, "lock");
  lost.execute("acquire", "b/1");
  lost.builder.at_us(90'000'000).tell(lost.b1, model_kind::client_logged, Field("text", "late"));
  EXPECT_TRUE(tells(lost.why(checker::Property::no_deadlock, "b/1"),
                    "a/1 waited for itself: it had lock \"lock\" since 0 ms"));
}

TEST(LateReturn, IsNoWaiterThatNobodyWoke) {
  const std::vector<Cause> causes =
      causes_of_try("try_lock wait=2s", checker::Property::no_lost_wakeup, "wait(lock)");
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::late_return);
  EXPECT_EQ(causes[0].victim, "b/1");
  EXPECT_NE(causes[0].says[0].find("b/1's try_lock wait=2s, begun at 1,000 ms, was to end at "
                                   "3,000 ms, and its client model did not end it then"),
            std::string::npos)
      << causes[0].says[0];
}

TEST(EarlyReturn, IsToldWithWhatItWentBy) {
  const std::vector<Cause> causes =
      causes_of_try("try_lock wait=5s", checker::Property::truthful_answers, "do return false end");
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::answer_untrue);
  EXPECT_EQ(causes[0].victim, "b/1");
  ASSERT_GE(causes[0].says.size(), 2U);
  EXPECT_NE(causes[0].says[0].find("it was to wait for 5,000 ms"), std::string::npos)
      << causes[0].says[0];
  EXPECT_EQ(causes[0].says[1], "The call was its try_lock wait=5s.");
  EXPECT_NE(causes[0].says.back().find("It went by b/1's set, executed on n1"), std::string::npos)
      << causes[0].says.back();
}

/// What is said of an answer to a/1 that came with the trace's last event.
std::vector<std::string> explain_answer_to_a(LostLock& lost, checker::Moment invoked,
                                             std::string summary) {
  search::RunRecord example = lost.builder.example();
  checker::Verdict verdict{};
  verdict.property = checker::Property::truthful_answers;
  verdict.kind = checker::VerdictKind::violated;
  verdict.summary = std::move(summary);
  verdict.evidence = {{"", example.judged->names.intern("a/1"), invoked, lost.builder.moment()}};
  example.verdicts = {verdict};
  return explain(example);
}

TEST(UntrueAnswer, NamesTheRequest) {
  LostLock lost;
  lost.builder.at_us(1'000);
  lost.execute("read_release", "a/1");
  EXPECT_EQ(explain_answer_to_a(lost, {},
                                "a/1's release of \"lock\" answered yes, but it gave none back")[1],
            "It went by a/1's read_release, executed on n1 at 1 ms (the reply: 1).");
}

TEST(UntrueAnswer, OfAReleaseNamesWhatGaveBackWhatItDenies) {
  LostLock lost;
  lost.builder.at_us(1'000);
  lost.execute_on(lost.n1, "release", "a/1");
  lost.execute_on(lost.other, "release", "a/1");
  const std::vector<std::string> told = explain_answer_to_a(
      lost, {}, "a/1's release of \"lock\" answered no, but it gave a hold back");
  EXPECT_EQ(told.back(), "a/1's release, executed on n2 at 1 ms, gave it back.");
}

TEST(UntrueAnswer, OfAReleaseOfNothingIsNoHoldThatStayedLongBefore) {
  LostLock lost;
  lost.invoke(lost.a1, "lock");
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(1'000).tell(lost.a1, model::trace_kind::step_completed,
                                 sim::Field("step", "lock"), sim::Field("outcome", "fail"),
                                 sim::Field("detail", "no reply"));
  lost.builder.at_us(2'000);
  lost.lock_changes(lost.n1, "", "expiry", "");
  lost.builder.at_us(3'000);
  lost.execute("release", "a/1");
  EXPECT_EQ(explain_answer_to_a(lost, {2'500'000, lost.builder.moment().order - 1},
                                "a/1's release of \"lock\" answered yes, but it held the lock at "
                                "no instant meanwhile")
                .back(),
            "It went by a/1's release, executed on n1 at 3 ms (the reply: 1).");
}

/// What two clients want, of whom a has it as n1 is asked to end.
std::string why_after_a_shutdown(std::string_view lock, std::string_view broken) {
  std::string story = "title = \"t\"\nlock = \"" + std::string(lock);
  story += "\"\nexpect = { violates = \"" + std::string(broken) + "\" }\n";
  story +=
      "[[client]]\nname = \"a\"\nrun = [\"lock lease=30s\", \"write\", \"sleep 5s\", \"unlock\"]\n"
      "[[client]]\nname = \"b\"\nstart = \"1s\"\n"
      "run = [\"lock lease=30s\", \"write\", \"sleep 5s\", \"unlock\"]\n"
      "[[fault]]\nshutdown = \"n1\"\nat = \"2s\"\n[[fault]]\nrestart = \"n1\"\nat = \"3s\"\n";
  model::Engine engine({support::script_folder()});
  const search::ScenarioOutcome outcome = search::run_scenario(
      scenario::parse_scenario("t.toml", story), {.first_seed = 1, .seeds = 1}, engine);
  EXPECT_EQ(outcome.complaints, std::vector<std::string>());
  std::string why;
  for (const std::string& sentence : explain(outcome.example)) why += sentence + " ";
  return why;
}

TEST(FaultStories, ANodeThatWasAskedToEndIsNotToldToHaveCrashed) {
  const std::string lost = why_after_a_shutdown("setnx", "mutual-exclusion");
  EXPECT_NE(lost.find("n1 was shut down at 2,000 ms, and a/1's lock with it"), std::string::npos)
      << lost;
  EXPECT_EQ(lost.find("crashed"), std::string::npos) << lost;
  const std::string untold = why_after_a_shutdown("fair", "no-lost-wakeup");
  EXPECT_NE(untold.find("ended as n1 was shut down at 2,000 ms"), std::string::npos) << untold;
  EXPECT_EQ(untold.find("crashed"), std::string::npos) << untold;
}

}  // namespace

// Causes that were tested by running without the faults that a violation does not need.

namespace {

using checker::Property;

/// The lost reply makes a's acquire run twice, so that its release leaves a hold; that two believe
/// at once is of the pause alone.
constexpr const char* two_faults = R"(
title  = "A lost reply, and a pause"
lock   = "plain"
expect = { violates = ["mutual-exclusion", "hold-count"] }
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "unlock"]
[[client]]
name  = "b"
start = "5ms"
run   = ["lock lease=10s", "write", "unlock"]
[[fault]]
drop = "reply to acquire"
to   = "a"
[[fault]]
pause = "a"
when  = "a read"
for   = "15s"
)";

search::ScenarioOutcome outcome_of(const std::string& text, search::SeedRunOptions::Needs needs) {
  model::Engine engine({support::script_folder()});
  return search::run_scenario(scenario::parse_scenario("t.toml", text),
                              {.first_seed = 1, .seeds = 1, .interrupted = nullptr, .needs = needs},
                              engine);
}

bool has(const std::vector<Cause>& causes, CauseKind kind) {
  return std::any_of(causes.begin(), causes.end(),
                     [kind](const Cause& cause) { return cause.kind == kind; });
}

TEST(TestedCauses, LeaveOutWhatAFaultDidThatTheViolationDoesNotNeed) {
  const search::ScenarioOutcome outcome =
      outcome_of(two_faults, search::SeedRunOptions::Needs::found_out);
  const std::vector<Cause> causes = causes_of(outcome.example, Property::mutual_exclusion);
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::lease_ended) << causes[0].says[0];
  EXPECT_FALSE(has(causes, CauseKind::executed_twice));
  EXPECT_TRUE(causes[0].is_tested);
}

TEST(TestedCauses, KeepWhatAnotherViolationNeeds) {
  const search::ScenarioOutcome outcome =
      outcome_of(two_faults, search::SeedRunOptions::Needs::found_out);
  const std::vector<Cause> causes = causes_of(outcome.example, Property::hold_count);
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::executed_twice) << causes[0].says[0];
  EXPECT_TRUE(has(causes_of(outcome), CauseKind::executed_twice));
  EXPECT_TRUE(has(causes_of(outcome), CauseKind::lease_ended));
}

/// A request that ran twice is no reason of a lease's end, whether anybody tried or not.
TEST(TestedCauses, SayWhereNobodyTried) {
  const search::ScenarioOutcome outcome =
      outcome_of(two_faults, search::SeedRunOptions::Needs::left_open);
  const std::vector<Cause> causes = causes_of(outcome.example, Property::mutual_exclusion);
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::lease_ended);
  EXPECT_FALSE(causes[0].is_tested);
}

/// One message lost is enough, and a/1's release, which sends it, is there with the message or
/// without it.
TEST(TestedCauses, GoWithTheMessageThatWasLost) {
  const search::ScenarioOutcome outcome = outcome_of(R"(
title  = "A message to a waiter is lost"
lock   = "plain"
expect = { violates = "no-lost-wakeup" }
[[client]]
name = "a"
run  = ["lock lease=60s", "sleep 2s", "unlock"]
[[client]]
name  = "b"
start = "1s"
run   = ["lock lease=60s", "unlock"]
[[fault]]
drop = "message"
to   = "b"
)",
                                                     search::SeedRunOptions::Needs::found_out);
  const std::vector<Cause> causes = causes_of(outcome.example, Property::no_lost_wakeup);
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::message_lost) << causes[0].says[0];
  EXPECT_TRUE(causes[0].is_tested);
}

/// a's forced release takes b's lock only as late as it comes; in time it is its own that it gives
/// back.
constexpr const char* late_delete = R"(
title  = "A late delete without a token"
lock   = "setnx/delete-without-token"
expect = { violates = "mutual-exclusion" }
[[client]]
name = "a"
run  = ["lock lease=2s", "unlock"]
[[client]]
name  = "b"
start = "2100ms"
run   = ["lock lease=10s", "sleep 2s", "write", "unlock"]
[[client]]
name  = "c"
start = "2600ms"
run   = ["lock lease=10s", "write", "unlock"]
[[fault]]
delay = "del"
from  = "a"
by    = "2500ms"
)";

TEST(TestedCauses, GoWhereAReleaseTakesFromAnother) {
  const search::ScenarioOutcome outcome =
      outcome_of(late_delete, search::SeedRunOptions::Needs::found_out);
  const std::vector<Cause> causes = causes_of(outcome.example, Property::mutual_exclusion);
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::removed) << causes[0].says[0];
  EXPECT_TRUE(causes[0].is_tested);
}

TEST(TestedCauses, AreNotWhatStaysWithoutTheViolation) {
  search::ScenarioOutcome outcome =
      outcome_of(late_delete, search::SeedRunOptions::Needs::found_out);
  const auto is_tested = [&] {
    return causes_of(outcome.example, Property::mutual_exclusion).front().is_tested;
  };
  ASSERT_TRUE(is_tested());
  for (search::RunWithFewerFaults& each : *outcome.example.with_fewer_faults) {
    if (each.property != Property::mutual_exclusion) continue;
    ASSERT_FALSE(each.unbroken.empty());
    each.unbroken.push_back(
        {std::make_shared<search::Outline>(search::outline_of(outcome.example.trace)), {}});
  }
  EXPECT_FALSE(is_tested()) << "it was all there, and nothing broke";
  for (search::RunWithFewerFaults& each : *outcome.example.with_fewer_faults) {
    each.unbroken.clear();
  }
  EXPECT_FALSE(is_tested()) << "no rerun was without the violation";
}

TEST(TestedCauses, AreNoneWithoutFaults) {
  const search::ScenarioOutcome outcome = outcome_of(R"(
title  = "A lease that is too short"
lock   = "plain"
expect = { violates = "mutual-exclusion" }
[[client]]
name = "a"
run  = ["lock lease=1s", "sleep 5s", "write", "unlock"]
[[client]]
name = "b"
run  = ["lock lease=30s", "sleep 5s", "write", "unlock"]
)",
                                                     search::SeedRunOptions::Needs::found_out);
  const std::vector<Cause> causes = causes_of(outcome.example, Property::mutual_exclusion);
  ASSERT_FALSE(causes.empty());
  EXPECT_FALSE(causes[0].is_tested);
}

TEST(TestedCauses, FaultsAreNeededByEachPropertyForItself) {
  const search::ScenarioOutcome outcome =
      outcome_of(two_faults, search::SeedRunOptions::Needs::found_out);
  const auto needed_by = [&](Property property) {
    for (const search::NeededFaults& each : outcome.needed) {
      if (each.property == property) return each.faults;
    }
    return std::vector<std::size_t>{99};
  };
  EXPECT_EQ(needed_by(Property::mutual_exclusion), std::vector<std::size_t>{1});
  EXPECT_EQ(needed_by(Property::hold_count), std::vector<std::size_t>{0});
}

}  // namespace

}  // namespace lockstep::reports
