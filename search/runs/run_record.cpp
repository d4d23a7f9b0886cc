#include "search/runs/run_record.h"

#include <algorithm>
#include <string>
#include <variant>

#include "checker/kept_run.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/faults/strike_effects.h"
#include "model/lock/lock_package.h"
#include "model/trace_vocabulary.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/scenario.h"
#include "search/contract/contract_judge.h"
#include "search/runs/untested.h"
#include "sim/recorded_choices.h"
#include "sim/seeded_choices.h"

namespace lockstep::search {

RunRecord::RunRecord() = default;
RunRecord::RunRecord(const RunRecord&) = default;
RunRecord::RunRecord(RunRecord&&) noexcept = default;
RunRecord& RunRecord::operator=(const RunRecord&) = default;
RunRecord& RunRecord::operator=(RunRecord&&) noexcept = default;
RunRecord::~RunRecord() = default;

std::vector<WrongClock> wrong_clocks_of(const scenario::Scenario& scenario) {
  std::vector<WrongClock> wrong;
  const auto add = [&](const std::string& host, sim::DurationNs offset_ns, std::int64_t drift_ppm) {
    if (offset_ns != 0 || drift_ppm != 0) wrong.push_back({host, offset_ns, drift_ppm});
  };
  for (const scenario::ClientSpec& client : scenario.clients) {
    add(client.name, client.wall_offset_ns, client.drift_ppm);
  }
  for (const scenario::NodeSpec& node : scenario.redis.nodes) {
    add(node.name, node.wall_offset_ns, node.drift_ppm);
  }
  return wrong;
}

RunRecord record_run(model::Simulation& simulation, sim::ChoiceSource& choices,
                     redis::NodeObserver* observer) {
  RunRecord example;
  model::TraceRecorder sink(example.trace.events);
  const model::RunResult& result = simulation.run(choices, &sink, observer);
  example.trace.actors = simulation.actors();
  example.trace.hash = result.hash;
  example.judged = checker::KeptRun{*result.names, *result.history, *result.observations};
  example.verdicts = *result.verdicts;
  const ContractJudge contract(simulation.lock());
  contract.tell_what_counts(simulation.scenario(), result, example.verdicts);
  for (const checker::Verdict& each : *result.verdicts) {
    // What a variant with a known flaw breaks is the flaw's.
    const bool may_be_excused = simulation.lock().flaw.empty();
    if (each.kind != checker::VerdictKind::violated || !may_be_excused) continue;
    const auto not_kept = contract.broken(simulation.scenario(), result, each.property);
    const bool is_promised = simulation.lock().contract.assumed_for(each.property).has_value();
    if (not_kept ? !not_kept->empty() : !is_promised) {
      example.excused.push_back({each.property, not_kept.value_or(model::AssumptionSet())});
    }
  }
  const model::Mattered mattered = most_that_mattered(simulation.scenario(), result);
  for (checker::Verdict& each : example.verdicts) {
    each.put_to_the_test = is_put_to_the_test(each, mattered);
  }
  example.end = result.end;
  example.ended_at_ns = result.ended_at_ns;
  example.lock_digest = simulation.lock_digest();
  example.faults = *result.faults;
  example.wrong_clocks = wrong_clocks_of(simulation.scenario());
  return example;
}

RunRecord record_seed(model::Simulation& simulation, std::uint64_t seed) {
  sim::SeededChoices seeded(seed);
  sim::RecordingChoices recording(seeded);
  RunRecord example = record_run(simulation, recording);
  example.seed = seed;
  example.trace.choices = recording.record();
  return example;
}

Outline outline_of(const model::RecordedTrace& trace) {
  Outline outline;
  outline.reserve(trace.events.size());
  OutlineSink sink(outline);
  for (const model::RecordedEvent& event : trace.events) {
    sink.begin(event.kind, event.actor);
    for (const auto& [name, value] : event.fields) {
      const auto* text = std::get_if<std::string>(&value);
      if (text != nullptr) sink.add(name, *text);
    }
    sink.end(event.at);
  }
  return outline;
}

namespace {

/// A reply of many lines (INFO) stays on one.
void append_on_one_line(std::string_view value, std::string& text) {
  for (const char character : value) {
    if (character == '\r' || character == '\n') {
      text += character == '\r' ? "\\r" : "\\n";
    } else {
      text += character;
    }
  }
}

}  // namespace

std::string describe_event(const model::RecordedTrace& trace, std::size_t index) {
  const model::RecordedEvent& event = trace.events[index];
  std::string text = std::to_string(index) + " at " + std::to_string(event.at) + " ns ";
  if (event.actor != sim::no_actor) {
    text += trace.actors[static_cast<std::uint32_t>(event.actor)].name + " ";
  }
  text += event.kind;
  for (const auto& [name, value] : event.fields) {
    text += " " + name + "=";
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      text += std::to_string(*number);
    } else {
      append_on_one_line(std::get<std::string>(value), text);
    }
  }
  return text;
}

std::string first_difference(const model::RecordedTrace& expected,
                             const model::RecordedTrace& found) {
  const std::size_t common = std::min(expected.events.size(), found.events.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (expected.events[i].hash == found.events[i].hash) continue;
    return "The first event that differs: expected \"" + describe_event(expected, i) +
           "\", found \"" + describe_event(found, i) + "\".";
  }
  if (expected.events.size() == found.events.size()) return {};
  const bool is_longer = found.events.size() > common;
  return "The first " + std::to_string(common) + " events are equal, then " +
         (is_longer ? "found \"" + describe_event(found, common) + "\" where the record ends."
                    : "the record goes on with \"" + describe_event(expected, common) + "\".");
}

std::string stuck_program(const model::RecordedTrace& trace) {
  std::string why;  // of the last that failed
  for (const model::RecordedEvent& event : trace.events) {
    if (event.kind == model::trace_kind::client_failed) {
      why = trace.actors[static_cast<std::uint32_t>(event.actor)].name + ": " +
            std::string(event.text("error"));
    } else if (event.kind == model::trace_kind::program_ended &&
               event.text("how") == model::trace_kind::program_stuck) {
      return why;
    }
  }
  return {};
}

}  // namespace lockstep::search
