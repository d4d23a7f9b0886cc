// What a timeline folds, and what it never does.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "checker/evidence.h"
#include "checker/verdict.h"
#include "reports/scene/scene_fold.h"
#include "reports/timeline/timeline.h"
#include "reports/timeline/timeline_causes.h"
#include "search/runs/scenario_outcome.h"
#include "tests/reports/trace_builder.h"

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

}  // namespace
}  // namespace lockstep::reports
