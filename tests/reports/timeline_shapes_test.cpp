// How a timeline tells of locks that are no mutexes: readers, permits, counts, queues.
#include <gtest/gtest.h>

#include <string>

#include "reports/scene/scene.h"
#include "reports/timeline/timeline.h"
#include "reports/trace/lock_state.h"
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

}  // namespace
}  // namespace lockstep::reports
