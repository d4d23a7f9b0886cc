// The words of a timeline: what replies mean, what was folded, what broke; and where bars end.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "checker/evidence.h"
#include "checker/property.h"
#include "reports/scene/scene_replies.h"
#include "reports/scene/verdict_words.h"
#include "reports/timeline/fold_words.h"
#include "reports/timeline/hero.h"
#include "reports/timeline/mermaid.h"
#include "reports/timeline/timeline.h"
#include "reports/timeline/timeline_labels.h"
#include "tests/reports/picture_check.h"
#include "tests/reports/trace_builder.h"

namespace lockstep::reports {
namespace {

namespace words_kind = model::trace_kind;
using sim::Field;

// -- replies --

struct ReplyCase {
  CommandRole role;
  CommandEffect effect;
  std::string raw;
  bool had_it;
  std::string other;
  std::int64_t others_left_ms;
  std::string expected;  ///< empty: the raw reply
};

TEST(ReplyInWords, FollowsFromWhatChangedAndNotFromTheValue) {
  using Role = CommandRole;
  using Effect = CommandEffect;
  const std::vector<ReplyCase> cases = {
      {Role::asks, Effect::granted, "0", false, "", -1, "granted"},
      {Role::asks, Effect::granted_again, "(nil)", true, "", -1, "granted again"},
      {Role::asks, Effect::none, "4939", false, "a/1", 4'938, "refused, 4,939 ms left"},
      {Role::asks, Effect::none, "7800", false, "a/1", 2'900, "refused"},
      {Role::asks, Effect::none, "9", false, "a/1", -1, "refused"},
      {Role::asks, Effect::none, "OK", true, "", -1, ""},
      {Role::asks, Effect::none, "(nil)", true, "", -1, "refused"},
      {Role::gives_back, Effect::released, "9", true, "", -1, "released"},
      {Role::gives_back, Effect::released_once, "0", true, "", -1, "released once"},
      {Role::gives_back, Effect::none, "(nil)", false, "b/1", 100, "not held"},
      {Role::renews, Effect::renewed, "1", true, "", -1, "renewed"},
      {Role::renews, Effect::none, "0", false, "", -1, "not held"},
      {Role::unknown, Effect::none, "1", false, "a/1", 1, ""},
  };
  for (const ReplyCase& each : cases) {
    SCOPED_TRACE(each.raw + " → " + each.expected);
    Answer answer;
    answer.effect = each.effect;
    answer.raw = each.raw;
    answer.had_it = each.had_it;
    answer.other = each.other;
    answer.others_left_ms = each.others_left_ms;
    answer.is_reply_of_grants = answer.raw == "OK";
    EXPECT_EQ(reply_in_words(answer, each.role).value_or(""), each.expected);
  }
  Answer failed;
  failed.raw = "error: NOSCRIPT No matching script.";
  EXPECT_EQ(reply_in_words(failed, CommandRole::asks), std::nullopt);
  Answer on_a_copy;
  on_a_copy.raw = "(nil)";
  on_a_copy.has_written = on_a_copy.is_reply_of_grants = true;
  EXPECT_EQ(reply_in_words(on_a_copy, CommandRole::asks), "granted");
  EXPECT_EQ(reply_in_words(on_a_copy, CommandRole::renews), std::nullopt);
  Answer told;
  told.command = "PUBLISH";
  told.raw = "2";
  EXPECT_EQ(reply_in_words(told, CommandRole::unknown), "2 told");
}

TEST(CommandRoles, AreLearntFromEffectsAndUnknownWhereTheyContradict) {
  CommandRoles roles;
  roles.learn("take", CommandEffect::granted);
  roles.learn("take", CommandEffect::none);
  roles.learn("drop", CommandEffect::released);
  roles.learn("touch", CommandEffect::renewed);
  roles.learn("eval", CommandEffect::granted);
  roles.learn("eval", CommandEffect::released);
  roles.learn("get", CommandEffect::none);
  EXPECT_EQ(roles.of("take"), CommandRole::asks);
  EXPECT_EQ(roles.of("drop"), CommandRole::gives_back);
  EXPECT_EQ(roles.of("touch"), CommandRole::renews);
  for (const std::string_view label : {"eval", "get", "never seen"}) {
    EXPECT_EQ(roles.of(label), CommandRole::unknown) << label;
  }
}

/// Two clients and a node; a command's reply arrives at once.
struct Exchange {
  test::TraceBuilder builder;
  sim::ActorId a = builder.actor("a", "client", "a");
  sim::ActorId a1 = builder.actor("a/1", "client-thread", "a");
  sim::ActorId b = builder.actor("b", "client", "b");
  sim::ActorId b1 = builder.actor("b/1", "client-thread", "b");
  sim::ActorId n1 = builder.actor("n1", "redis", "n1");

  void call(std::int64_t at_us, sim::ActorId client, sim::ActorId thread, std::string_view by,
            std::string_view label, std::string_view reply, std::string_view holders = "?",
            std::int64_t writes = 0, const std::string& key = "lock") {
    const std::string arguments = key + " 10 x";
    builder.at_us(at_us);
    const auto request = builder.send(client, n1, label, thread);
    builder.at_us(at_us + 100).arrives(request, n1);
    builder.tell(n1, words_kind::command_executed, Field("label", label), Field("command", "EVAL"),
                 Field("arguments", arguments), Field("reply", reply), Field("on_behalf_of", by),
                 Field("writes", holders == "?" ? writes : 1));
    const auto answer = builder.send(n1, client, "reply to " + std::string(label), thread);
    if (holders != "?") {
      builder.tell(n1, words_kind::lock_changed, Field("lock", "lock"), Field("holders", holders),
                   Field("lease_ends_ns", 10'000'000'000),
                   Field("cause", holders.empty() ? "release" : "acquire"), Field("by", by));
    }
    builder.at_us(at_us + 200).arrives(answer, client);
  }
};

std::vector<std::string> reply_labels(const Scene& scene) {
  std::vector<std::string> labels;
  for (const Flight& flight : scene.flights) {
    if (flight.is_reply) labels.push_back(flight.label);
  }
  return labels;
}

TEST(TimelineWords, SayRepliesInWordsAndTheRawOnesWhenPointedAt) {
  Exchange told;
  told.call(1'000, told.a, told.a1, "a/1", "take", "55", "a/1:1");
  told.call(2'000, told.b, told.b1, "b/1", "take", "66");
  told.call(3'000, told.b, told.b1, "b/1", "look", "77");
  told.call(4'000, told.a, told.a1, "a/1", "drop", "88", "");
  told.call(5'000, told.a, told.a1, "a/1", "drop", "99");
  const search::RunRecord& example = told.builder.example();
  const Scene scene = make_scene(example);
  const std::vector<std::string> expected = {"granted", "refused", "77", "released", "not held"};
  EXPECT_EQ(reply_labels(scene), expected);
  std::string descriptions;
  for (const Arrow& arrow : layout({"", "", &example}).picture.arrows) {
    descriptions += arrow.description + "\n";
  }
  for (const std::string_view raw : {"55", "66", "77", "88", "99"}) {
    EXPECT_NE(descriptions.find(": " + std::string(raw) + "\n"), std::string::npos) << raw;
  }
}

/// A master that has been replaced executes what changes nothing of the lock, but its own copy.
TEST(TimelineWords, SayNothingOfACommandThatWroteWithoutAnEffectOnTheLock) {
  Exchange told;
  told.call(1'000, told.a, told.a1, "a/1", "take", "1", "a/1:1");
  told.call(2'000, told.a, told.a1, "a/1", "drop", "2", "");
  told.call(3'000, told.b, told.b1, "b/1", "take", "3", "b/1:1");
  told.call(4'000, told.a, told.a1, "a/1", "drop", "4", "?", 3);
  told.call(5'000, told.a, told.a1, "a/1", "take", "5", "?", 1);
  const search::RunRecord& example = told.builder.example();
  const Scene scene = make_scene(example);
  const std::vector<std::string> expected = {"granted", "released", "granted", "4", "5"};
  EXPECT_EQ(reply_labels(scene), expected);
  for (const Note& note : scene.notes) {
    EXPECT_FALSE(note.text.starts_with("not ") || note.text.starts_with("held by")) << note.text;
  }
}

/// A key belongs to a lock where it has the lock's whole name, not where one name begins another.
TEST(TimelineWords, TellLocksApartOfWhichOneNameBeginsTheOther) {
  Exchange told;
  told.call(1'000, told.a, told.a1, "a/1", "take", "1", "a/1:1");
  told.call(2'000, told.b, told.b1, "b/1", "take", "2", "?", 0, "lock-2");
  told.call(3'000, told.b, told.b1, "b/1", "take", "3", "?", 0, "{lock}:queue");
  told.call(4'000, told.b, told.b1, "b/1", "take", "4", "?", 0, "unlock");
  const search::RunRecord& example = told.builder.example();
  const Scene scene = make_scene(example);
  std::vector<sim::TimeNs> held_by_a;
  for (const Note& note : scene.notes) {
    if (note.text == "held by a/1") held_by_a.push_back(example.trace.events[note.event].at);
  }
  EXPECT_EQ(held_by_a, std::vector<sim::TimeNs>{3'100'000});
}

/// From when on a client counts its lease decides much, and is seen by when it stops.
TEST(TimelineWords, SayUntilWhenAnExtensionIsTakenToLast) {
  test::TraceBuilder builder;
  builder.actor("a", "client", "a");
  const sim::ActorId a1 = builder.actor("a/1", "client-thread", "a");
  builder.tell(a1, words_kind::belief_began, Field("lock", "lock"));
  builder.at_us(1'000).tell(a1, words_kind::step_invoked, Field("step", "extend lease=10s"),
                            Field("lock", "lock"));
  builder.at_us(2'000).tell(a1, words_kind::step_completed, Field("step", "extend lease=10s"),
                            Field("outcome", "ok"));
  builder.at_us(9'000'000).tell(a1, words_kind::belief_ended, Field("lock", "lock"),
                                Field("why", "validity"));
  const search::RunRecord& example = builder.example();
  const Scene scene = make_scene(example);
  EXPECT_TRUE(std::any_of(scene.notes.begin(), scene.notes.end(), [](const Note& note) {
    return note.text == "\u2713 extend, valid until 9,000 ms" &&
           note.importance == Importance::essential;
  }));
}

TEST(TimelineWords, ShortenIdsAndKeepWhatIsSaidOfThem) {
  test::TraceBuilder builder;
  builder.actor("a", "client", "a");
  const sim::ActorId a1 = builder.actor("a/1", "client-thread", "a");
  builder.tell(a1, words_kind::step_completed, Field("step", "unlock"), Field("outcome", "fail"),
               Field("detail", "4cea32ffb4acd7fef39a01902536ab7e is not locked by dead"));
  const search::RunRecord& example = builder.example();
  const Scene scene = make_scene(example);
  ASSERT_EQ(scene.notes.size(), 1U);
  EXPECT_EQ(scene.notes.front().text, "\u2717 unlock: 4cea32\u2026 is not locked by dead");
}

// -- folds --

TEST(FoldedInWords, SayWhatWasFoldedAndNeverThatAnEffectWasNone) {
  const auto words_of_notes = [](std::vector<FoldedNotes> folded_notes) {
    return folded_in_words(Row{0, 2'000'000'000, 45, std::move(folded_notes)});
  };
  EXPECT_EQ(words_of_notes({}), "45 moments without effect on the lock, until 2,000.0 ms");
  EXPECT_EQ(folded_in_words(Row{0, 2'000'000'000, 3, {}, true}),
            "3 moments of messages on their way, until 2,000.0 ms");
  EXPECT_EQ(words_of_notes({{NoteKind::renewal, "a/1", 5, 0, 4'000'000'000},
                            {NoteKind::refused_attempt, "b/1", 6, 0, 1},
                            {NoteKind::refused_attempt, "c/1", 1, 0, 1}}),
            "5 renewals of a/1, every 1,000 ms, 7 refused tries of b/1 and c/1 (45 moments, until "
            "2,000.0 ms)");
  EXPECT_EQ(
      words_of_notes({{NoteKind::queue, "", 1, 0, 0}, {NoteKind::refused_attempt, "b/1", 1, 0, 0}}),
      "1 change of the queue, 1 refused try of b/1 (45 moments, until 2,000.0 ms)");
  for (int kind = static_cast<int>(NoteKind::wrong); kind <= static_cast<int>(NoteKind::watch);
       ++kind) {
    const std::string words = words_of_notes({{static_cast<NoteKind>(kind), "", 2, 0, 0}});
    EXPECT_TRUE(words.starts_with("2 ")) << kind << ": " << words;
  }
}

/// Tries in vain are folded before the queue, the lease's end and the resource.
TEST(TimelineWords, FoldPollingAndKeepWhatChangesTheLock) {
  Exchange told;
  const sim::ActorId resource = told.builder.actor("resource", "resource", "resource");
  told.call(1'000, told.a, told.a1, "a/1", "take", "1", "a/1:1");
  for (int i = 0; i < 30; ++i) told.call(2'000 + i * 300, told.b, told.b1, "b/1", "take", "0");
  told.builder.at_us(20'000).tell(told.n1, words_kind::queue_changed, Field("lock", "lock"),
                                  Field("owners", "b/1"), Field("by", "b/1"));
  for (int i = 0; i < 30; ++i) told.call(21'000 + i * 300, told.b, told.b1, "b/1", "take", "0");
  told.builder.at_us(40'000).tell(resource, words_kind::resource_read, Field("by", "a/1"),
                                  Field("version", 7));
  for (int i = 0; i < 30; ++i) told.call(41'000 + i * 300, told.b, told.b1, "b/1", "take", "0");
  told.builder.at_us(60'000).tell(told.n1, words_kind::lock_changed, Field("lock", "lock"),
                                  Field("holders", ""), Field("lease_ends_ns", 0),
                                  Field("cause", "expiry"), Field("by", ""));
  const search::RunRecord& example = told.builder.example();
  const Timeline timeline = layout({"", "", &example});
  EXPECT_LE(timeline.rows, 40U);
  std::string words;
  for (const Text& text : timeline.picture.texts) words += text.text + "\n";
  for (const std::string_view expected :
       {"queue: b/1\n", "a/1 reads version 7\n", "the lease of a/1 is over\n",
        "30 refused tries of b/1\n(90 moments"}) {
    EXPECT_NE(words.find(expected), std::string::npos) << expected << "\nin\n" << words;
  }
}

// -- true times --

/// A node's part of a majority ends with its lease, of which no event tells.
TEST(TimelineWords, EndABarWhereItsLeaseEndsAndNotAtTheNextRow) {
  test::TraceBuilder builder;
  builder.actor("a", "client", "a");
  const sim::ActorId a1 = builder.actor("a/1", "client-thread", "a");
  std::vector<sim::ActorId> nodes;
  for (const std::string_view name : {"n1", "n2"}) {
    nodes.push_back(builder.actor(std::string(name), "redis", std::string(name)));
  }
  for (const sim::ActorId node : nodes) {
    builder.tell(node, words_kind::command_executed, Field("label", "set"), Field("command", "SET"),
                 Field("arguments", "lock x NX PX 10"), Field("reply", "OK"),
                 Field("on_behalf_of", "a/1"), Field("writes", 1));
  }
  builder.at_us(100'000).tell(a1, words_kind::step_invoked, Field("step", "write"));
  const search::RunRecord& example = builder.example();
  const Scene scene = make_scene(example);
  ASSERT_EQ(scene.bars.size(), 2U);
  EXPECT_EQ(end_of(scene.bars.front(), example.trace), 10 * sim::millisecond_ns);
  const Timeline timeline = layout({"", "", &example});
  ASSERT_EQ(timeline.rows, 2U);
  const Tenths next_row = timeline.row_places.back().top;
  std::size_t bars = 0;
  for (const auto& shape : timeline.picture.background) {
    const Area* area = std::get_if<Area>(&shape);
    if (area == nullptr || area->frame_width != 14) continue;
    ++bars;
    for (const Point& corner : area->corners) EXPECT_LT(corner.y, next_row);
  }
  EXPECT_EQ(bars, 2U);
}

// -- what broke --

TEST(MarkInWords, SaysWhatBroke) {
  using checker::Property;
  checker::Names names;
  const checker::NameId b = names.intern("b/1");
  const checker::NameId c = names.intern("c/1");
  const auto mark = [&](Property property, std::string what, checker::NameId who,
                        checker::NameId other) {
    checker::Verdict verdict{};
    verdict.property = property;
    verdict.kind = checker::VerdictKind::violated;
    verdict.evidence = {{std::move(what), who, {}, std::nullopt}, {"", other, {}, std::nullopt}};
    return mark_in_words(verdict, names);
  };
  EXPECT_EQ(mark(Property::fifo, "", b, c), "✗ fifo: c/1 before b/1");
  EXPECT_EQ(mark(Property::lease_linearizability, "", b, c),
            "✗ lease-linearizability: c/1's lease still ran");
  EXPECT_EQ(mark(Property::lease_linearizability, "", b, b),
            "✗ lease-linearizability: its lease still ran");
  EXPECT_EQ(mark(Property::hold_count,
                 "at 1 ms lock \"lock\" counted 2 for b/1, which had acquired it 1 more often than "
                 "released: x",
                 b, c),
            "✗ hold-count: counts 2, acquired 1");
  EXPECT_EQ(mark(Property::hold_count, "c/1's release lowered b/1's hold count on", b, c),
            "✗ hold-count: lowers b/1's count");
  EXPECT_EQ(mark(Property::hold_count, "said in another way", b, c), "✗ hold-count");
  EXPECT_EQ(mark(Property::valid_grant, "c/1 was granted, but in truth b/1 held it", b, c),
            "✗ valid-grant: in truth b/1 held it");
  EXPECT_EQ(mark(Property::no_deadlock, "", b, c), "✗ no-deadlock");
}

// -- labels --

TEST(PlaceOnSlope, IsNearTheSenderAndClearOfWhatIsThere) {
  const Point from{0, 0};
  const Point to{1'000, 400};
  EXPECT_EQ(place_on_slope(from, to, 200, 90, {}, 0)->x, 120);
  EXPECT_EQ(place_on_slope(to, from, 200, 90, {}, 0)->x, 880);
  Obstacles taken;
  const Box there{0, -100, 400, 200};
  taken.add(there, 7);
  const Point moved = *place_on_slope(from, to, 200, 90, taken, 0);
  EXPECT_FALSE(overlap({moved.x - 100, moved.y - 45, moved.x + 100, moved.y + 45}, there));
  EXPECT_EQ(place_on_slope(from, to, 200, 90, taken, 7)->x, 120);
  taken.add(Segment{{-5'000, 200}, {5'000, 200}, 500});
  EXPECT_FALSE(place_on_slope(from, to, 200, 90, taken, 0));
}

TEST(TimelineWords, NameOneRequestToManyNodesOnce) {
  test::TraceBuilder builder;
  const sim::ActorId a = builder.actor("a", "client", "a");
  const sim::ActorId a1 = builder.actor("a/1", "client-thread", "a");
  std::vector<std::uint64_t> sent;
  std::vector<sim::ActorId> nodes;
  for (int i = 1; i <= 5; ++i) {
    const std::string name = "n" + std::to_string(i);
    nodes.push_back(builder.actor(name, "redis", name));
  }
  for (const sim::ActorId node : nodes) sent.push_back(builder.send(a, node, "set", a1));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    builder.at_us(100 + static_cast<std::int64_t>(i) * 10).arrives(sent[i], nodes[i]);
  }
  const search::RunRecord& example = builder.example();
  const Picture picture = layout({"", "", &example}).picture;
  const auto says_set = [](const Text& text) { return text.text.starts_with("set"); };
  EXPECT_EQ(std::count_if(picture.texts.begin(), picture.texts.end(), says_set), 1);
  const auto found = std::find_if(picture.texts.begin(), picture.texts.end(), says_set);
  EXPECT_EQ(found->text, "set to 5 nodes");
}

// -- nothing --

TEST(TimelineWords, SayWhetherNothingHappenedInTheRunOrInThePart) {
  Exchange told;
  told.call(1'000, told.a, told.a1, "a/1", "take", "1", "a/1:1");
  const search::RunRecord& example = told.builder.example();
  const TimelineSubject subject{"", "", &example};
  TimelineOptions options;
  options.view.lanes = {"b"};
  constexpr std::string_view part = "Nothing happened in this part of the run";
  const auto says_part = [&](const Timeline& timeline) {
    return std::any_of(timeline.picture.texts.begin(), timeline.picture.texts.end(),
                       [&](const Text& text) { return text.text.starts_with(part); });
  };
  EXPECT_TRUE(says_part(layout(subject, options)));
  EXPECT_TRUE(says_part(hero_layout(subject, options)));
  EXPECT_NE(mermaid_of(subject, options).find(part), std::string::npos);
  options.view = {{}, std::nullopt, sim::TimeNs{10'000}};
  EXPECT_TRUE(says_part(layout(subject, options)));
  options.view = {};
  EXPECT_FALSE(says_part(layout(subject, options)));
}

}  // namespace
}  // namespace lockstep::reports
