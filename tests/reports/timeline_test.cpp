#include "reports/timeline/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/verdict.h"
#include "reports/drawing/graphviz.h"
#include "reports/drawing/palette.h"
#include "reports/text.h"
#include "reports/timeline/hero.h"
#include "reports/timeline/mermaid.h"
#include "reports/timeline/side_by_side.h"
#include "reports/trace/trace_file.h"
#include "scenario/scenario.h"
#include "search/runs/scenario_outcome.h"
#include "tests/reports/mermaid_check.h"
#include "tests/reports/trace_builder.h"
#include "tests/reports/xml_check.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
using sim::Field;

std::string rendered(const Timeline& timeline, PictureFormat format) {
  std::ostringstream out;
  render(timeline, format, out);
  return out.str();
}

Timeline timeline_of(const search::RunRecord& example, std::string title = "a title") {
  return layout({std::move(title), "", &example});
}

/// What is written in a picture, a line for each text.
std::string words_of(const Timeline& timeline) {
  std::string words;
  for (const Text& text : timeline.picture.texts) words += text.text + "\n";
  return words;
}

/// Also over the ends of lines.
bool says(const Timeline& timeline, std::string_view words) {
  std::string all = words_of(timeline);
  if (all.find(words) != std::string::npos) return true;
  std::replace(all.begin(), all.end(), '\n', ' ');
  return all.find(words) != std::string::npos;
}

/// A cluster of two clients, a master and its replica, and a resource.
struct Cluster {
  test::TraceBuilder builder;
  sim::ActorId faults = builder.actor("faults", "faults", "faults");
  sim::ActorId a = builder.actor("a", "client", "a");
  sim::ActorId a1 = builder.actor("a/1", "client-thread", "a");
  sim::ActorId a2 = builder.actor("a/2", "client-thread", "a");
  sim::ActorId n1 = builder.actor("n1", "redis", "n1");
  sim::ActorId replica = builder.actor("n1-replica-1", "redis", "n1");
  sim::ActorId resource = builder.actor("resource", "resource", "resource");

  void lock_changes(std::string_view holders, std::string_view cause, std::string_view by,
                    std::int64_t lease_ends_ns = 10'000'000'000) {
    builder.tell(n1, model_kind::lock_changed, Field("lock", "lock"), Field("holders", holders),
                 Field("lease_ends_ns", lease_ends_ns), Field("cause", cause), Field("by", by));
  }
};

// -- what a reviewer must see --

TEST(Timeline, ShowsThePauseTheExpiryTheOverlapAndTheHarm) {
  const search::ScenarioOutcome outcome = test::pause_outcome();
  const Timeline timeline = layout(timeline_subject(outcome, "lockstep replay x.trace"));
  for (const std::string_view words :
       {"A pause longer than the lease",
        "✗ mutual-exclusion",
        "both believe: 5,000.9 ms",
        "paused for 15,000 ms",
        "goes on",
        "the lease of a/1 is over",
        "✓ believes it holds the lock",
        "a/1 holds it",
        "until 10,000.7 ms",
        "held by a/1",
        "… 9,993.5 ms later",
        "a/1 writes version 2",
        "✗ harm: based on 0, version 1 is",
        "refused, 9,995 ms left",
        "granted",
        "released",
        "not held",
        "not a/1's: b/1 has it",
        "pause a for 15s when a",
        "The lease of a/1 ended at 10,000.7 ms on n1, while a was paused",
        "a/1",
        "b/1",
        "n1",
        "resource",
        "faults",
        "believes it holds the lock",
        "truly holds it",
        "see it again: lockstep replay x.trace",
        "2 messages without effect"}) {
    EXPECT_TRUE(says(timeline, words)) << words << "\nin\n" << words_of(timeline);
  }
  EXPECT_FALSE(says(timeline, "subscribe\n"));
  EXPECT_EQ(timeline.rows_folded, 0U);
  EXPECT_LE(timeline.rows, 40U);
}

