// A part of a timeline, and its other forms: the hero, two runs beside each other, Mermaid.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "checker/verdict.h"
#include "reports/drawing/svg_postprocess.h"
#include "reports/timeline/hero.h"
#include "reports/timeline/mermaid.h"
#include "reports/timeline/sequence.h"
#include "reports/timeline/side_by_side.h"
#include "reports/timeline/timeline.h"
#include "scenario/text/input_error.h"
#include "search/runs/scenario_outcome.h"
#include "tests/reports/mermaid_check.h"
#include "tests/reports/trace_builder.h"
#include "tests/reports/xml_check.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
using sim::Field;

std::string words_in(const Timeline& timeline) {
  std::string words = "\n";
  for (const Text& text : timeline.picture.texts) words += text.text + "\n";
  return words;
}

bool shows(const Timeline& timeline, std::string_view words) {
  std::string all = words_in(timeline);
  if (all.find(words) != std::string::npos) return true;
  std::replace(all.begin(), all.end(), '\n', ' ');  // also over the ends of lines
  return all.find(words) != std::string::npos;
}

std::string svg_of_forms(const Timeline& timeline) {
  std::ostringstream out;
  render(timeline, PictureFormat::svg, out);
  return out.str();
}

/// The words of the error, or "" where there is none.
std::string refusal_of(const TimelineSubject& subject, const TimelineOptions& options) {
  try {
    static_cast<void>(layout(subject, options));
  } catch (const scenario::InputError& error) {
    return error.message();
  }
  return {};
}

struct TimelineOfAPause : testing::Test {
  search::ScenarioOutcome outcome = test::pause_outcome();
  TimelineSubject subject = timeline_subject(outcome, "lockstep replay x");
};

// -- a part --

TEST_F(TimelineOfAPause, CanBeSeenInPart) {
  TimelineOptions options;
  options.view.lanes = {"b", "n1"};
  const Timeline some_lanes = layout(subject, options);
  EXPECT_TRUE(shows(some_lanes, "\nb/1\n"));
  const auto of_client = [](const Text& text) { return text.text == "client"; };
  const auto& texts = some_lanes.picture.texts;
  EXPECT_EQ(std::count_if(texts.begin(), texts.end(), of_client), 1);  // one lane of two
  EXPECT_FALSE(shows(some_lanes, "what struck"));
  EXPECT_FALSE(shows(some_lanes, "both believe:"));

  options = {};
  options.view.from_ns = 9 * sim::second_ns;
  const Timeline later = layout(subject, options);
  EXPECT_LT(later.rows, layout(subject).rows);
  EXPECT_FALSE(shows(later, "paused for"));
  EXPECT_TRUE(shows(later, "both believe: 5,000.9 ms"));

  options = {};
  options.view.until_ns = 9 * sim::second_ns;
  const Timeline sooner = layout(subject, options);
  EXPECT_TRUE(shows(sooner, "paused for"));
  EXPECT_FALSE(shows(sooner, "both believe:"));
}

TEST_F(TimelineOfAPause, RefusesPartsThatAreNotThere) {
  TimelineOptions options;
  options.view.lanes = {"n2"};
  EXPECT_NE(refusal_of(subject, options).find("no lane 'n2'"), std::string::npos);
  options = {};
  options.view.from_ns = 3 * sim::second_ns;
  options.view.until_ns = 2 * sim::second_ns;
  EXPECT_NE(refusal_of(subject, options).find("lies after"), std::string::npos);
  options.view.from_ns = options.view.until_ns = 1'000'000 * sim::second_ns;
  EXPECT_NE(refusal_of(subject, options).find("the run ended at"), std::string::npos);
  options = {};
  options.focus = TimelineFocus::violation;
  EXPECT_EQ(refusal_of(subject, options), "");
  outcome.example.verdicts.clear();
  EXPECT_NE(refusal_of(subject, options).find("nothing is violated"), std::string::npos);
}

