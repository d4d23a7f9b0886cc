// How a timeline tells of locks that are no mutexes: readers, permits, counts, queues; and of all
// times at which two believe at once, whichever of them the verdict tells of.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "reports/drawing/palette.h"
#include "reports/scene/scene.h"
#include "reports/scene/scene_view.h"
#include "reports/timeline/hero.h"
#include "reports/timeline/mermaid.h"
#include "reports/timeline/timeline.h"
#include "reports/trace/lock_state.h"
#include "sim/time.h"
#include "tests/reports/trace_builder.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
using sim::Field;

/// Two threads of a client, and a node.
struct Story {
  test::TraceBuilder builder;
  sim::ActorId a1 = builder.actor("a/1", "client-thread", "a");
  sim::ActorId n1 = builder.actor("n1", "redis", "n1");

  /// What is written in the picture, a line for each text.
  std::string words() {
    const search::RunRecord& example = builder.example();
    std::string words;
    for (const Text& text : layout({"a title", "", &example}).picture.texts) {
      words += text.text + "\n";
    }
    return words;
  }

  void expect_says(std::string_view text) {
    EXPECT_NE(words().find(text), std::string::npos) << text << "\nin\n" << words();
  }
};

TEST(HoldersFrom, TellsReadersFromWriters) {
  const std::vector<Holder> holders = holders_from("a/1:1 a/1 reads:2 uuid:7:1 uuid:7 reads:3");
  const std::vector<Holder> expected = {
      {"a/1", 1, false}, {"a/1", 2, true}, {"uuid:7", 1, false}, {"uuid:7", 3, true}};
  EXPECT_EQ(holders, expected);
  EXPECT_EQ(holders_in_words(holders_from("a/1:1 b/1 reads:2")),
            "a/1 holds it, b/1 reads it twice");
}

TEST(TimelineShapes, ShowReaders) {
  Story told;
  told.builder.tell(told.a1, model_kind::belief_began, Field("lock", "lock"),
                    Field("mode", "shared"));
  told.builder.tell(told.n1, model_kind::lock_changed, Field("lock", "lock"),
                    Field("holders", "a/1 reads:1"), Field("lease_ends_ns", -1),
                    Field("cause", "acquire"), Field("by", "a/1"));
  told.expect_says("a/1 reads it\n");
  told.expect_says("\u2713 believes it may read");
}

TEST(TimelineShapes, EndTheBarOfAWriterThatReadMeanwhile) {
  Story told;
  const auto tell = [&](std::string_view kind, std::int64_t at_us, std::string_view mode) {
    told.builder.at_us(at_us).tell(told.a1, kind, Field("lock", "lock"), Field("why", "released"),
                                   Field("mode", mode));
  };
  tell(model_kind::belief_began, 1000, "");
  tell(model_kind::belief_began, 2000, "shared");
  tell(model_kind::belief_ended, 3000, "shared");
  tell(model_kind::belief_ended, 4000, "");
  const Scene scene = make_scene(told.builder.example());
  ASSERT_EQ(scene.bars.size(), 2U);
  EXPECT_EQ(scene.bars[0].until, EventIndex{3});
  EXPECT_EQ(scene.bars[1].until, EventIndex{2});
}

TEST(TimelineShapes, ShowPermitsAndCounts) {
  Story told;
  told.builder.tell(told.a1, model_kind::belief_began, Field("lock", "lock"), Field("permits", 2));
  told.builder.tell(told.n1, model_kind::number_changed, Field("lock", "lock"), Field("left", 3),
                    Field("by", "a/1"));
  told.builder.at_us(100).tell(told.n1, model_kind::number_changed, Field("lock", "lock"),
                               Field("left", -1), Field("by", "a/1"));
  told.expect_says("3 left\n");
  told.expect_says("the key is gone\n");
  told.expect_says("2 permits");
}

TEST(TimelineShapes, ShowTheQueue) {
  Story told;
  told.builder.tell(told.n1, model_kind::queue_changed, Field("lock", "lock"),
                    Field("owners", "b/1 c/1"), Field("by", "c/1"));
  told.builder.at_us(100).tell(told.n1, model_kind::queue_changed, Field("lock", "lock"),
                               Field("owners", ""), Field("by", "c/1"));
  told.expect_says("queue: b/1 c/1\n");
  told.expect_says("nobody queues\n");
}

// -- overlaps --

/// a and b believe at once from 20 ms to 50 ms, and from 80 ms to 90 ms.
class TwoOverlaps {
 public:
  explicit TwoOverlaps(std::string_view mode = {}, std::string_view threads = "1") {
    b_ = threads == "1" ? b1_ : a2_;
    begins(10, a1_, mode);
    begins(20, b_, mode);
    ends(50, a1_, mode);
    ends(60, b_, mode);
    begins(70, b_, mode);
    begins(80, a1_, mode);
    ends(90, a1_, mode);
    ends(100, b_, mode);
  }