TEST(Timeline, MarksTheOverlapByHatchingAndNotByColourAlone) {
  const search::ScenarioOutcome outcome = test::pause_outcome();
  const Picture picture = layout(timeline_subject(outcome, "")).picture;
  const auto hatching =
      std::count_if(picture.background.begin(), picture.background.end(), [](const auto& shape) {
        const Line* line = std::get_if<Line>(&shape);
        return line != nullptr && line->colour == palette::bad && line->from.x != line->to.x &&
               line->from.y != line->to.y;
      });
  EXPECT_GT(hatching, 20);
}

/// Where there is no Helvetica, bold text is a third wider than what text_width says.
TEST(Timeline, KeepsALongFaultClearOfTheTimes) {
  Cluster cluster;
  cluster.builder.tell(cluster.a1, model_kind::step_invoked, Field("step", "lock"));
  cluster.builder.at_us(2'001'234'567);
  cluster.builder.tell(cluster.faults, model_kind::fault_struck, Field("fault", 0),
                       Field("what", "delete 'redisson_lock_timeout:{{name}}' of 'lock' on n1"),
                       Field("target", "n1"));
  const Picture picture = timeline_of(cluster.builder.example()).picture;
  Tenths times_right = 0;
  std::optional<Tenths> faults_left;
  for (const Text& text : picture.texts) {
    const Tenths width = text_width(text.text, text.size) * 13 / 10;
    if (text.text == "time") times_right = text.at.x;
    if (text.align == Align::right && text.colour == palette::fault_ink) {
      faults_left = std::min(faults_left.value_or(text.at.x), text.at.x - width);
    }
    const bool is_skip = text.text.find(" ms later") != std::string::npos;
    if (is_skip) {
      EXPECT_GT(text.at.x - text_width(text.text, text.size) * 118 / 100, 0);
    }
  }
  ASSERT_GT(times_right, 0);
  ASSERT_TRUE(faults_left.has_value());
  EXPECT_GT(*faults_left, times_right);
}

TEST(Timeline, DrawsTheBeliefBeyondTheTruth) {
  const search::ScenarioOutcome outcome = test::pause_outcome();
  const Picture picture = layout(timeline_subject(outcome, "")).picture;
  // a's colour: filled for the belief, framed white for the truth (in its own lane and in n1's).
  const Area* belief = nullptr;
  std::vector<const Area*> truths;
  for (const auto& shape : picture.background) {
    const Area* area = std::get_if<Area>(&shape);
    if (area == nullptr || area->frame != palette::clients[0]) continue;
    if (area->fill == palette::white) truths.push_back(area);
    if (area->fill == palette::clients[0] && belief == nullptr) belief = area;
  }
  ASSERT_NE(belief, nullptr);
  ASSERT_GE(truths.size(), 2U);
  const auto bottom = [](const Area& area) { return area.corners[2].y; };
  EXPECT_EQ(bottom(*truths[0]), bottom(*truths[1]));
  EXPECT_GT(bottom(*belief), bottom(*truths[0]));
}

TEST(Timeline, NamesWhatIsOutOfOrder) {
  Cluster cluster;
  test::TraceBuilder& builder = cluster.builder;
  builder.at_us(1'000).tell(sim::no_actor, sim_kind::network_cut, Field("one", "n1"),
                            Field("other", "n1-replica-1"));
  builder.at_us(2'000).tell(cluster.n1, sim_kind::process_crashed);
  builder.at_us(3'000).tell(cluster.replica, model_kind::node_promoted, Field("in_place_of", "n1"));
  builder.at_us(4'000).tell(sim::no_actor, sim_kind::network_healed, Field("one", "n1"),
                            Field("other", "n1-replica-1"));
  builder.at_us(5'000).tell(cluster.n1, sim_kind::process_restarted);
  builder.at_us(6'000).tell(cluster.n1, model_kind::clock_changed, Field("by_ns", -2'000'000'000));
  builder.at_us(7'000).tell(cluster.n1, model_kind::clock_changed, Field("drift_ppm", 50));
  builder.at_us(8'000).tell(cluster.a1, model_kind::client_failed,
                            Field("error", "attempt to add"));
  builder.at_us(9'000).tell(cluster.a1, model_kind::call_timed_out, Field("label", "acquire"),
                            Field("attempt", 1));
  builder.at_us(10'000).tell(cluster.a1, model_kind::call_queued, Field("label", "release"),
                             Field("why", "pool"));
  builder.at_us(11'000).tell(cluster.a1, model_kind::call_resent, Field("label", "renew"),
                             Field("attempt", 1));
  const Timeline timeline = timeline_of(builder.example());
  for (const std::string_view words :
       {"cut off from n1-replica-1", "cut off from n1\n", "crashed",
        "becomes master in place of n1", "reaches n1 again", "restarted",
        "clock steps by -2,000 ms", "clocks run +50 ppm", "fails: attempt to add",
        "no reply to acquire in time", "release waits for a connection", "renew again, on the next",
        "replica of n1"}) {
    EXPECT_TRUE(says(timeline, words)) << words << "\nin\n" << words_of(timeline);
  }
}

TEST(Timeline, CrossesALostMessageAndNamesADelayedOne) {
  Cluster cluster;
  test::TraceBuilder& builder = cluster.builder;
  builder.at_us(100);
  const auto lost = builder.send(cluster.a, cluster.n1, "acquire", cluster.a1);
  builder.tell(cluster.a, sim_kind::message_lost, Field("message", lost), Field("why", "dropped"));
  const auto late = builder.send(cluster.a, cluster.n1, "release", cluster.a2);
  builder.tell(cluster.a, sim_kind::message_delayed, Field("message", late),
               Field("by_ns", 2'500'000'000));
  const auto never = builder.send(cluster.a, cluster.n1, "renew", cluster.a2);
  EXPECT_GT(never, late);
  builder.at_us(2'500'400).arrives(late, cluster.n1);
  const Timeline timeline = timeline_of(builder.example());
  EXPECT_TRUE(says(timeline, "acquire lost\n"));
  EXPECT_TRUE(says(timeline, "release, 2,500 ms late\n"));
  EXPECT_TRUE(says(timeline, "renew does not arrive\n"));
  const auto headless =
      std::count_if(timeline.picture.arrows.begin(), timeline.picture.arrows.end(),
                    [](const Arrow& arrow) { return !arrow.has_head; });
  EXPECT_EQ(headless, 2);
}

TEST(Timeline, DoesNotCallLostWhatCameTooLate) {
  Cluster cluster;
  test::TraceBuilder& builder = cluster.builder;
  builder.at_us(100);
  const auto reply = builder.send(cluster.n1, cluster.a, "reply to set", cluster.a1);
  const auto request = builder.send(cluster.a, cluster.n1, "get", cluster.a1);
  for (const auto message : {reply, request}) {
    builder.tell(cluster.a, sim_kind::message_lost, Field("message", message),
                 Field("why", "connection-closed"));
  }
  const Timeline timeline = timeline_of(builder.example());
  EXPECT_TRUE(says(timeline, "reply to \"set\" too late")) << words_of(timeline);
  EXPECT_TRUE(says(timeline, "get, connection closed")) << words_of(timeline);
  EXPECT_FALSE(says(timeline, " lost"));
}

TEST(Timeline, SaysWhoseNetworkIsSlow) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  scenario::Scenario& scenario = *outcome.scenario;
  const auto head = [&] { return words_of(layout(timeline_subject(outcome, ""))); };
  EXPECT_EQ(head().find("a hop"), std::string::npos);
  constexpr std::int64_t ms = 1'000'000;
  scenario.latency = {150 * ms, 250 * ms};
  EXPECT_NE(head().find("150\u2013250 ms a hop\n"), std::string::npos) << head();
  scenario::NodeSpec n1{};
  n1.name = "n1";
  n1.drift_ppm = 50;
  n1.latency = sim::Latency{1'200 * ms, 1'400 * ms};
  scenario.redis.nodes = {n1};
  scenario.links = {{"a", "n1", {20 * ms, 20 * ms}}};
  EXPECT_NE(head().find("clock +50 ppm; 1,200\u20131,400 ms a hop\n"), std::string::npos) << head();
  EXPECT_NE(head().find("20 ms to n1\n"), std::string::npos) << head();
  EXPECT_NE(mermaid_of(timeline_subject(outcome, "")).find("ms a hop"), std::string::npos);
}

TEST(Timeline, CountsAsNotArrivingOnlyWhatDoesNotArrive) {
  Cluster cluster;
  test::TraceBuilder& builder = cluster.builder;
  const sim::ActorId n2 = builder.actor("n2", "redis", "n2");
  const sim::ActorId n3 = builder.actor("n3", "redis", "n3");
  builder.at_us(100).send(cluster.a, cluster.n1, "extend", cluster.a1);
  builder.send(cluster.a, n2, "extend", cluster.a1);
  const auto arrives = builder.send(cluster.a, n3, "extend", cluster.a1);
  builder.at_us(500).arrives(arrives, n3);
  const Timeline timeline = timeline_of(builder.example());
  EXPECT_TRUE(says(timeline, "extend to 2 nodes does not\narrive\n")) << words_of(timeline);
}

TEST(Timeline, SaysThatAPausedProcessReadsAMessageLater) {
  Cluster cluster;
  test::TraceBuilder& builder = cluster.builder;
  builder.tell(cluster.a, sim_kind::process_paused, Field("for_ns", -1));
  const auto message = builder.send(cluster.n1, cluster.a, "reply to acquire", cluster.a1);
  builder.at_us(300).tell(cluster.a, sim_kind::message_delivered, Field("message", message),
                          Field("waits", 1));
  const Timeline timeline = timeline_of(builder.example());
  EXPECT_TRUE(says(timeline, "reply, read later\n"));
  EXPECT_TRUE(says(timeline, "paused\n"));
}

TEST(Timeline, LeavesReplicationOutUnlessAReplicaIsPromoted) {
  Cluster quiet;
  const auto tell = [](Cluster& cluster) {
    const auto message =
        cluster.builder.send(cluster.n1, cluster.replica, "replication", sim::no_actor);
    cluster.builder.at_us(300).arrives(message, cluster.replica);
    cluster.lock_changes("a/1:1", "acquire", "a/1");
  };
  tell(quiet);
  EXPECT_FALSE(says(timeline_of(quiet.builder.example()), "replication\n"));
  EXPECT_FALSE(says(timeline_of(quiet.builder.example()), "n1-replica-1"));
  Cluster promoted;
  tell(promoted);
  promoted.builder.at_us(400).tell(promoted.replica, model_kind::node_promoted,
                                   Field("in_place_of", "n1"));
  EXPECT_TRUE(says(timeline_of(promoted.builder.example()), "replication\n"));
}

TEST(Timeline, TellsWhatBecameOfTheLock) {
  Cluster cluster;
  test::TraceBuilder& builder = cluster.builder;
  cluster.lock_changes("a/1:1", "acquire", "a/1");
  builder.at_us(100);
  cluster.lock_changes("a/1:2", "acquire", "a/1", 11'000'000'000);
  builder.at_us(200);
  cluster.lock_changes("a/1:2", "acquire", "a/1", 12'000'000'000);
  builder.at_us(300);
  cluster.lock_changes("a/2:1", "acquire", "a/2", -1);
  builder.at_us(400);
  cluster.lock_changes("", "other", "", 0);
  const Timeline timeline = timeline_of(builder.example());
  for (const std::string_view words :
       {"a/1 holds it\n", "a/1 holds it twice\n", "until 11,000 ms", "lease of a/1 renewed",
        "a/2 holds it: a/2 took it from a/1", "without an end", "free: deleted by an operator",
        "thread of a"}) {
    EXPECT_TRUE(says(timeline, words)) << words << "\nin\n" << words_of(timeline);
  }
}

TEST(Timeline, ShowsFencingTokens) {
  Cluster cluster;
  cluster.builder.tell(cluster.resource, model_kind::resource_written, Field("by", "a/2"),
                       Field("based_on", 0), Field("version", 1), Field("token", 34));
  cluster.builder.at_us(1).tell(cluster.resource, model_kind::resource_refused, Field("by", "a/1"),
                                Field("token", 33), Field("highest_token", 34));
  const Timeline timeline = timeline_of(cluster.builder.example());
  EXPECT_TRUE(says(timeline, "a/2 writes version 1, token 34"));
  EXPECT_TRUE(says(timeline, "refuses a/1: token 33 < 34"));
}

// -- sizes --

TEST(Timeline, OfNothingSaysSo) {
  const search::RunRecord nothing;
  const Timeline timeline = timeline_of(nothing);
  EXPECT_EQ(timeline.rows, 0U);
  EXPECT_TRUE(says(timeline, "Nothing happened in this run."));
  EXPECT_EQ(test::xml_problem(rendered(timeline, PictureFormat::svg)), "");
}

TEST(Timeline, OfOneEventHasOneRow) {
  Cluster cluster;
  cluster.builder.tell(cluster.a1, model_kind::step_invoked, Field("step", "lock lease=1s"));
  const Timeline timeline = timeline_of(cluster.builder.example());
  EXPECT_EQ(timeline.rows, 1U);
  EXPECT_TRUE(says(timeline, "lock lease=1s"));
  EXPECT_EQ(test::xml_problem(rendered(timeline, PictureFormat::svg)), "");
}

TEST(Timeline, FoldsWhatHasNoEffectOnTheLockAndCountsIt) {
  Cluster cluster;
  test::TraceBuilder& builder = cluster.builder;
  cluster.lock_changes("a/1:1", "acquire", "a/1");
  for (int i = 1; i <= 100; ++i) {
    builder.at_us(i * 1'000);
    cluster.lock_changes("a/1:1", "acquire", "a/1", 10'000'000'000 + i);
  }
  builder.at_us(200'000);
  cluster.lock_changes("", "release", "a/1", 0);
  const Timeline timeline = timeline_of(builder.example());
  EXPECT_EQ(timeline.rows, 3U);
  EXPECT_EQ(timeline.rows_folded, 100U);
  EXPECT_TRUE(says(timeline, "100 renewals of a/1, every 1 ms (100 moments, until 100.0 ms)"));
}

TEST(Timeline, StaysOfBoundedSizeWhateverHappened) {
  Cluster cluster;
  test::TraceBuilder& builder = cluster.builder;
  for (int i = 0; i < 20'000; ++i) {
    builder.at_us(i * 10);
    cluster.lock_changes(i % 2 == 0 ? "a/1:1" : "", i % 2 == 0 ? "acquire" : "release", "a/1");
  }
  const Timeline timeline = timeline_of(builder.example());
  EXPECT_LE(timeline.rows, 500U);
  EXPECT_GE(timeline.rows_folded, 19'700U);
}

TEST(Timeline, HasRoomForTwoHundredLanes) {
  test::TraceBuilder builder;
  std::vector<sim::ActorId> threads;
  for (int i = 0; i < 200; ++i) {
    const std::string name = "client-" + std::to_string(i);
    builder.actor(name, "client", name);
    threads.push_back(builder.actor(name + "/1", "client-thread", name));
  }
  for (const sim::ActorId thread : threads) {
    builder.tell(thread, model_kind::belief_began, Field("lock", "lock"));
  }
  const std::string svg = rendered(timeline_of(builder.example()), PictureFormat::svg);
  EXPECT_EQ(test::xml_problem(svg), "");
  EXPECT_NE(test::xml_text(svg).find("client-199/1"), std::string::npos);
}

// -- formats --

TEST(Timeline, IsTheSameByteForByte) {
  const search::ScenarioOutcome outcome = test::pause_outcome();
  const Timeline first = layout(timeline_subject(outcome, "x"));
  const std::string dot = rendered(first, PictureFormat::dot);
  const std::string svg = rendered(first, PictureFormat::svg);
  Cluster other;
  other.lock_changes("a/1:1", "acquire", "a/1");
  static_cast<void>(rendered(timeline_of(other.builder.example()), PictureFormat::svg));
  const search::ScenarioOutcome again = test::pause_outcome();
  const Timeline second = layout(timeline_subject(again, "x"));
  EXPECT_EQ(rendered(second, PictureFormat::dot), dot);
  EXPECT_EQ(rendered(second, PictureFormat::svg), svg);
}

TEST(Timeline, IsTheSameFromTheTraceFile) {
  const search::ScenarioOutcome outcome = test::pause_outcome();
  std::stringstream stream;
  write_trace(stream, *outcome.scenario, outcome.example);
  const TraceFile file = read_trace("a.trace", stream);
  EXPECT_EQ(render_dot(layout(timeline_subject(file, "x"))),
            render_dot(layout(timeline_subject(outcome, "x"))));
}

TEST(Timeline, IsWellFormedSvgWithSelectableTextAndTitles) {
  const search::ScenarioOutcome outcome = test::pause_outcome();
  const std::string svg = rendered(layout(timeline_subject(outcome, "x")), PictureFormat::svg);
  EXPECT_EQ(test::xml_problem(svg), "");
  EXPECT_NE(svg.find("<svg"), std::string::npos);
  EXPECT_NE(svg.find("<title>A pause longer than the lease</title>"), std::string::npos);
  EXPECT_NE(svg.find(">both believe: 5,000.9 ms</text>"), std::string::npos);
  // The script's arguments are there for those who point at the spot.
  EXPECT_NE(test::xml_text(svg).find("EVALSHA lock 10000 a/1"), std::string::npos);
}

TEST(Timeline, KeepsToTheSizeThatItWasLaidOutFor) {
  const search::ScenarioOutcome outcome = test::pause_outcome();
  const Timeline timeline = layout(timeline_subject(outcome, "x"));
  const std::string svg = rendered(timeline, PictureFormat::svg);
  const auto pixels = [](int points) {
    return "width=\"" + std::to_string(points * 18 / 17) + "\"";
  };
  // Graphviz adds a hairline.
  const int width = (timeline.picture.width + 9) / 10;
  EXPECT_TRUE(svg.find(pixels(width)) != std::string::npos ||
              svg.find(pixels(width + 1)) != std::string::npos)
      << svg.substr(0, 600);
}

TEST(Timeline, IsDrawnAsPngAndPdf) {
  Cluster cluster;
  cluster.lock_changes("a/1:1", "acquire", "a/1");
  const Timeline timeline = timeline_of(cluster.builder.example());
  EXPECT_TRUE(rendered(timeline, PictureFormat::png).starts_with("\x89PNG"));
  EXPECT_TRUE(rendered(timeline, PictureFormat::pdf).starts_with("%PDF"));
}

TEST(Timeline, KnowsItsFormats) {
  EXPECT_EQ(picture_format_from("svg"), PictureFormat::svg);
  EXPECT_EQ(picture_format_from("pdf"), PictureFormat::pdf);
  EXPECT_EQ(picture_format_from("jpeg"), std::nullopt);
  EXPECT_EQ(picture_format_from(""), std::nullopt);
}

TEST(Graphviz, SaysWhyItCannotDraw) {
  EXPECT_THROW(static_cast<void>(draw_with_graphviz("digraph {", "svg")), std::runtime_error);
  EXPECT_THROW(static_cast<void>(draw_with_graphviz("digraph {}", "nonsense")), std::runtime_error);
}

// -- hostile text --

search::ScenarioOutcome hostile_outcome(const std::string& text) {
  test::TraceBuilder builder;
  builder.actor(text, "client", text);
  const sim::ActorId thread = builder.actor(text + "/1", "client-thread", text);
  const sim::ActorId node = builder.actor("n" + text, "redis", "n" + text);
  const sim::ActorId faults = builder.actor("faults", "faults", "faults");
  builder.tell(thread, model_kind::step_invoked, Field("step", text));
  const auto message = builder.send(sim::ActorId{0}, node, text, thread);
  builder.tell(faults, model_kind::fault_struck, Field("fault", 0), Field("what", text),
               Field("target", text));
  builder.at_us(100).arrives(message, node);
  builder.tell(node, model_kind::command_executed, Field("label", text), Field("command", text),
               Field("arguments", text), Field("reply", text), Field("on_behalf_of", text + "/1"),
               Field("writes", 1));
  builder.tell(node, model_kind::lock_changed, Field("lock", text), Field("holders", text + ":1"),
               Field("lease_ends_ns", 1), Field("cause", text), Field("by", text));
  builder.at_us(200).tell(thread, model_kind::step_completed, Field("step", text),
                          Field("outcome", "fail"), Field("detail", text));
  search::ScenarioOutcome outcome;
  outcome.scenario->title = text;
  outcome.example = builder.example();
  checker::Verdict verdict{};
  verdict.kind = checker::VerdictKind::violated;
  verdict.summary = text;
  verdict.evidence = {{text, outcome.example.judged->names.intern(text + "/1"), {}, std::nullopt}};
  outcome.example.verdicts = {verdict};
  return outcome;
}

struct NamedText {
  std::string name;
  std::string text;
};

void PrintTo(const NamedText& named, std::ostream* out) { *out << named.name; }

class HostileText : public testing::TestWithParam<NamedText> {};

TEST_P(HostileText, IsShownHarmlessly) {
  const search::ScenarioOutcome outcome = hostile_outcome(GetParam().text);
  const Timeline timeline = layout(timeline_subject(outcome, GetParam().text));
  const std::string svg = rendered(timeline, PictureFormat::svg);
  EXPECT_EQ(test::xml_problem(svg), "");
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find('\x1b'), std::string::npos);
  EXPECT_EQ(svg.find("\u202E"), std::string::npos);
  EXPECT_LT(svg.size(), 200'000U);
  EXPECT_TRUE(rendered(timeline, PictureFormat::png).starts_with("\x89PNG"));
  const TimelineSubject subject = timeline_subject(outcome, GetParam().text);
  EXPECT_EQ(test::mermaid_problem(mermaid_of(subject)), "");
  for (const Timeline& other : {hero_layout(subject), side_by_side_layout(subject, subject)}) {
    const std::string other_svg = rendered(other, PictureFormat::svg);
    EXPECT_EQ(test::xml_problem(other_svg), "");
    EXPECT_EQ(other_svg.find("<script"), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Timeline, HostileText,
    testing::Values(NamedText{"markup", "<script>alert(1)</script>"},
                    NamedText{"quotes", "\"quoted\" 'and' &amp; &lt;"},
                    NamedText{"backslashes", "back\\slash\\"},
                    NamedText{"graphviz escapes", "\\N\\G\\E\\T\\l\\r\\n"},
                    NamedText{"dot syntax", "\"; digraph x {"},
                    NamedText{"xml sections", "]]> --> <!-- <![CDATA["},
                    NamedText{"long", std::string(10'000, 'x')},
                    NamedText{"many backslashes", std::string(3'000, '\\')},
                    NamedText{"many quotes", std::string(3'000, '"')},
                    NamedText{"other scripts",
                              "\xF0\x9F\x98\x80 \u05E9\u05DC\u05D5\u05DD \u202Eabc\u202C"},
                    NamedText{"no utf-8", "\xFF\xFE\xC0 not UTF-8"},
                    NamedText{"control characters", std::string("nul\0and\x1b[31m escape", 20)},
                    NamedText{"lines", "two\nlines\tand a tab"},
                    NamedText{"formats", "100% %s %n {0} {"}, NamedText{"nothing", ""},
                    NamedText{"a blank", " "}));

TEST(Timeline, ShowsMarkupAsText) {
  const search::ScenarioOutcome outcome = hostile_outcome("<b>&amp;\\n</b>");
  const std::string svg = rendered(layout(timeline_subject(outcome, "")), PictureFormat::svg);
  EXPECT_NE(test::xml_text(svg).find("<b>&amp;\\n</b>"), std::string::npos) << svg;
}

}  // namespace
}  // namespace lockstep::reports
