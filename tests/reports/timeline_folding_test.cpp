// What a timeline folds, what it never does, and what a reader who sees nothing but the picture
// must find in it: who wanted which lease, who cut it, what never arrived, all that went wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "reports/scene/scene.h"
#include "reports/scene/scene_fold.h"
#include "reports/timeline/timeline.h"
#include "reports/timeline/timeline_causes.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/runs/scenario_outcome.h"
#include "search/runs/seed_runs.h"
#include "tests/reports/trace_builder.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
using sim::Field;

std::vector<std::string> words_of_picture(const Timeline& timeline) {
  std::vector<std::string> words;
  for (const Text& text : timeline.picture.texts) words.push_back(text.text);
  return words;
}

bool is_said(const Timeline& timeline, std::string_view words) {
  const auto all = words_of_picture(timeline);
  return std::any_of(all.begin(), all.end(), [&](const std::string& each) {
    return each.find(words) != std::string::npos;
  });
}

/// A fault that strikes again and again, and much else in between.
struct RepeatedFault : testing::Test {
  test::TraceBuilder builder;
  sim::ActorId faults = builder.actor("faults", "faults", "faults");
  sim::ActorId a = builder.actor("a", "client", "a");
  sim::ActorId a1 = builder.actor("a/1", "client-thread", "a");
  sim::ActorId n1 = builder.actor("n1", "redis", "n1");
  sim::ActorId n2 = builder.actor("n1-replica-1", "redis", "n1");
  sim::ActorId resource = builder.actor("resource", "resource", "resource");

