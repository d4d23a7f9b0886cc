// Causes that were tested: whether they are some also where those faults and wrong clocks alone
// strike that a violation needs, and whether they go where the violation goes.
//
// Not covered: what nothing that can be left out or moved brings about: without faults and wrong
// clocks no cause is tested.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/recorded_trace.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause.h"
#include "reports/cause/cause_parts.h"
#include "search/runs/outline.h"
#include "search/runs/run_record.h"
#include "search/runs/scenario_outcome.h"
#include "sim/time.h"
#include "sim/trace.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

using checker::Property;

bool is_same(const Cause& one, const Cause& other) {
  return one.kind == other.kind && one.victim == other.victim && one.culprit == other.culprit &&
         one.operation == other.operation;
}

/// Of these verdicts of a run alone; of harm also what went wrong before it, which only a lock that
/// promises it may be blamed for.
std::vector<Cause> found_in(const search::RunRecord& run, Property property) {
  std::vector<checker::Verdict> asked;
  std::copy_if(
      run.verdicts.begin(), run.verdicts.end(), std::back_inserter(asked),
      [property](const checker::Verdict& verdict) {
        return verdict.property == property ||
               (property == Property::harm && (verdict.property == Property::mutual_exclusion ||
                                               verdict.property == Property::valid_grant));
      });
  return find_causes(run, asked);
}

/// "a/1's acquire was refused": what is said of a violation, without its numbers.
std::string blamed_in(const search::RunRecord& run, Property property) {
  for (const checker::Verdict& verdict : run.verdicts) {
    if (verdict.property != property || verdict.evidence.empty()) continue;
    std::vector<std::string> parts;
    // Two who believe at once may come in either order.
    const std::size_t count = property == Property::mutual_exclusion ? 2 : 1;
    for (std::size_t i = 0; i < std::min(count, verdict.evidence.size()); ++i) {
      parts.push_back(verdict.evidence[i].what);
      std::erase_if(parts.back(), [](char each) { return each >= '0' && each <= '9'; });
      if (verdict.evidence[i].who != checker::no_name) {
        parts.back() += " " + run.judged->names.text(verdict.evidence[i].who);
      }
    }
    std::sort(parts.begin(), parts.end());
    return fmt::format("{}", fmt::join(parts, "; "));
  }
  return {};
}

/// Of the events of a cause's instant one that is what it tells of.
bool is_what_happened(const model::RecordedEvent& event, const Cause& cause) {
  if (cause.kind == CauseKind::message_lost) return event.kind == sim::trace_kind::message_lost;
  return event.kind == model::trace_kind::lock_changed ||
         event.kind == model::trace_kind::queue_changed ||
         event.kind == model::trace_kind::number_changed;
}

/// Whether it is the thread, or of its process, or the other way round.
bool is_of(std::string_view name, std::string_view other) {
  const auto is_thread_of = [](std::string_view thread, std::string_view process) {
    return thread.starts_with(process) && thread.substr(process.size()).starts_with("/");
  };
  return name == other || is_thread_of(name, other) || is_thread_of(other, name);
}

/// Where in the trace that happened which a cause tells of: the changes of a lock's state at its
/// instant on the server that it names, or the message that was lost; where there are none, all
/// that those did whom it names.
std::vector<std::size_t> events_of(const model::RecordedTrace& trace, const Cause& cause) {
  std::vector<std::size_t> decisive;
  std::vector<std::size_t> all;
  const auto from = std::lower_bound(
      trace.events.begin(), trace.events.end(), cause.at_ns,
      [](const model::RecordedEvent& event, sim::TimeNs at) { return event.at < at; });
  for (auto it = from; it != trace.events.end() && it->at == cause.at_ns; ++it) {
    const std::string_view actor = it->actor == sim::no_actor
                                       ? std::string_view()
                                       : trace.actors[static_cast<std::uint32_t>(it->actor)].name;
    const auto names = [&](const std::string& one) {
      return !one.empty() && (is_of(actor, one) || is_of(it->text("on_behalf_of"), one));
    };
    const auto index = static_cast<std::size_t>(it - trace.events.begin());
    if (is_what_happened(*it, cause) && (cause.server.empty() || actor == cause.server)) {
      decisive.push_back(index);
    }
    if (names(cause.server) || names(cause.victim) || names(cause.culprit)) all.push_back(index);
  }
  return decisive.empty() ? all : decisive;
}

