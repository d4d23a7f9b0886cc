#include "search/runs/moved_faults.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <span>

#include "model/trace_vocabulary.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_spec.h"
#include "search/runs/run_record.h"

namespace lockstep::search {
namespace {

using scenario::OpenDuration;

constexpr std::int64_t distances_ns[] = {sim::millisecond_ns, 10 * sim::millisecond_ns,
                                         100 * sim::millisecond_ns, sim::second_ns,
                                         10 * sim::second_ns};
constexpr std::int64_t one_message[] = {1};

/// In one direction: the farthest at which it breaks, and the next one, at which it does not.
void try_direction(std::span<const std::int64_t> distances, std::int64_t sign, std::size_t number,
                   const BreaksMoved& breaks_moved, std::vector<MovedFault>& found) {
  std::optional<std::int64_t> breaks_at;
  std::optional<std::int64_t> holds_at;
  std::size_t first = 0;
  std::size_t end = distances.size();
  while (first < end) {
    // The farthest first: where that breaks nothing nearer is of interest.
    const std::size_t tried = holds_at || breaks_at ? first + (end - first) / 2 : end - 1;
    const std::int64_t by = sign * distances[tried];
    const std::optional<bool> breaks = breaks_moved(by);
    if (!breaks.has_value()) {
      end = tried;
    } else if (*breaks) {
      breaks_at = by;
      first = tried + 1;
    } else {
      holds_at = by;
      end = tried;
    }
  }
  if (breaks_at) found.push_back({number, *breaks_at, true});
  if (holds_at) found.push_back({number, *holds_at, false});
}

/// What is drawn from a range is drawn so much later.
void move_range(scenario::FaultSpec& fault, OpenDuration::What what, std::int64_t by) {
  for (OpenDuration& open : fault.open) {
    if (open.what != what) continue;
    open.min_ns += by;
    open.max_ns += by;
  }
}

/// a is asked for by a/1, too.
bool is_of(std::string_view thread, std::string_view asker) {
  return asker.empty() || thread == asker ||
         (thread.starts_with(asker) && thread.substr(asker.size()).starts_with("/"));
}

ExecutedStep step_at(const RunRecord& example, const model::RecordedEvent& event) {
  return {example.trace.actors[static_cast<std::uint32_t>(event.actor)].name,
          std::string(event.text("label"))};
}

void add_once(std::vector<ExecutedStep>& steps, const ExecutedStep& step) {
  if (std::find(steps.begin(), steps.end(), step) == steps.end()) steps.push_back(step);
}

}  // namespace

bool strikes_single_messages(const scenario::FaultSpec& fault) {
  return scenario::form_of(fault.kind).theme == scenario::Theme::message ||
         fault.kind == scenario::FaultKind::postpone;
}

std::optional<scenario::FaultSpec> moved(const scenario::FaultSpec& fault, std::int64_t by,
                                         const std::vector<sim::TimeNs>& struck_at) {
  scenario::FaultSpec result = fault;
  if (strikes_single_messages(fault)) {
    const std::int64_t nth = std::int64_t{fault.nth} + by;
    if (nth < 1 || nth > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    result.nth = static_cast<std::uint32_t>(nth);
    move_range(result, OpenDuration::What::nth, by);
    return result;
  }
  scenario::Trigger& trigger = result.trigger;
  const bool may_come_before =
      trigger.when && trigger.when->kind == scenario::Trigger::When::Kind::lease_end;
  if (by >= 0 || may_come_before || trigger.after_ns >= -by) {
    trigger.after_ns += by;
    move_range(result, OpenDuration::What::after, by);
    return result;
  }
  const bool has_one_strike = fault.most_strikes() == 1 && struck_at.size() == 1 &&
                              fault.find_open(OpenDuration::What::after) == nullptr;
  if (!has_one_strike || struck_at.front() < -by) return std::nullopt;
  trigger = {.when = std::nullopt, .after_ns = struck_at.front() + by};
  return result;
}

std::vector<std::vector<sim::TimeNs>> strikes_of(const RunRecord& example) {
  std::vector<std::vector<sim::TimeNs>> strikes(example.faults.size());
  for (const model::RecordedEvent& event : example.trace.events) {
    if (event.kind != model::trace_kind::fault_struck) continue;
    const auto number = static_cast<std::size_t>(event.number("fault"));
    if (number < strikes.size()) strikes[number].push_back(event.at);
  }
  return strikes;
}

std::vector<ExecutedStep> steps_of(const RunRecord& example, std::string_view node,
                                   std::string_view asker) {
  std::vector<ExecutedStep> steps;
  for (const model::RecordedEvent& event : example.trace.events) {
    if (event.kind != model::trace_kind::command_executed) continue;
    const ExecutedStep step = step_at(example, event);
    if (step.node == node && is_of(event.text("on_behalf_of"), asker)) add_once(steps, step);
  }
  return steps;
}

std::vector<ExecutedStep> steps_of_release(const RunRecord& example) {
  std::vector<ExecutedStep> most;
  std::map<std::string, std::vector<ExecutedStep>, std::less<>> under_way;  // by thread
  for (const model::RecordedEvent& event : example.trace.events) {
    if (event.kind == model::trace_kind::command_executed) {
      const auto release = under_way.find(event.text("on_behalf_of"));
      if (release == under_way.end()) continue;
      add_once(release->second, step_at(example, event));
      if (release->second.size() > most.size()) most = release->second;
    } else if (event.kind == model::trace_kind::service_invoked ||
               event.kind == model::trace_kind::service_completed) {
      const std::string& thread =
          example.trace.actors[static_cast<std::uint32_t>(event.actor)].name;
      under_way.erase(thread);
      if (event.text("kind") == "release") under_way.emplace(thread, std::vector<ExecutedStep>{});
    }
  }
  return most;
}

std::vector<MovedFault> try_moves(const scenario::FaultSpec& fault, std::size_t number,
                                  const BreaksMoved& breaks_moved) {
  const std::span<const std::int64_t> distances = strikes_single_messages(fault)
                                                      ? std::span<const std::int64_t>(one_message)
                                                      : std::span<const std::int64_t>(distances_ns);
  std::vector<MovedFault> found;
  try_direction(distances, -1, number, breaks_moved, found);
  try_direction(distances, +1, number, breaks_moved, found);
  std::sort(found.begin(), found.end(),
            [](const MovedFault& one, const MovedFault& other) { return one.by < other.by; });
  return found;
}

}  // namespace lockstep::search