  void strike(int at_ms) {
    builder.at_us(at_ms * 1'000)
        .tell(faults, model_kind::fault_struck, Field("fault", 0),
              Field("what", "delay every replication"), Field("target", "n1"), Field("lasts", 1));
    builder.at_us(at_ms * 1'000 + 500)
        .tell(faults, model_kind::fault_ended, Field("fault", 0),
              Field("what", "delay every replication"));
  }

  void run_of(int strikes) {
    for (int i = 0; i < strikes; ++i) {
      strike(10 * i);
      if (i == strikes / 2) {
        builder.at_us(10'000 * i + 1'000).tell(n1, sim_kind::process_crashed);
        builder.at_us(10'000 * i + 2'000)
            .tell(n2, model_kind::node_promoted, Field("in_place_of", "n1"));
        builder.at_us(10'000 * i + 3'000)
            .tell(resource, model_kind::resource_written, Field("by", "a/1"), Field("version", 1),
                  Field("based_on", 0), Field("token", -1));
      }
    }
  }
};

TEST_F(RepeatedFault, IsOneSpanWithACount) {
  run_of(200);
  const search::RunRecord& example = builder.example();
  const Scene scene = make_scene(example);
  const auto of_fault = [](const Note& note) { return note.text.starts_with("delay every"); };
  EXPECT_EQ(std::count_if(scene.notes.begin(), scene.notes.end(), of_fault), 1);
  const auto note = std::find_if(scene.notes.begin(), scene.notes.end(), of_fault);
  EXPECT_EQ(note->text, "delay every replication (200 times, until 1,990.0 ms)");
  for (const char* const lane : {"faults", "n1"}) {
    const auto spans = std::count_if(scene.spans.begin(), scene.spans.end(), [&](const Span& span) {
      return span.kind == SpanKind::struck && scene.lanes[span.lane].name == lane;
    });
    EXPECT_EQ(spans, 1) << lane;
  }
}

TEST_F(RepeatedFault, IsToldOneByOneWhereItStrikesTwice) {
  run_of(2);
  const Scene scene = make_scene(builder.example());
  EXPECT_EQ(std::count_if(scene.notes.begin(), scene.notes.end(),
                          [](const Note& note) { return note.text == "delay every replication"; }),
            2);
}

TEST_F(RepeatedFault, HidesNoCrashNoPromotionAndNoWrite) {
  run_of(200);
  const search::RunRecord& example = builder.example();
  for (const std::size_t rows_max : {std::size_t{5}, std::size_t{12}, std::size_t{40}}) {
    TimelineOptions options;
    options.rows_max = rows_max;
    const Timeline timeline = layout({"", "", &example}, options);
    for (const std::string_view words : {"crashed", "becomes", "a/1 writes"}) {
      EXPECT_TRUE(is_said(timeline, words)) << words << " with " << rows_max << " rows";
    }
  }
}

TEST(FoldedRows, NeverHideWhatTheViolationConsistsOf) {
  const search::ScenarioOutcome outcome = test::pause_outcome();
  TimelineOptions options;
  options.rows_max = 5;
  const Timeline timeline = layout(timeline_subject(outcome, ""), options);
  for (const checker::Verdict& verdict : outcome.example.verdicts) {
    if (verdict.kind != checker::VerdictKind::violated) continue;
    for (const checker::Evidence& evidence : verdict.evidence) {
      const bool has_row = std::any_of(
          timeline.row_places.begin(), timeline.row_places.end(), [&](const TimelineRow& row) {
            return row.from_ns == evidence.from.at_ns && row.until_ns == row.from_ns;
          });
      EXPECT_TRUE(has_row) << evidence.what << " at " << evidence.from.at_ns;
    }
  }
}

TEST(FoldedLanes, AreThoseWithoutAPartInTheStory) {
  test::TraceBuilder builder;
  builder.actor("faults", "faults", "faults");
  builder.actor("a", "client", "a");
  const sim::ActorId a1 = builder.actor("a/1", "client-thread", "a");
  const sim::ActorId n1 = builder.actor("n1", "redis", "n1");
  const sim::ActorId dead = builder.actor("n1-replica-1", "redis", "n1");
  std::vector<sim::ActorId> idle = {builder.actor("n1-replica-2", "redis", "n1"),
                                    builder.actor("s1", "sentinel", "s1"),
                                    builder.actor("s2", "sentinel", "s2")};
  builder.tell(n1, model_kind::lock_changed, Field("lock", "lock"), Field("holders", "a/1:1"),
               Field("lease_ends_ns", 0), Field("cause", "acquire"), Field("by", "a/1"));
  builder.at_us(5'000).tell(dead, sim_kind::process_crashed);
  builder.at_us(6'000).tell(idle[1], model_kind::sentinel_event, Field("event", "+sdown"),
                            Field("about", "n1-replica-1"));
  builder.at_us(7'000).tell(a1, model_kind::belief_began, Field("lock", "lock"));
  const search::RunRecord& example = builder.example();
  Scene scene = make_scene(example);
  EXPECT_EQ(fold_lanes(scene, example.trace),
            (std::vector<std::string>{"n1-replica-2", "s1", "s2"}));
  ASSERT_TRUE(scene.folded_lanes);
  EXPECT_EQ(scene.lanes[*scene.folded_lanes].shown, "3 more");
  const bool is_crash_there = std::any_of(scene.notes.begin(), scene.notes.end(),
                                          [](const Note& note) { return note.text == "crashed"; });
  EXPECT_TRUE(is_crash_there);
}

TEST(Partitions, NameTheirSides) {
  test::TraceBuilder builder;
  builder.actor("faults", "faults", "faults");
  for (const char* const host : {"a", "b"}) {
    builder.actor(host, "client", host);
    builder.actor(std::string(host) + "/1", "client-thread", host);
  }
  builder.actor("n1", "redis", "n1");
  builder.actor("n2", "redis", "n2");
  for (const char* const one : {"a", "n1"}) {
    for (const char* const other : {"b", "n2"}) {
      builder.tell(sim::no_actor, sim_kind::network_cut, Field("one", one), Field("other", other));
    }
  }
  const Scene scene = make_scene(builder.example());
  ASSERT_EQ(scene.sides.size(), 2U);
  EXPECT_EQ(scene.sides[0].hosts, "a, n1");
  EXPECT_EQ(scene.sides[1].hosts, "b, n2");
  EXPECT_EQ(std::count_if(scene.notes.begin(), scene.notes.end(),
                          [](const Note& note) { return note.text == "cut off: side A"; }),
            2);
  const search::RunRecord& example = builder.example();
  EXPECT_TRUE(is_said(layout({"", "", &example}), "side B: b, n2"));
}

TEST(Legend, NamesWhoseColoursAreWhose) {
  const search::ScenarioOutcome outcome = test::pause_outcome();
  const Timeline timeline = layout(timeline_subject(outcome, ""));
  const auto words = words_of_picture(timeline);
  for (const char* const name : {"a/1", "b/1"}) {
    EXPECT_EQ(std::count(words.begin(), words.end(), name), 2) << name;  // its head, the legend
  }
}

TEST(Causes, AreMarkedWhereTheyHappen) {
  const search::ScenarioOutcome outcome = test::pause_outcome();
  Scene scene = make_scene(outcome.example);
  mark_causes(scene, outcome.example);
  const auto mark = std::find_if(scene.notes.begin(), scene.notes.end(), [](const Note& note) {
    return note.text.find("cause: ") != std::string::npos;
  });
  ASSERT_NE(mark, scene.notes.end());
  EXPECT_EQ(mark->text, "\u25c6 cause: a/1's lease ends here");
  EXPECT_EQ(scene.lanes[mark->lane].name, "n1");
}

const Note* note_that_says(const Scene& scene, std::string_view text) {
  const auto found = std::ranges::find_if(
      scene.notes, [&](const Note& note) { return note.text.find(text) != std::string::npos; });
  return found == scene.notes.end() ? nullptr : &*found;
}

/// Two clients and two nodes that count.
struct StoryOfTwoNodes : testing::Test {
  test::TraceBuilder builder;
  sim::ActorId a = builder.actor("a", "client", "a");
  sim::ActorId a1 = builder.actor("a/1", "client-thread", "a");
  sim::ActorId b = builder.actor("b", "client", "b");
  sim::ActorId b1 = builder.actor("b/1", "client-thread", "b");
  sim::ActorId n1 = builder.actor("n1", "redis", "n1");
  sim::ActorId n2 = builder.actor("n2", "redis", "n2");

  void execute(int at_ms, sim::ActorId node, std::string_view by, std::string_view label,
               std::string_view arguments, std::string_view reply, int writes) {
    builder.at_us(at_ms * 1'000)
        .tell(node, model_kind::command_executed, Field("label", label), Field("command", "EVAL"),
              Field("arguments", arguments), Field("reply", reply), Field("on_behalf_of", by),
              Field("writes", writes));
  }
  /// With a message that asks for it and one that answers.
  void exchange(int at_ms, sim::ActorId node, std::string_view by, std::string_view label,
                std::string_view arguments, std::string_view reply, int writes) {
    const sim::ActorId client = by == "a/1" ? a : b;
    const sim::ActorId thread = by == "a/1" ? a1 : b1;
    builder.at_us(at_ms * 1'000 - 500);
    const auto request = builder.send(client, node, label, thread);
    builder.at_us(at_ms * 1'000).arrives(request, node);
    execute(at_ms, node, by, label, arguments, reply, writes);
    const auto answer = builder.send(node, client, "reply to " + std::string(label), thread);
    builder.at_us(at_ms * 1'000 + 500).arrives(answer, client);
  }
};

// -- leases --

TEST_F(StoryOfTwoNodes, TellsWhoCutsAnothersLeaseAndEndsItsBarThere) {
  for (const sim::ActorId node : {n1, n2}) exchange(1, node, "a/1", "set", "lock 2000 a", "OK", 1);
  for (const sim::ActorId node : {n1, n2}) {
    exchange(3'000, node, "b/1", "set", "lock 60000 b", "OK", 1);
  }
  exchange(4'000, n1, "a/1", "pexpire", "lock 2000", "1", 1);
  exchange(9'000, n1, "b/1", "release", "lock b", "(nil)", 1);  // the key expires as it is read
  exchange(9'000, n2, "b/1", "release", "lock b", "1", 1);
  const Scene scene = make_scene(builder.example());
  const Note* const cut = note_that_says(scene, "a/1 cuts b/1's lease: until 6,000 ms");
  ASSERT_NE(cut, nullptr);
  EXPECT_EQ(scene.lanes[cut->lane].name, "n1");
  EXPECT_EQ(cut->tone, Tone::bad);
  EXPECT_EQ(cut->kind, NoteKind::lease_cut);
  std::vector<sim::TimeNs> ends;  // of b's bars, by node
  for (const Bar& bar : scene.bars) {
    if (bar.owner != std::optional<LaneIndex>(1) || scene.lanes[bar.lane].name == "b/1") continue;
    ASSERT_TRUE(bar.until);
    ends.push_back(end_of(bar, builder.example().trace));
  }
  EXPECT_EQ(ends,
            (std::vector<sim::TimeNs>{6'000 * sim::millisecond_ns, 9'000 * sim::millisecond_ns}));
  const auto replies_with = [&](std::string_view label) {
    return std::ranges::count_if(scene.flights, [&](const Flight& flight) {
      return flight.is_reply && flight.label == label;
    });
  };
  EXPECT_EQ(replies_with("set b/1's lease"), 1);
  EXPECT_EQ(replies_with("released"), 1);
}

TEST_F(StoryOfTwoNodes, TellsWhoSetsAnothersLeaseOfALockOnOneNode) {
  const auto change = [&](int at_ms, std::string_view by, int until_ms, std::string_view cause) {
    builder.at_us(at_ms * 1'000)
        .tell(n1, model_kind::lock_changed, Field("lock", "lock"), Field("holders", "b/1:1"),
              Field("lease_ends_ns", until_ms * sim::millisecond_ns), Field("cause", cause),
              Field("by", by));
  };
  change(1, "b/1", 60'000, "acquire");
  change(10, "b/1", 61'000, "renewal");
  change(20, "a/1", 2'020, "renewal");
  change(30, "a/1", 90'000, "renewal");
  const Scene scene = make_scene(builder.example());
  EXPECT_NE(note_that_says(scene, "lease of b/1 renewed"), nullptr);
  const Note* const cut = note_that_says(scene, "a/1 cuts b/1's lease");
  ASSERT_NE(cut, nullptr);
  EXPECT_EQ(cut->tone, Tone::bad);
  const Note* const set = note_that_says(scene, "a/1 sets b/1's lease");
  ASSERT_NE(set, nullptr);
  EXPECT_EQ(set->tone, Tone::plain);
}

TEST_F(StoryOfTwoNodes, CountsTriesOfWhoHasItWithoutKnowing) {
  exchange(1, n1, "a/1", "set", "lock a NX PX 9000", "OK", 1);
  exchange(1, n2, "a/1", "set", "lock a NX PX 9000", "OK", 1);
  exchange(100, n1, "a/1", "set", "lock a2 NX PX 9000", "(nil)", 0);
  const Scene scene = make_scene(builder.example());
  const Note* const refused = note_that_says(scene, "a/1 has it already");
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->kind, NoteKind::refused_attempt);
  EXPECT_EQ(refused->actor, "a/1");
  EXPECT_TRUE(std::ranges::any_of(scene.flights,
                                  [](const Flight& flight) { return flight.label == "refused"; }));
}

// -- what never arrived --

TEST_F(StoryOfTwoNodes, CrossesWhatIsStillUnderWayAsTheRunEnds) {
  const auto slants = [&] {
    const search::RunRecord& example = builder.example();
    return std::ranges::count_if(
        layout({"", "", &example}).picture.background, [](const auto& shape) {
          const Line* line = std::get_if<Line>(&shape);
          return line != nullptr && line->from.x != line->to.x && line->from.y != line->to.y;
        });
  };
  builder.at_us(1'000).tell(a1, model_kind::step_invoked, Field("step", "extend lease=10s"));
  const auto none = slants();
  builder.send(a, n1, "extend", a1);
  builder.at_us(9'000).tell(a1, model_kind::step_completed, Field("step", "extend"),
                            Field("outcome", "ok"));
  EXPECT_EQ(slants() - none, 2);  // a cross
}

// -- what struck --

TEST_F(StoryOfTwoNodes, NamesFaultsOfOneInstantThatDifferInOneWordTogether) {
  const sim::ActorId faults = builder.actor("faults", "faults", "faults");
  int number = 0;
  const auto strike = [&](const char* what) {
    builder.tell(faults, model_kind::fault_struck, Field("fault", number++), Field("what", what),
                 Field("target", "n1"), Field("lasts", 0));
  };
  strike("cut a off from n1 from the start");
  strike("crash n2");
  strike("cut a off from n2 from the start");
  strike("cut b off from n3 from the start");
  strike("cut a off from n3 from the start");
  builder.at_us(1'000);
  strike("crash n1");
  std::vector<std::string> told;
  for (const Note& note : make_scene(builder.example()).notes) {
    if (note.tone == Tone::fault && !note.text.empty()) told.push_back(note.text);
  }
  EXPECT_EQ(told,
            (std::vector<std::string>{"cut a off from n1, n2 and n3 from the start", "crash n2",
                                      "cut b off from n3 from the start", "crash n1"}));
}

/// What struck explains more than who believed what.
TEST_F(StoryOfTwoNodes, ShowsTheOnlyStrikeHoweverFewRowsThereAre) {
  const sim::ActorId faults = builder.actor("faults", "faults", "faults");
  for (int i = 0; i < 30; ++i) {
    builder.at_us(1'000 * i).tell(a1, model_kind::step_invoked, Field("step", "write"));
    if (i == 15) {
      builder.at_us(15'500).tell(faults, model_kind::fault_struck, Field("fault", 0),
                                 Field("what", "pause a for 11s"), Field("target", "a"),
                                 Field("lasts", 0));
    }
  }
  for (int i = 0; i < 8; ++i) {
    builder.at_us(40'000 + 1'000 * i).tell(b1, model_kind::belief_began, Field("lock", "lock"));
    builder.at_us(40'500 + 1'000 * i)
        .tell(b1, model_kind::belief_ended, Field("lock", "lock"), Field("why", "released"));
  }
  builder.at_us(50'000).tell(a1, model_kind::client_failed, Field("error", "the bad end"));
  const search::RunRecord& example = builder.example();
  TimelineOptions options;
  options.rows_max = 5;
  const Timeline timeline = layout({"", "", &example}, options);
  EXPECT_EQ(std::ranges::count_if(timeline.row_places,
                                  [](const TimelineRow& row) {
                                    return row.from_ns == 15'500'000 && row.until_ns == row.from_ns;
                                  }),
            1);
}

// -- what went wrong --

TEST_F(StoryOfTwoNodes, MarksEachInvalidGrant) {
  for (const int at_ms : {10, 20, 30}) {
    builder.at_us(at_ms * 1'000).tell(a1, model_kind::step_invoked, Field("step", "lock"));
  }
  builder.at_us(40'000);
  search::RunRecord example = builder.example();
  checker::Verdict verdict{};
  verdict.property = checker::Property::valid_grant;
  verdict.kind = checker::VerdictKind::violated;
  verdict.summary = "a/1 was granted lock \"lock\"; 3 such grants in all";
  const checker::NameId who = example.judged->names.intern("a/1");
  for (const int at_ms : {10, 20, 30}) {
    const std::string truth = at_ms == 30 ? "b/1 held it" : "nobody held it";
    verdict.evidence.push_back({"a/1 was granted lock \"lock\", but in truth " + truth, who,
                                checker::Moment{at_ms * sim::millisecond_ns, 0}, std::nullopt});
  }
  example.verdicts = {verdict};
  const Scene scene = make_scene(example);
  std::vector<std::pair<sim::TimeNs, std::string>> marks;
  for (const Note& note : scene.notes) {
    if (note.tone == Tone::bad) {
      marks.emplace_back(example.trace.events[note.event].at / sim::millisecond_ns, note.text);
    }
  }
  EXPECT_EQ(marks, (std::vector<std::pair<sim::TimeNs, std::string>>{
                       {10, "\u2717 valid-grant: in truth nobody held it"},
                       {20, "\u2717 valid-grant: in truth nobody held it"},
                       {30, "\u2717 valid-grant: in truth b/1 held it"}}));
}

TEST(FoldedLanes, AreNeverThoseThatDecideWhoIsPromoted) {
  test::TraceBuilder builder;
  builder.actor("a", "client", "a");
  builder.actor("a/1", "client-thread", "a");
  builder.actor("n1", "redis", "n1");
  const sim::ActorId replica = builder.actor("n1-replica-1", "redis", "n1");
  builder.actor("n1-replica-2", "redis", "n1");
  const sim::ActorId leader = builder.actor("s1", "sentinel", "s1");
  builder.actor("s2", "sentinel", "s2");
  builder.actor("s3", "sentinel", "s3");
  builder.at_us(1'000).tell(leader, model_kind::sentinel_event, Field("event", "+elected-leader"),
                            Field("about", "n1"));
  builder.at_us(2'000).tell(replica, model_kind::node_promoted, Field("in_place_of", "n1"));
  const search::RunRecord& example = builder.example();
  Scene scene = make_scene(example);
  EXPECT_EQ(std::ranges::count(scene.kept, 1 * sim::millisecond_ns), 1);
  EXPECT_EQ(fold_lanes(scene, example.trace),
            (std::vector<std::string>{"n1", "n1-replica-2", "s2", "s3"}));
}

/// How slow a node is shows in nothing but its head.
TEST_F(StoryOfTwoNodes, ShowsANodeThatIsUnlikeTheOthersThoughNothingIsDrawnThere) {
  builder.actor("n3", "redis", "n3");
  exchange(1, n1, "a/1", "set", "lock 2000 a", "OK", 1);
  exchange(1, n2, "a/1", "set", "lock 2000 a", "OK", 1);
  const search::RunRecord& example = builder.example();
  const auto shows_n3 = [&](const TimelineSubject& subject, const TimelineOptions& options = {}) {
    return std::ranges::count(layout(subject, options).picture.texts, "n3", &Text::text) > 0;
  };
  const TimelineSubject slow{"", "", &example, {{"n3", "1,200 ms a hop"}}};
  EXPECT_TRUE(shows_n3(slow));
  EXPECT_FALSE(shows_n3({"", "", &example, {}}));
  TimelineOptions options;
  options.view.lanes = {"a", "n1"};
  EXPECT_FALSE(shows_n3(slow, options));
  Scene scene = make_scene(example);
  for (Lane& lane : scene.lanes) {
    if (lane.name == "n3") lane.remark = "1,200 ms a hop";
  }
  const auto folded = fold_lanes(scene, example.trace);
  EXPECT_EQ(std::ranges::count(folded, "n3"), 0);
}

// -- what is never folded --

std::vector<std::string> words_of_known_bug(const char* known_bug) {
  const std::filesystem::path root = std::filesystem::path(source_folder()) / "scenarios";
  model::Engine engine({support::script_folder()});
  const auto outcome =
      search::run_scenario(scenario::load_scenario(root / "known-bugs" / known_bug), {}, engine);
  std::vector<std::string> words;
  for (const Text& text : layout(timeline_subject(outcome, "")).picture.texts) {
    words.push_back(text.text);
  }
  return words;
}

std::string all_of(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& each : words) all += (all.empty() ? "" : " ") + each;
  return all;
}

TEST(StoriesInFull, ShowWhichLeaseWasWantedByWhom) {
  struct Wanted {
    const char* known_bug;
    std::vector<std::string> steps;
  };
  for (const Wanted& wanted : std::vector<Wanted>{
           {"delayed-restart-after-extension.toml", {"lock lease=10s", "extend lease=1m"}},
           {"extension-by-any-node.toml", {"lock lease=10s", "extend lease=10s"}},
           {"short-first-lease.toml",
            {"try_lock wait=1m lease=2s", "try_lock wait=1m lease=1m"}}}) {
    const std::string words = all_of(words_of_known_bug(wanted.known_bug));
    for (const std::string& step : wanted.steps) {
      EXPECT_NE(words.find(step), std::string::npos) << step << " in " << wanted.known_bug;
    }
  }
}

TEST(StoriesInFull, ShowOnWhichNodesTheLeaseWasCut) {
  const std::string words = all_of(words_of_known_bug("short-first-lease.toml"));
  EXPECT_NE(words.find("a/1 cuts b/1's lease: until 35,002.6 ms"), std::string::npos) << words;
  EXPECT_NE(words.find("cause: a/1 cuts b/1's lease from 31,001.3 ms to 2,000.3 ms"),
            std::string::npos)
      << words;
}

/// Of a majority, at the node that turned the scale.
TEST(StoriesInFull, MarkTheCauseAtTheNodeThatActed) {
  const std::filesystem::path root = std::filesystem::path(source_folder()) / "scenarios";
  model::Engine engine({support::script_folder()});
  const auto outcome = search::run_scenario(
      scenario::load_scenario(root / "known-bugs" / "set-after-release.toml"), {}, engine);
  Scene scene = make_scene(outcome.example);
  mark_causes(scene, outcome.example);
  const Note* const cause = note_that_says(scene, "cause: a/1 leaves this behind");
  const Note* const majority = note_that_says(scene, "has a majority of nodes, unnoticed");
  ASSERT_NE(cause, nullptr);
  ASSERT_NE(majority, nullptr);
  const auto& events = outcome.example.trace.events;
  EXPECT_EQ(events[cause->event].at, events[majority->event].at);
  EXPECT_EQ(scene.lanes[cause->lane].name, "n2");
}

TEST(StoriesInFull, ShowWhichNodeAnExtensionReached) {
  const std::string words = all_of(words_of_known_bug("extension-by-any-node.toml"));
  const bool is_told = words.find("1 renewal of a/1 at n3") != std::string::npos ||
                       words.find("a/1 keeps this node until") != std::string::npos;
  EXPECT_TRUE(is_told) << words;
}

}  // namespace
}  // namespace lockstep::reports