/// An event by how many of its like came before it, so that it is found in another run.
struct Occurrence {
  search::OutlinedEvent event;
  std::size_t like_it_before = 0;
};

/// Whether a run has it too, and not at another time as the fault that was moved.
bool keeps(const search::ChangedRun& run, const Occurrence& occurrence) {
  std::size_t left = occurrence.like_it_before;
  for (const search::OutlinedEvent& each : *run.outline) {
    if (each.what != occurrence.event.what || left-- > 0) continue;
    return !run.moved_by_ns ||
           2 * std::abs(each.at - occurrence.event.at) < std::abs(*run.moved_by_ns);
  }
  return false;
}

/// Whether all runs in which it did not break have lost what the cause tells of.
bool goes_with_violation(const search::RunRecord& example, const Cause& cause,
                         const std::vector<search::ChangedRun>& unbroken) {
  const std::vector<std::size_t> events = events_of(example.trace, cause);
  if (unbroken.empty() || events.empty()) return false;
  const search::Outline outline = search::outline_of(example.trace);
  std::vector<Occurrence> occurrences;
  for (const std::size_t index : events) {
    const search::OutlinedEvent& event = outline[index];
    const auto before =
        std::count_if(outline.begin(), outline.begin() + static_cast<std::ptrdiff_t>(index),
                      [&](const search::OutlinedEvent& other) { return other.what == event.what; });
    occurrences.push_back({event, static_cast<std::size_t>(before)});
  }
  return std::none_of(unbroken.begin(), unbroken.end(), [&](const search::ChangedRun& run) {
    return std::all_of(occurrences.begin(), occurrences.end(),
                       [&](const Occurrence& each) { return keeps(run, each); });
  });
}

/// Without what only a fault that the violations do not need makes look like a cause; all of them,
/// where the runs without it break in another way. `is_asked` says of which properties they are.
template <typename IsAsked>
std::vector<Cause> tested(const search::RunRecord& example, std::vector<Cause> causes,
                          IsAsked is_asked) {
  if (!example.with_fewer_faults) return causes;
  struct Found {
    Cause cause;
    const std::vector<search::ChangedRun>& unbroken;
  };
  std::vector<Found> confirmed;
  std::vector<Cause> untried;  // of violations that are others where less goes wrong
  for (const search::RunWithFewerFaults& each : *example.with_fewer_faults) {
    if (!is_asked(each.property)) continue;
    const search::RunRecord& run = each.run == nullptr ? example : *each.run;
    const bool is_the_same =
        &run == &example || blamed_in(run, each.property) == blamed_in(example, each.property);
    for (Cause& cause : found_in(is_the_same ? run : example, each.property)) {
      if (is_the_same) {
        confirmed.push_back({std::move(cause), each.unbroken});
      } else {
        untried.push_back(std::move(cause));
      }
    }
  }
  const auto is_refuted = [&](const Cause& cause) {
    const auto is_it = [&](const Cause& other) { return is_same(cause, other); };
    return std::none_of(confirmed.begin(), confirmed.end(),
                        [&](const Found& each) { return is_it(each.cause); }) &&
           std::none_of(untried.begin(), untried.end(), is_it);
  };
  if (!std::all_of(causes.begin(), causes.end(), is_refuted)) std::erase_if(causes, is_refuted);
  for (Cause& cause : causes) {
    cause.is_tested = std::any_of(confirmed.begin(), confirmed.end(), [&](const Found& each) {
      return is_same(cause, each.cause) && goes_with_violation(example, cause, each.unbroken);
    });
  }
  return causes;
}

}  // namespace

std::vector<Cause> causes_of(const search::ScenarioOutcome& outcome) {
  const search::RunRecord& example = outcome.example;
  return tested(example, find_causes(example, search::verdicts_as_told(outcome)),
                [](Property) { return true; });
}

std::vector<Cause> causes_of(const search::RunRecord& example, Property property) {
  return tested(example, found_in(example, property),
                [property](Property tried) { return tried == property; });
}

std::vector<std::string> explain(const search::RunRecord& example, Property property) {
  return sentences_of(found_in(example, property));
}

}  // namespace lockstep::reports