  /// With a verdict that tells of the second overlap.
  search::RunRecord example(const char* first = "b/1", const char* second = "a/1") {
    search::RunRecord example = builder_.example();
    checker::Verdict verdict{};
    verdict.property = checker::Property::mutual_exclusion;
    verdict.kind = checker::VerdictKind::violated;
    verdict.summary = "b/1 and a/1 both believed";
    const auto believed = [&](const char* who, sim::TimeNs from, sim::TimeNs until) {
      verdict.evidence.push_back({"believed", example.judged->names.intern(who),
                                  checker::Moment{from, 0}, checker::Moment{until, 99}});
    };
    believed(first, 70 * sim::millisecond_ns, 100 * sim::millisecond_ns);
    believed(second, 80 * sim::millisecond_ns, 90 * sim::millisecond_ns);
    verdict.overlap_from_ns = 80 * sim::millisecond_ns;
    verdict.overlap_until_ns = 90 * sim::millisecond_ns;
    example.verdicts = {verdict};
    return example;
  }

 private:
  void begins(std::int64_t at_ms, sim::ActorId thread, std::string_view mode) {
    builder_.at_us(at_ms * 1'000);
    if (mode.empty()) {
      builder_.tell(thread, model_kind::belief_began, Field("lock", "lock"));
    } else {
      builder_.tell(thread, model_kind::belief_began, Field("lock", "lock"), Field("mode", mode));
    }
  }
  void ends(std::int64_t at_ms, sim::ActorId thread, std::string_view mode) {
    builder_.at_us(at_ms * 1'000);
    if (mode.empty()) {
      builder_.tell(thread, model_kind::belief_ended, Field("lock", "lock"),
                    Field("why", "released"));
    } else {
      builder_.tell(thread, model_kind::belief_ended, Field("lock", "lock"), Field("mode", mode),
                    Field("why", "released"));
    }
  }

  test::TraceBuilder builder_;
  sim::ActorId a_ = builder_.actor("a", "client", "a");
  sim::ActorId a1_ = builder_.actor("a/1", "client-thread", "a");
  sim::ActorId a2_ = builder_.actor("a/2", "client-thread", "a");
  sim::ActorId b_client_ = builder_.actor("b", "client", "b");
  sim::ActorId b1_ = builder_.actor("b/1", "client-thread", "b");
  sim::ActorId b_{};
};

/// How many bars are framed as those of two who believe at once.
std::size_t framed_in(const Picture& picture) {
  return static_cast<std::size_t>(std::ranges::count_if(picture.background, [](const auto& shape) {
    const Area* area = std::get_if<Area>(&shape);
    return area != nullptr && area->frame == palette::overlap && area->fill == Colour{};
  }));
}

std::size_t times_in(std::string_view part, std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(Overlaps, AreAllInTheSceneTheToldOneApart) {
  const Scene scene = make_scene(TwoOverlaps().example());
  ASSERT_TRUE(scene.overlap);
  EXPECT_EQ(scene.overlap->from_ns, 80 * sim::millisecond_ns);
  ASSERT_EQ(scene.other_overlaps.size(), 1U);
  EXPECT_EQ(scene.other_overlaps[0].from_ns, 20 * sim::millisecond_ns);
  EXPECT_EQ(scene.other_overlaps[0].until_ns, 50 * sim::millisecond_ns);
  EXPECT_EQ(contested_beliefs(scene).size(), 4U);
}

TEST(Overlaps, OfReadersAreNone) {
  EXPECT_TRUE(make_scene(TwoOverlaps("shared").example()).other_overlaps.empty());
}

TEST(Overlaps, OfThreadsOfOneOwnerAreNone) {
  EXPECT_TRUE(make_scene(TwoOverlaps("", "2").example("b", "a")).other_overlaps.empty());
  EXPECT_FALSE(make_scene(TwoOverlaps("", "2").example("a/2", "a/1")).other_overlaps.empty());
}

TEST(Overlaps, OfARunThatKeepsMutualExclusionAreNone) {
  search::RunRecord example = TwoOverlaps().example();  // as of a semaphore
  example.verdicts.clear();
  EXPECT_TRUE(make_scene(example).other_overlaps.empty());
}

TEST(Overlaps, AreHatchedWhereverTheVerdictTellsOfAnother) {
  const search::RunRecord example = TwoOverlaps().example();
  const TimelineSubject subject{"a title", "", &example, {}};
  constexpr std::size_t bars = 4;
  constexpr std::size_t told = 2;  // framed once more, and more strongly
  EXPECT_EQ(framed_in(layout(subject).picture), bars + told);
  EXPECT_EQ(framed_in(hero_layout(subject).picture), bars + told);
}

TEST(Overlaps, AreToldOneByOneInASequence) {
  const search::RunRecord example = TwoOverlaps().example();
  const std::string text = mermaid_of({"a title", "", &example, {}});
  EXPECT_EQ(times_in("both believe#58; 30 ms", text), 1U) << text;
  EXPECT_EQ(times_in("both believe#58; 10 ms", text), 1U) << text;
  EXPECT_EQ(times_in("rect rgb", text), 2U) << text;
}

TEST(Overlaps, OutOfViewAreNotShown) {
  const search::RunRecord example = TwoOverlaps().example();
  Scene scene = make_scene(example);
  SceneView view;
  view.from_ns = 40 * sim::millisecond_ns;
  view.until_ns = 70 * sim::millisecond_ns;
  narrow(scene, example.trace, view);
  EXPECT_FALSE(scene.overlap);
  ASSERT_EQ(scene.other_overlaps.size(), 1U);
  EXPECT_EQ(scene.other_overlaps[0].from_ns, 40 * sim::millisecond_ns);
  EXPECT_EQ(scene.other_overlaps[0].whole_ns, 30 * sim::millisecond_ns);
}

}  // namespace
}  // namespace lockstep::reports
