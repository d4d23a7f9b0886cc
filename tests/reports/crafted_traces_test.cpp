// Traces that no run made, with hashes that fit: everything that reads a trace bears any numbers,
// texts and orders in it. Sanitizers see what overflows.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "checker/evidence.h"
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
#include "tests/reports/mermaid_check.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::reports {
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
