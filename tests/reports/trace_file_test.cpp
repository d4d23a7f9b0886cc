#include "reports/trace/trace_file.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "reports/cause/cause.h"
#include "reports/formats/edn_history.h"
#include "reports/shown_run.h"
#include "reports/timeline/hero.h"
#include "reports/timeline/mermaid.h"
#include "reports/timeline/side_by_side.h"
#include "reports/timeline/timeline.h"
#include "reports/trace/trace_hash.h"
#include "reports/trace/trace_history.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "search/runs/scenario_outcome.h"
#include "search/runs/seed_runs.h"
#include "sim/versions.h"
#include "tests/reports/mermaid_check.h"
#include "tests/reports/trace_builder.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::reports {
namespace {

std::string written(const search::ScenarioOutcome& outcome) {
  std::ostringstream out;
  write_trace(out, *outcome.scenario, outcome.example);
  return out.str();
}

TraceFile read(const std::string& text) {
  std::istringstream in(text);
  return read_trace("a.trace", in);
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  if (at != std::string::npos) text.replace(at, what.size(), by);
  return text;
}

/// The complaint about a text: "line: message"; empty where it is taken.
std::string complaint(const std::string& text, const TraceFileLimits& limits = {}) {
  std::istringstream in(text);
  try {
    static_cast<void>(read_trace("a.trace", in, limits));
    return {};
  } catch (const scenario::InputError& error) {
    EXPECT_EQ(error.place().file, "a.trace");
    return std::to_string(error.place().line) + ": " + error.message();
  }
}

void expect_equal(const search::RunRecord& one, const search::RunRecord& other) {
  EXPECT_EQ(one.seed, other.seed);
  EXPECT_EQ(one.lock_digest, other.lock_digest);
  EXPECT_EQ(one.end, other.end);
  EXPECT_EQ(one.ended_at_ns, other.ended_at_ns);
  EXPECT_EQ(one.trace.hash, other.trace.hash);
  EXPECT_EQ(one.trace.choices, other.trace.choices);
  ASSERT_EQ(one.trace.actors.size(), other.trace.actors.size());
  for (std::size_t i = 0; i < one.trace.actors.size(); ++i) {
    EXPECT_EQ(one.trace.actors[i].name, other.trace.actors[i].name);
    EXPECT_EQ(one.trace.actors[i].kind, other.trace.actors[i].kind);
    EXPECT_EQ(one.trace.actors[i].group, other.trace.actors[i].group);
  }
  ASSERT_EQ(one.trace.events.size(), other.trace.events.size());
  for (std::size_t i = 0; i < one.trace.events.size(); ++i) {
    EXPECT_EQ(one.trace.events[i].at, other.trace.events[i].at);
    EXPECT_EQ(one.trace.events[i].kind, other.trace.events[i].kind);
    EXPECT_EQ(one.trace.events[i].actor, other.trace.events[i].actor);
    EXPECT_EQ(one.trace.events[i].fields, other.trace.events[i].fields);
    EXPECT_EQ(one.trace.events[i].hash, other.trace.events[i].hash);
  }
  ASSERT_EQ(one.verdicts.size(), other.verdicts.size());
  for (std::size_t i = 0; i < one.verdicts.size(); ++i) {
    EXPECT_EQ(one.verdicts[i].property, other.verdicts[i].property);
    EXPECT_EQ(one.verdicts[i].kind, other.verdicts[i].kind);
    EXPECT_EQ(one.verdicts[i].summary, other.verdicts[i].summary);
    EXPECT_EQ(one.verdicts[i].overlap_from_ns, other.verdicts[i].overlap_from_ns);
    EXPECT_EQ(one.verdicts[i].overlap_until_ns, other.verdicts[i].overlap_until_ns);
    ASSERT_EQ(one.verdicts[i].evidence.size(), other.verdicts[i].evidence.size());
    for (std::size_t j = 0; j < one.verdicts[i].evidence.size(); ++j) {
      const checker::Evidence& left = one.verdicts[i].evidence[j];
      const checker::Evidence& right = other.verdicts[i].evidence[j];
      EXPECT_EQ(left.what, right.what);
      EXPECT_EQ(one.judged->names.text(left.who), other.judged->names.text(right.who));
      EXPECT_EQ(left.from, right.from);
      EXPECT_EQ(left.until, right.until);
    }
  }
}

TEST(TraceFile, ReadsBackWhatWasWritten) {
  const search::ScenarioOutcome outcome = test::pause_outcome();
  const TraceFile file = read(written(outcome));
  EXPECT_EQ(file.path, "a.trace");
  EXPECT_EQ(file.scenario_path, outcome.scenario->path);
  EXPECT_EQ(file.scenario_text, outcome.scenario->text);
  EXPECT_EQ(file.scenario_title, outcome.scenario->title);
  expect_equal(file.example, outcome.example);
}

TEST(TraceFile, WritesTheSameBytesAgain) {
  EXPECT_EQ(written(test::pause_outcome()), written(test::pause_outcome()));
}

TEST(TraceFile, KeepsNumbersBeyondADoubleAndTextThatIsNoUtf8) {
  test::TraceBuilder builder;
  const sim::ActorId one = builder.actor("one", "redis", "one");
  builder.tell(one, "numbers", sim::Field("most", INT64_MAX), sim::Field("least", INT64_MIN),
               sim::Field("edge", (std::int64_t{1} << 53) + 1),
               sim::Field("text", "9007199254740993"));
  builder.tell(one, "bytes", sim::Field("bytes", std::string_view("\xFF\0\n\"\\", 5)));
  search::ScenarioOutcome outcome;
  outcome.scenario->path = "odd \xFE name";
  outcome.example = builder.example();
  outcome.example.seed = UINT64_MAX;
  const std::string text = written(outcome);
  EXPECT_NE(text.find("\"9223372036854775807\""), std::string::npos);
  const TraceFile file = read(text);
  EXPECT_EQ(file.scenario_path, outcome.scenario->path);
  expect_equal(file.example, outcome.example);
}

TEST(TraceFile, HoldsARunInWhichNothingHappened) {
  const search::ScenarioOutcome nothing;
  const TraceFile file = read(written(nothing));
  EXPECT_TRUE(file.example.trace.events.empty());
}

// -- damage --

TEST(DamagedTraceFile, IsRefusedWhereItIsNoTrace) {
  EXPECT_EQ(complaint(""), "0: the file is empty; a Lockstep trace was expected");
  EXPECT_EQ(complaint("title = \"x\"\n"),
            "1: this is not a Lockstep trace: it begins with \"title = \"x\"\"");
  EXPECT_EQ(complaint("{}\n"), "1: this is not a Lockstep trace: it begins with \"{}\"");
  EXPECT_EQ(complaint("[1]\n"), "1: this is not a Lockstep trace: it begins with \"[1]\"");
  const std::string binary(
      "\x7F"
      "ELF\0\0\1",
      7);
  EXPECT_NE(complaint(binary).find("1: this is not a Lockstep trace"), std::string::npos);
}

TEST(DamagedTraceFile, IsRefusedWhereItIsOfAnotherVersion) {
  const std::string text = written(test::pause_outcome());
  const std::string ours = std::to_string(model_version);
  const std::string other =
      complaint(replaced(text, "\"model_version\":" + ours, "\"model_version\":1007"));
  EXPECT_NE(
      other.find("1: the trace was made by model version 1007, this Lockstep has version " + ours),
      std::string::npos);
  EXPECT_NE(other.find("scenarios/known-bugs/gc-pause.toml"), std::string::npos);
  EXPECT_EQ(complaint(replaced(text, "\"lockstep_trace\":1", "\"lockstep_trace\":2")),
            "1: the trace has format 2; this Lockstep reads format 1");
}

TEST(DamagedTraceFile, IsRefusedWhereItIsCutShort) {
  const std::string text = written(test::pause_outcome());
  const std::string without_end = text.substr(0, text.rfind("{\"end\""));
  EXPECT_NE(complaint(without_end).find("the trace is cut short after 81 events"),
            std::string::npos);
  const std::string in_the_midst = text.substr(0, text.find("{\"event\":5,") + 40);
  EXPECT_EQ(complaint(in_the_midst), "8: this is not a line of a trace: it is no JSON object");
}

TEST(DamagedTraceFile, IsRefusedAtTheEventThatWasChanged) {
  const std::string text = written(test::pause_outcome());
  // Line 1 is the header, line 2 the choices: event 10 stands on line 13.
  const std::size_t line = text.find("{\"event\":10,");
  ASSERT_NE(line, std::string::npos);
  std::string changed = text;
  changed.replace(text.find("\"at_ns\":", line) + 8, 1, "9");
  EXPECT_EQ(complaint(changed),
            "13: event 10 was changed after it was recorded: its hash does not fit");
}

TEST(DamagedTraceFile, IsRefusedWhereALineIsMissingOrRepeated) {
  const std::string text = written(test::pause_outcome());
  const std::size_t from = text.find("{\"event\":10,");
  const std::size_t to = text.find("{\"event\":11,");
  std::string without = text;
  without.erase(from, to - from);
  EXPECT_EQ(complaint(without),
            "13: event 10 was expected here: a line is missing or out of place");
  std::string twice = text;
  twice.insert(from, text.substr(from, to - from));
  EXPECT_EQ(complaint(twice), "14: event 11 was expected here: a line is missing or out of place");
  EXPECT_EQ(complaint(text + "{}\n"), "88: nothing may follow the trace's last line");
}

TEST(DamagedTraceFile, IsRefusedWhereAVerdictOrAChoiceWasChanged) {
  const std::string text = written(test::pause_outcome());
  const std::string checksum = "87: the file was changed after it was written";
  EXPECT_TRUE(complaint(replaced(text, "for 5,000.9 ms", "for 5,000.8 ms")).starts_with(checksum));
  EXPECT_TRUE(complaint(replaced(text, "[0,2,100,42]", "[0,2,100,43]")).starts_with(checksum));
  EXPECT_NE(complaint(replaced(text, "[0,2,100,42]", "[0,2,100,100]")).find("2: a choice"),
            std::string::npos);
  EXPECT_NE(complaint(replaced(text, "[0,2,100,42]", "[99,2,100,42]")).find("2: a choice"),
            std::string::npos);
}

TEST(DamagedTraceFile, IsRefusedWhereAnActorIsUnknown) {
  const std::string text = written(test::pause_outcome());
  EXPECT_EQ(complaint(replaced(text, "\"actor\":\"a/1\"", "\"actor\":\"z/9\"")),
            "3: no actor has the name \"z/9\"");
}

TEST(DamagedTraceFile, IsRefusedBeyondTheLimits) {
  const std::string text = written(test::pause_outcome());
  EXPECT_EQ(complaint(text, {.line_bytes_max = 100}), "1: the line is longer than 100 bytes");
  EXPECT_NE(complaint(text, {.file_bytes_max = 2'000}).find("the file is larger than"),
            std::string::npos);
  EXPECT_EQ(complaint(text, {.events_max = 3}), "6: the trace has more than 3 events");
}

TEST(DamagedTraceFile, IsRefusedWhereItIsNestedDeeply) {
  std::string deep(1'000'000, '[');
  EXPECT_NE(complaint(deep + "\n").find("1: this is not a Lockstep trace"), std::string::npos);
  std::string text = written(test::pause_outcome());
  text.insert(text.find('\n') + 1, deep + "\n");
  EXPECT_EQ(complaint(text), "2: this is not a line of a trace: it is no JSON object");
}

TEST(DamagedTraceFile, IsRefusedWhereItCannotBeRead) {
  EXPECT_THROW(static_cast<void>(read_trace_file("/no/such/file")), scenario::InputError);
  EXPECT_THROW(static_cast<void>(read_trace_file(std::filesystem::temp_directory_path())),
               scenario::InputError);
}

RC_GTEST_PROP(DamagedTraceFile, NoChangedByteGoesUnnoticed, ()) {
  static const std::string text = written(test::pause_outcome());
  const auto at = static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(text.size()) - 1));
  std::string changed = text;
  changed[at] = static_cast<char>(*rc::gen::inRange(0, 256));
  RC_PRE(changed != text);
  RC_ASSERT(!complaint(changed).empty());
}

std::string content_of(const std::string& path) {
  std::ifstream in(source_folder() + "/" + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(TraceDocument, NamesEveryKindOfEvent) {
  const std::string document = content_of("docs/trace.md");
  std::size_t kinds = 0;
  for (const std::string header :
       {"sim/trace_kinds.h", "model/trace_vocabulary.h", "model/cluster/cluster_trace.h"}) {
    const std::string text = content_of(header);
    const std::regex kind("string_view [a-z_]+ =\\s*\"([a-z-]+)\"");
    for (std::sregex_iterator match(text.begin(), text.end(), kind), end; match != end; ++match) {
      ++kinds;
      EXPECT_NE(document.find("`" + (*match)[1].str() + "`"), std::string::npos)
          << (*match)[1].str();
    }
  }
  EXPECT_GE(kinds, 30U);
}

RC_GTEST_PROP(TraceHash, IsThatOfTheSimulation,
              (const std::vector<std::pair<std::string, std::int64_t>>& fields)) {
  sim::Trace trace;
  std::vector<model::RecordedEvent> events;
  model::TraceRecorder recorder(events);
  trace.set_sink(&recorder);
  const sim::ActorId actor = trace.add_actor({"n1", "redis", "n1"});
  std::int64_t at = 0;
  std::uint64_t hash = 0;
  for (const auto& [text, number] : fields) {
    trace.emit(at++, text, actor,
               {sim::Field(std::string_view(text), number), sim::Field("text", text)});
    trace.emit(at++, "nothing", sim::no_actor, {});
  }
  for (const model::RecordedEvent& event : events) {
    hash = hash_after(hash, event);
    RC_ASSERT(hash == event.hash);
  }
}

}  // namespace

// Traces that no run made, with hashes that fit: everything that reads a trace bears any numbers,
// texts and orders in it. Sanitizers see what overflows.

namespace {

const std::vector<search::ScenarioOutcome>& real_runs() {
  static const std::vector<search::ScenarioOutcome> outcomes = [] {
    std::vector<search::ScenarioOutcome> made;
    model::Engine engine({support::script_folder()});
    for (const char* name :
         {"known-bugs/gc-pause", "known-bugs/clock-jump", "known-bugs/power-loss-everysec",
          "known-bugs/lost-queue", "known-bugs/lost-permit-release-reply",
          "known-bugs/nested-read-frees-writer", "sentinel/failover-while-held",
          "cluster/failover-before-replication"}) {
      const std::filesystem::path path =
          std::filesystem::path(source_folder()) / "scenarios" / (std::string(name) + ".toml");
      made.push_back(search::run_scenario(scenario::load_scenario(path), {}, engine));
    }
    return made;
  }();
  return outcomes;
}

std::int64_t any_number() {
  return *rc::gen::oneOf(
      rc::gen::element<std::int64_t>(INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX),
      rc::gen::inRange<std::int64_t>(-20'000, 20'000), rc::gen::arbitrary<std::int64_t>());
}

std::string any_text(const std::vector<model::RecordedEvent>& events) {
  const model::RecordedEvent& other = *rc::gen::elementOf(events);
  for (const auto& [name, value] : other.fields) {
    if (const auto* text = std::get_if<std::string>(&value);
        text != nullptr && *rc::gen::arbitrary<bool>())
      return *text;
  }
  return *rc::gen::element<std::string>("", " ", "lock 9223372036854775807 x", "-1", "\xFF\n",
                                        "<script>", std::string(10'000, 'x'), other.kind);
}

void change_fields(model::RecordedEvent& event, const std::vector<model::RecordedEvent>& events) {
  if (event.fields.empty()) return;
  auto& [name, value] = event.fields[*rc::gen::inRange<std::size_t>(0, event.fields.size())];
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      value = any_number();
      break;
    case 1:
      value = any_text(events);
      break;
    case 2:
      name = "nothing";
      break;
    default:
      if (std::holds_alternative<std::int64_t>(value)) {
        value = any_number();
      } else {
        value = any_text(events);
      }
  }
}

void change_event(search::RunRecord& example) {
  std::vector<model::RecordedEvent>& events = example.trace.events;
  if (events.empty()) return;
  const auto at = *rc::gen::inRange<std::size_t>(0, events.size());
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
      events.erase(events.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      events[at].kind = (*rc::gen::elementOf(events)).kind;
      break;
    case 2:
      events[at].actor = (*rc::gen::elementOf(events)).actor;
      break;
    case 3: {
      const model::RecordedEvent copy = events[at];
      events.insert(events.begin() + static_cast<std::ptrdiff_t>(at), copy);
      break;
    }
    case 4: {  // all that follows comes later, perhaps as late as can be
      const sim::TimeNs by = std::max<sim::TimeNs>(any_number(), 0);
      for (std::size_t i = at; i < events.size(); ++i) {
        events[i].at = by > sim::never_ns - events[i].at ? sim::never_ns : events[i].at + by;
      }
      break;
    }
    default:
      change_fields(events[at], events);
  }
}

void change_verdict(search::RunRecord& example) {
  if (example.verdicts.empty()) return;
  auto& verdict = example.verdicts[*rc::gen::inRange<std::size_t>(0, example.verdicts.size())];
  verdict.overlap_from_ns = any_number();
  verdict.overlap_until_ns = any_number();
  for (checker::Evidence& evidence : verdict.evidence) {
    if (*rc::gen::arbitrary<bool>()) evidence.from.at_ns = any_number();
    if (evidence.until) evidence.until->at_ns = any_number();
  }
}

/// A real run's, or a piece of it, with some things in it that are not so.
search::RunRecord crafted() {
  search::RunRecord example = (*rc::gen::elementOf(real_runs())).example;
  std::vector<model::RecordedEvent>& events = example.trace.events;
  constexpr std::size_t events_max = 250;
  if (events.size() > events_max) {
    const auto begin =
        static_cast<std::ptrdiff_t>(*rc::gen::inRange<std::size_t>(0, events.size() - events_max));
    events.erase(events.begin() + begin + events_max, events.end());
    events.erase(events.begin(), events.begin() + begin);
  }
  const int changes = *rc::gen::inRange(1, 80);
  for (int i = 0; i < changes; ++i) change_event(example);
  if (*rc::gen::inRange(0, 4) == 0) change_verdict(example);
  std::uint64_t hash = 0;
  for (model::RecordedEvent& event : example.trace.events) {
    hash = event.hash = hash_after(hash, event);
  }
  example.trace.hash = hash;
  return example;
}

/// As a trace file gives it again; none where the reader sees that it can't be.
std::optional<TraceFile> read_again(const search::RunRecord& example) {
  std::stringstream stream;
  write_trace(stream, *real_runs().front().scenario, example);
  try {
    return read_trace("crafted.trace", stream);
  } catch (const scenario::InputError&) {
    return std::nullopt;
  }
}

TimelineOptions some_options(const model::RecordedTrace& trace) {
  TimelineOptions options;
  options.rows_max = *rc::gen::element<std::size_t>(1, 5, 40, 100'000);
  options.focus = *rc::gen::element(TimelineFocus::whole_run, TimelineFocus::violation);
  if (!trace.events.empty() && *rc::gen::arbitrary<bool>()) {
    options.view.from_ns = *rc::gen::inRange<sim::TimeNs>(0, trace.events.back().at / 2 + 1);
  }
  return options;
}

/// What can be made of a trace.
void use(const TraceFile& file, int form) {
  const TimelineSubject subject = timeline_subject(file, "lockstep replay it");
  const TimelineOptions options = some_options(file.example.trace);
  switch (form) {
    case 0: {
      const Timeline timeline = layout(subject, options);
      RC_ASSERT(timeline.picture.width > 0);
      RC_ASSERT(!render_dot(timeline).empty());
      break;
    }
    case 1:
      RC_ASSERT(test::mermaid_problem(mermaid_of(subject, options)) == "");
      break;
    case 2:
      RC_ASSERT(hero_layout(subject, options).rows <= hero_moments_max);
      break;
    case 3:
      static_cast<void>(side_by_side_layout(subject, timeline_subject(real_runs().front(), "x")));
      break;
    case 4: {
      static_cast<void>(explain(file.example));
      static_cast<void>(struck_faults(file.example));
      static_cast<void>(failed_steps(file.example));
      static_cast<void>(waits_beyond(file.example, 0));
      break;
    }
    default: {
      std::ostringstream edn;
      write_edn(edn, history_of(file).history);
    }
  }
}

RC_GTEST_PROP(CraftedTraces, AreDrawnAndToldInEachForm, ()) {
  const std::optional<TraceFile> read = read_again(crafted());
  if (!read) return;
  const int form = *rc::gen::inRange(0, 6);
  try {
    use(*read, form);
  } catch (const scenario::InputError& error) {
    // No operation to make a history of, nothing in view to draw: that is said.
    RC_ASSERT(form == 5 || error.message().starts_with("--focus"));
  }
}

}  // namespace

}  // namespace lockstep::reports