TEST(TimelineParts, KeepFaultsAndWhatWentWrongHoweverMuchIsFolded) {
  test::TraceBuilder builder;
  const sim::ActorId faults = builder.actor("faults", "faults", "faults");
  builder.actor("a", "client", "a");
  const sim::ActorId a1 = builder.actor("a/1", "client-thread", "a");
  const sim::ActorId n1 = builder.actor("n1", "redis", "n1");
  for (int i = 0; i < 3'000; ++i) {
    builder.at_us(i * 10);
    const bool is_held = i % 2 == 0;
    builder.tell(n1, model_kind::lock_changed, Field("lock", "lock"),
                 Field("holders", is_held ? "a/1:1" : ""), Field("lease_ends_ns", 0),
                 Field("cause", is_held ? "acquire" : "release"), Field("by", "a/1"));
    if (i == 1'500) {
      builder.tell(faults, model_kind::fault_struck, Field("fault", 0), Field("what", "the fault"),
                   Field("target", "n1"));
    }
  }
  builder.tell(a1, model_kind::client_failed, Field("error", "the bad end"));
  const search::RunRecord& example = builder.example();
  for (const std::size_t rows_max : {std::size_t{0}, std::size_t{5}, std::size_t{40}}) {
    TimelineOptions options;
    options.rows_max = rows_max;
    const Timeline timeline = layout({"", "", &example}, options);
    EXPECT_LE(timeline.rows, std::max<std::size_t>(rows_max, 5));
    EXPECT_TRUE(shows(timeline, "the bad end"));
    if (rows_max < 40) continue;
    EXPECT_TRUE(shows(timeline, "the fault"));
    EXPECT_TRUE(shows(timeline, " grants of a/1, "));
  }
}

TEST(TimelineParts, AreOfBoundedSizeForAHundredThousandEvents) {
  test::TraceBuilder builder;
  builder.actor("a", "client", "a");
  const sim::ActorId a1 = builder.actor("a/1", "client-thread", "a");
  for (int i = 0; i < 50'000; ++i) {
    builder.at_us(i * 10).tell(a1, model_kind::step_invoked, Field("step", "lock lease=10s"));
    builder.tell(a1, model_kind::step_completed, Field("step", "lock"), Field("outcome", "fail"));
  }
  const search::RunRecord& example = builder.example();
  const Timeline timeline = layout({"", "", &example});
  EXPECT_LE(timeline.rows, 40U);
  EXPECT_GE(timeline.rows + timeline.rows_folded, 50'000U);
  EXPECT_LT(svg_of_forms(timeline).size(), 100'000U);
  TimelineOptions full;
  full.rows_max = 1'000'000;
  full.view.from_ns = 499 * sim::millisecond_ns;
  EXPECT_EQ(layout({"", "", &example}, full).rows, 100U);
}

// -- locks on several nodes --

TEST(TimelineParts, TellWhichNodeIsWhoseWhereAMajorityCounts) {
  test::TraceBuilder builder;
  builder.actor("a", "client", "a");
  const sim::ActorId a1 = builder.actor("a/1", "client-thread", "a");
  const sim::ActorId n1 = builder.actor("n1", "redis", "n1");
  const sim::ActorId n2 = builder.actor("n2", "redis", "n2");
  const auto set = [&](sim::ActorId node, std::string_view by, int writes) {
    builder.tell(node, model_kind::command_executed, Field("label", "set"), Field("command", "SET"),
                 Field("arguments", "lock token NX PX 30000"),
                 Field("reply", writes > 0 ? "OK" : "(nil)"), Field("on_behalf_of", by),
                 Field("writes", writes));
  };
  builder.tell(a1, model_kind::step_invoked, Field("step", "lock lease=30s"));
  set(n1, "a/1", 1);
  set(n2, "a/1", 1);
  builder.tell(n1, model_kind::lock_changed, Field("lock", "lock"), Field("holders", "a/1:1"),
               Field("lease_ends_ns", 30'000'000'000), Field("cause", "acquire"),
               Field("by", "a/1"));
  builder.tell(a1, model_kind::belief_began, Field("lock", "lock"));
  builder.at_us(1'000).tell(n2, model_kind::clock_changed, Field("by_ns", 31'000'000'000));
  builder.tell(n1, model_kind::lock_changed, Field("lock", "lock"), Field("holders", ""),
               Field("lease_ends_ns", 0), Field("cause", "expiry"), Field("by", ""));
  builder.at_us(2'000);
  const search::RunRecord& example = builder.example();
  const Timeline timeline = layout({"", "", &example});
  EXPECT_TRUE(shows(timeline, "a/1 has this node until"));
  EXPECT_TRUE(shows(timeline, "has a majority of nodes\n"));
  EXPECT_TRUE(shows(timeline, "a/1's key has expired by it"));
  EXPECT_TRUE(shows(timeline, "its majority is gone, unnoticed"));
  const Scene scene = make_scene(example);
  const auto bar_at = [&](LaneIndex lane) {
    return std::find_if(scene.bars.begin(), scene.bars.end(), [&](const Bar& bar) {
      return bar.kind == BarKind::truth && bar.lane == lane;
    });
  };
  ASSERT_NE(bar_at(2), scene.bars.end());
  EXPECT_TRUE(bar_at(2)->until.has_value());
  ASSERT_NE(bar_at(1), scene.bars.end());
  EXPECT_FALSE(bar_at(1)->until.has_value());  // n1 has it still
}

// -- the hero --

TEST_F(TimelineOfAPause, HasAHeroOfFewMoments) {
  const Timeline hero = hero_layout(subject);
  EXPECT_LE(hero.rows, hero_moments_max);
  EXPECT_TRUE(shows(hero, "both believe: 5,000.9 ms"));
  EXPECT_TRUE(shows(hero, "paused for"));
  EXPECT_GT(hero.picture.width, hero.picture.height);
  EXPECT_EQ(test::xml_problem(svg_of_forms(hero)), "");
}

/// Several clients that act at the same instants: whose message goes where can be followed.
TEST(TimelineParts, DrawMessagesOfSeveralClientsAbreast) {
  test::TraceBuilder builder;
  std::vector<sim::ActorId> threads;
  std::vector<sim::ActorId> clients;
  std::vector<sim::ActorId> nodes;
  for (const std::string client : {"a", "b", "c"}) {
    clients.push_back(builder.actor(client, "client", client));
    threads.push_back(builder.actor(client + "/1", "client-thread", client));
  }
  for (const std::string node : {"n1", "n2", "n3"}) {
    nodes.push_back(builder.actor(node, "redis", node));
  }
  std::vector<std::uint64_t> messages;
  builder.at_us(1'000);
  for (std::size_t i = 0; i < 3; ++i) {
    messages.push_back(builder.send(clients[i], nodes[i], "acquire", threads[i]));
    messages.push_back(builder.send(clients[i], nodes[(i + 1) % 3], "acquire", threads[i]));
  }
  builder.at_us(2'000);
  for (std::size_t i = 0; i < 3; ++i) {
    builder.arrives(messages[2 * i], nodes[i]).arrives(messages[2 * i + 1], nodes[(i + 1) % 3]);
  }
  const search::RunRecord& example = builder.example();
  std::map<Tenths, std::set<std::pair<Tenths, Tenths>>> starts;  // by x: the y's of both ends
  for (const Arrow& arrow : layout({"", "", &example}).picture.arrows) {
    starts[arrow.points.front().x].insert({arrow.points.front().y, arrow.points.back().y});
  }
  ASSERT_EQ(starts.size(), clients.size());
  std::set<std::pair<Tenths, Tenths>> heights;
  for (const auto& [x, ends] : starts) {
    EXPECT_EQ(ends.size(), 1U);  // those of one client go together
    heights.insert(ends.begin(), ends.end());
  }
  ASSERT_EQ(heights.size(), clients.size());
  const auto [first_sent, first_arrived] = *heights.begin();
  const auto [last_sent, last_arrived] = *heights.rbegin();
  EXPECT_EQ(last_sent - first_sent, last_arrived - first_arrived);
  EXPECT_LE(last_sent - first_sent, 75);  // within the row
}

TEST(TimelineForms, OfNothingSaySo) {
  const search::RunRecord nothing;
  EXPECT_TRUE(shows(hero_layout({"", "", &nothing}), "Nothing happened"));
  EXPECT_FALSE(
      shows(side_by_side_layout({"", "", &nothing}, {"", "", &nothing}), "first difference"));
  const std::string mermaid = mermaid_of({"", "", &nothing});
  EXPECT_EQ(test::mermaid_problem(mermaid), "") << mermaid;
  EXPECT_NE(mermaid.find("Nothing happened in this run"), std::string::npos);
}

// -- beside --

TEST_F(TimelineOfAPause, StandsBesideARunThatPassesWithTheFirstDifferenceMarked) {
  search::ScenarioOutcome passing = test::pause_outcome();
  passing.example.verdicts.clear();
  const auto paused =
      std::find_if(passing.example.trace.events.begin(), passing.example.trace.events.end(),
                   [](const auto& event) { return event.kind == sim_kind::process_paused; });
  ASSERT_NE(paused, passing.example.trace.events.end());
  paused->kind = "something-else";
  const auto difference = first_difference(outcome.example.trace, passing.example.trace);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->left_ns, paused->at);
  EXPECT_NE(difference->left.find("process paused"), std::string::npos);
  EXPECT_NE(difference->right.find("something else"), std::string::npos);

  const TimelineSubject other = timeline_subject(passing, "");
  const Timeline both = side_by_side_layout(subject, other);
  EXPECT_TRUE(shows(both, "first difference: process paused"));
  EXPECT_TRUE(shows(both, "first difference: something else"));
  EXPECT_GT(both.picture.width, layout(subject).picture.width + layout(other).picture.width);
  EXPECT_EQ(test::xml_problem(svg_of_forms(both)), "");
}

TEST_F(TimelineOfAPause, HasNoDifferenceToItself) {
  EXPECT_FALSE(first_difference(outcome.example.trace, outcome.example.trace));
  search::ScenarioOutcome shorter = test::pause_outcome();
  shorter.example.trace.events.pop_back();
  const auto difference = first_difference(outcome.example.trace, shorter.example.trace);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->right, "the run is over");
}

// -- Mermaid --

TEST_F(TimelineOfAPause, IsASequenceDiagramForAPullRequest) {
  const std::string mermaid = mermaid_of(subject);
  EXPECT_EQ(test::mermaid_problem(mermaid), "") << mermaid;
  EXPECT_LE(test::mermaid_items(mermaid), sequence_items_max + 10);
  EXPECT_NE(mermaid.find("both believe#58; 5,000.9 ms"), std::string::npos) << mermaid;
  EXPECT_EQ(mermaid_of(subject), mermaid);
}

TEST(TimelineForms, EscapeWhatMermaidWouldReadAsItsOwn) {
  EXPECT_EQ(mermaid_escaped("a;b: <script> #1"), "a#59;b#58; #60;script#62; #35;1");
  EXPECT_EQ(mermaid_escaped("end of the end, ended, send"), "#101;nd of the #101;nd, ended, send");
}

TEST(TimelineForms, KeepMermaidShortWhateverHappens) {
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
  const search::RunRecord& example = builder.example();
  const std::string mermaid = mermaid_of({"", "", &example});
  EXPECT_EQ(test::mermaid_problem(mermaid), "");
  EXPECT_LE(test::mermaid_items(mermaid), sequence_items_max + 2);
  EXPECT_NE(mermaid.find("140 moments of this run are left out"), std::string::npos) << mermaid;
  EXPECT_EQ(test::xml_problem(svg_of_forms(hero_layout({"", "", &example}))), "");
}

// -- SVG --

TEST(FinishedSvg, NamesTheWholeAndSaysNothingTwice) {
  const std::string svg =
      "<?xml version=\"1.0\"?>\n<!-- Generated by graphviz version 1\n -->\n<svg width=\"17pt\"\n"
      " xmlns=\"x\">\n<!-- a -->\n<polyline fill=\"none\" points=\"1,2 3,4 \"/>\n"
      "<polyline fill=\"none\" points=\"5,6 7,8 \"/>\n<polyline fill=\"x\" points=\"1,1 \"/>\n"
      "<g id=\"node1\" class=\"node\">\n<title>a (2)</title>\n"
      "<polygon points=\"0\"/>\n<text x=\"1\" "
      "font-family=\"Helvetica,sans-Serif\">a</text>\n</g>\n<g>\n<title>b</title>\n"
      "<ellipse/>\n</g>\n</svg>\n";
  EXPECT_EQ(postprocessed_svg(svg, "<t>", "\"d\""),
            "<?xml version=\"1.0\"?>\n<!-- Generated by graphviz version 1\n -->\n"
            "<svg width=\"18\"\n xmlns=\"x\" role=\"graphics-document document\" "
            "aria-label=\"&lt;t&gt;\">\n<title>&lt;t&gt;</title>\n<desc>&quot;d&quot;</desc>\n"
            "<path fill=\"none\" d=\"M1,2 3,4M5,6 7,8\"/>\n<path fill=\"x\" d=\"M1,1\"/>\n"
            "<g id=\"node1\" class=\"node\">\n<polygon points=\"0\"/>\n<text x=\"1\">a</text>\n"
            "</g>\n<g>\n<title>b</title>\n<ellipse/>\n</g>\n</svg>\n");
}

}  // namespace
}  // namespace lockstep::reports
