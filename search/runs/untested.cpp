#include "search/runs/untested.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/kept_run.h"
#include "checker/observations.h"
#include "checker/put_to_the_test.h"
#include "checker/text.h"
#include "checker/verdict.h"
#include "checker/verdict_kind.h"
#include "model/engine/run_result.h"
#include "model/faults/slow_network.h"
#include "model/faults/strike_effects.h"
#include "model/recorded_trace.h"
#include "model/trace_vocabulary.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/options.h"
#include "scenario/participants.h"
#include "scenario/scenario.h"
#include "scenario/step_forms.h"
#include "scenario/steps.h"
#include "scenario/text/durations.h"
#include "search/runs/run_record.h"
#include "search/runs/scenario_outcome.h"

namespace lockstep::search {
namespace {

using scenario::FaultSpec;
using scenario::Scenario;

std::string in_all_runs(std::uint64_t runs) {
  return runs == 1 ? std::string("in 1 run") : fmt::format("in {} runs", runs);
}

/// A semaphore or a latch whose holds have no leases.
bool is_number(const ScenarioOutcome& outcome) {
  return outcome.longest_lease_ns == 0 &&
         std::any_of(outcome.properties.begin(), outcome.properties.end(),
                     [](const PropertySummary& each) {
                       return each.property == checker::Property::permits ||
                              each.property == checker::Property::latch;
                     });
}

/// What would have mattered, and when.
class Conditions {
 public:
  void add(std::string what, std::string_view when) {
    const auto same = std::find_if(told_.begin(), told_.end(),
                                   [when](const auto& each) { return each.second == when; });
    if (same == told_.end()) {
      told_.emplace_back(std::move(what), when);
    } else {
      same->first += also + what;
    }
  }

  /// What is said of several, once.
  [[nodiscard]] std::string words() const {
    std::string words;
    for (const auto& [what, when] : told_) {
      const std::size_t first_ends = what.find(also);
      words += fmt::format("{}{} matters where {}{}", words.empty() ? "" : "; ",
                           what.substr(0, first_ends), when,
                           first_ends == std::string::npos ? "" : what.substr(first_ends));
    }
    return words;
  }

 private:
  static constexpr const char* also = ", and so does ";
  std::vector<std::pair<std::string, std::string>> told_;
};

bool has_clients_alone(const Scenario& scenario, const FaultSpec& fault) {
  const scenario::Participants participants(scenario.redis, scenario.clients);
  const std::string& target = fault.targets.empty() ? fault.target : fault.targets.front();
  const scenario::Participant* const struck = participants.find(target);
  return struck != nullptr && struck->role == scenario::ParticipantKind::client;
}

/// Of a sentence about clients and nodes, and about replicas, what this scenario may bring about.
std::string what_concerns(const Scenario& scenario, const FaultSpec& fault, std::string_view when) {
  constexpr std::string_view of_node = "; of a node: where ";
  constexpr std::string_view of_replica = "; where a replica takes over: ";
  const std::size_t node = when.find(of_node);
  if (node != std::string_view::npos) {
    when = has_clients_alone(scenario, fault) ? when.substr(0, node)
                                              : when.substr(node + of_node.size());
  }
  if (scenario.redis.replicas > 0) return std::string(when);
  std::string words(when.substr(0, when.find(of_replica)));
  constexpr std::string_view or_replica = ", or a replica takes over that has not received it";
  if (const std::size_t at = words.find(or_replica); at != std::string::npos) {
    words.erase(at, or_replica.size());
  }
  return words;
}

/// Of each fault that struck, and of what the network makes slow.
std::string why_no_fault_mattered(const ScenarioOutcome& outcome) {
  const bool of_number = is_number(outcome);
  Conditions conditions;
  for (std::size_t i = 0; i < outcome.probes.size(); ++i) {
    const ProbeSummary& probe = outcome.probes[i];
    if (probe.runs_struck == 0) continue;
    const scenario::FaultForm& form = scenario::form_of(outcome.scenario->faults[i].kind);
    const std::string_view when =
        of_number ? scenario::mattered_to_a_number(form) : std::string_view(form.mattered);
    conditions.add(fmt::format("\"{}\"", probe.fault),
                   what_concerns(*outcome.scenario, outcome.scenario->faults[i], when));
  }
  for (const model::SlowPart& part : model::slow_parts(*outcome.scenario)) {
    conditions.add(part.describe(), part.mattered());
  }
  std::string words = conditions.words();
  if (!words.empty()) return words;
  return outcome.scenario->open_faults ? "none of the faults that the runs drew mattered"
                                       : "no fault struck";
}

std::string_view when_it_happened(model::TakeoverKind kind) {
  switch (kind) {
    case model::TakeoverKind::promotion:
      return "the replica became the master";
    case model::TakeoverKind::restart:
      return "the node was back";
    case model::TakeoverKind::resynchronisation:
      return "the master was made to follow another";
  }
  return "";
}

/// "; in 20 of 20 runs nobody had the lock any more when the replica became the master", or nothing
/// was lost then.
std::string why_nothing_was_lost(const ScenarioOutcome& outcome) {
  std::string words;
  for (const TakeoverSummary& each : outcome.takeovers) {
    if (each.runs_held > 0 && each.runs_lacked == 0) {
      words += fmt::format("; in {} of {} nothing was lost when {}", each.runs_held,
                           checker::counted(static_cast<std::int64_t>(outcome.runs), "run"),
                           when_it_happened(each.kind));
    }
    if (each.runs == 0 || each.runs_held == each.runs) continue;
    words += fmt::format("; in {} of {} nobody had the lock any more when {}",
                         each.runs - each.runs_held,
                         checker::counted(static_cast<std::int64_t>(outcome.runs), "run"),
                         when_it_happened(each.kind));
  }
  return words;
}

/// What a file leaves open is for a search: a few of its runs need not come across everything.
bool is_sample(const ScenarioOutcome& outcome) {
  return outcome.scenario->open_faults && outcome.numbers == RunNumbering::seeds;
}

std::string more_runs(const ScenarioOutcome& outcome) {
  constexpr std::uint64_t some = 20;
  constexpr std::uint64_t times_more = 5;
  return fmt::format("; each run draws others: --seeds {} tries more",
                     outcome.runs < some ? some : outcome.runs * times_more);
}

// -- what a person would want to know besides --

bool wants_something(const scenario::ClientSpec& client) {
  bool wants = false;
  for (const scenario::ThreadSpec& thread : client.threads) {
    wants |= thread.generate.has_value();
    scenario::visit_possible_steps(thread, [&wants](const scenario::Step& step) {
      const scenario::StepRole role = scenario::form_of(step.kind).role;
      wants |= role != scenario::StepRole::none && role != scenario::StepRole::asks;
    });
  }
  return wants;
}

/// Of whom the fault strikes alone: that it is nobody whom the lock needs; empty: it may be.
std::string why_target_is_aside(const Scenario& scenario, const FaultSpec& fault) {
  const scenario::Participants participants(scenario.redis, scenario.clients);
  const scenario::Participant* const struck = participants.find(fault.target);
  if (struck == nullptr) return {};
  if (struck->role == scenario::ParticipantKind::sentinel) {
    return fmt::format("; no lock needs {}, a sentinel, while the others vote", fault.target);
  }
  const bool is_idle = struck->role == scenario::ParticipantKind::client &&
                       !scenario::has_program(scenario) &&
                       !wants_something(scenario.clients[struck->number]);
  return is_idle ? fmt::format("; {} never asks for the lock", fault.target) : std::string();
}

/// Of faults that struck, and to waiters that one never ends.
std::string what_faults_strike(const ScenarioOutcome& outcome, const PropertySummary& summary) {
  std::string words;
  const Scenario& scenario = *outcome.scenario;
  const bool is_liveness = matters_to(summary.property) == model::Mattered::to_waiters &&
                           summary.property != checker::Property::fifo && !scenario.heal_at_ns;
  for (std::size_t i = 0; i < outcome.probes.size(); ++i) {
    if (outcome.probes[i].runs_struck == 0) continue;
    const FaultSpec& fault = scenario.faults[i];
    words += why_target_is_aside(scenario, fault);
    if (is_liveness && scenario::lasts(scenario::form_of(fault.kind)) && !fault.for_ns) {
      words += fmt::format("; \"{}\" never ends", outcome.probes[i].fault);
    }
  }
  return words;
}

/// "a, b and 2 more", of those who are named once.
std::string some_of(const std::vector<std::string_view>& names) {
  constexpr std::size_t named_max = 3;
  const std::size_t named = std::min(names.size(), named_max);
  std::string words = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(named), ", "));
  if (names.size() > named) words += fmt::format(" and {} more", names.size() - named);
  return words;
}

void add_once(std::vector<std::string_view>& names, std::string_view name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// Whose release had no answer, so that what it was to give back may be lost.
std::string what_was_not_given_back(const RunRecord& example) {
  std::vector<std::string_view> names;
  for (const model::RecordedEvent& event : example.trace.events) {
    const std::string_view step = event.text("step");
    const bool gives_back =
        step.starts_with("release") || step.find("unlock") != std::string_view::npos;
    if (event.kind != model::trace_kind::step_completed || !gives_back ||
        event.text("outcome") != "info") {
      continue;
    }
    add_once(names, example.trace.actors[static_cast<std::uint32_t>(event.actor)].name);
  }
  return names.empty() ? std::string()
                       : fmt::format("; no answer came to what {} gave back", some_of(names));
}

/// Who waited for what never came, and whether anybody got anything at all.
std::string what_became_of_callers(const ScenarioOutcome& outcome) {
  const checker::KeptRun& run = *outcome.example.judged;
  std::vector<std::string_view> waiting;
  for (const checker::Wait& wait : run.observations.waits) {
    if (wait.end != checker::WaitEnd::run_over) continue;
    add_once(waiting, checker::name_of(run.names, wait.owner));
  }
  std::string words = what_was_not_given_back(outcome.example);
  if (!waiting.empty()) words += "; " + some_of(waiting) + " still waited when the run was over";
  const bool is_of_leases = !is_number(outcome) && !run.observations.waits.empty();
  if (is_of_leases && run.observations.beliefs.empty())
    words += "; nobody was ever told that it has the lock";
  return words;
}

/// What an option of the file protects from the fault, and from every change of it.
std::string what_acknowledgement_protects(const Scenario& scenario) {
  const auto asked = scenario.options.find("wait_replicas");
  if (asked == scenario.options.end() || asked->second == scenario::OptionValue(std::int64_t{0})) {
    return {};
  }
  return "; a lock that no replica has acknowledged is refused (wait_replicas), and that keeps a "
         "failover from losing one";
}

/// Why nobody's wait counts where nothing but the network's slowness is in the way.
std::string what_slowness_excuses(const ScenarioOutcome& outcome, const PropertySummary& summary) {
  const bool is_of_waits = summary.property == checker::Property::no_deadlock ||
                           summary.property == checker::Property::no_lost_wakeup;
  const Scenario& scenario = *outcome.scenario;
  const auto& waits = outcome.example.judged->observations.waits;
  if (!is_of_waits || !scenario.faults.empty() || scenario.open_faults || waits.empty() ||
      !std::all_of(waits.begin(), waits.end(), [](const auto& each) { return each.is_hopeless; })) {
    return {};
  }
  return "; no wait counts where a hop may take more than a tenth of a call's time-out, or of the "
         "bounds in [liveness]";
}

std::string what_else(const ScenarioOutcome& outcome, const PropertySummary& summary) {
  return what_faults_strike(outcome, summary) + what_slowness_excuses(outcome, summary) +
         what_became_of_callers(outcome) + what_acknowledgement_protects(*outcome.scenario);
}

/// Where there are no faults none is over.
std::string_view what_it_takes(const ScenarioOutcome& outcome, const PropertySummary& summary) {
  const std::string_view words = checker::what_puts_to_the_test(summary.property);
  const Scenario& scenario = *outcome.scenario;
  if (!scenario.faults.empty() || scenario.open_faults) return words;
  return words.substr(0, words.find(", and was to be served once the last fault was over"));
}

/// Where a fault mattered to holders, and only what they wrote had been written before.
bool wrote_too_early(const ScenarioOutcome& outcome, const PropertySummary& summary) {
  return matters_to(summary.property) == model::Mattered::to_writers &&
         std::any_of(outcome.properties.begin(), outcome.properties.end(),
                     [](const PropertySummary& each) {
                       return matters_to(each.property) == model::Mattered::to_holders &&
                              each.put_to_the_test > 0;
                     });
}

Untested untested(const ScenarioOutcome& outcome, const PropertySummary& summary) {
  Untested found;
  found.property = summary.property;
  found.why = fmt::format("{} held {}, but was put to the test in none: ",
                          checker::to_string(summary.property), in_all_runs(summary.held));
  if (summary.could_break == 0) {
    found.why += fmt::format("that takes a run in which {}", what_it_takes(outcome, summary));
    found.why += what_else(outcome, summary);
    return found;
  }
  if (wrote_too_early(outcome, summary)) {
    found.why += "that takes two who write after a fault has struck, or a write that is refused";
    return found;
  }
  found.why +=
      why_no_fault_mattered(outcome) + why_nothing_was_lost(outcome) + what_else(outcome, summary);
  if (is_sample(outcome)) found.why += more_runs(outcome);
  return found;
}

void list_untested(ScenarioOutcome& outcome) {
  const bool is_open = outcome.scenario->open_faults.has_value();
  for (const PropertySummary& each : outcome.properties) {
    const bool is_asked =
        each.expected == Expected::holds || (each.expected == Expected::violated && !is_open);
    const bool is_empty =
        is_asked && each.violated == 0 && each.held > 0 && each.put_to_the_test == 0;
    if (is_empty) outcome.untested.push_back(untested(outcome, each));
  }
}

}  // namespace

model::Mattered matters_to(checker::Property property) {
  switch (property) {
    case checker::Property::mutual_exclusion:
    case checker::Property::permits:
    case checker::Property::latch:
      return model::Mattered::to_holders;
    case checker::Property::fencing:
      return model::Mattered::to_rivals;
    case checker::Property::harm:
      return model::Mattered::to_writers;
    case checker::Property::valid_grant:
      return model::Mattered::to_callers;
    case checker::Property::lease_linearizability:
    case checker::Property::hold_count:
    case checker::Property::no_leak:
    case checker::Property::truthful_answers:
      return model::Mattered::to_owners;
    case checker::Property::fifo:
    case checker::Property::no_deadlock:
    case checker::Property::no_lost_wakeup:
    case checker::Property::no_starvation:
      return model::Mattered::to_waiters;
  }
  return model::Mattered::to_writers;
}

namespace {

/// Two had the lock, and both wrote from then on.
bool two_wrote_with_it(const model::RunResult& result, const checker::Verdict& verdict) {
  const auto last_ns = model::last_time_of_two_writers(*result.observations);
  return last_ns && verdict.overlap_from_ns && *verdict.overlap_from_ns <= *last_ns;
}

}  // namespace

model::Mattered most_that_mattered(const Scenario& scenario, const model::RunResult& result) {
  const bool has_faults = !scenario.faults.empty() || scenario.open_faults.has_value() ||
                          !result.network_effects.empty();
  model::Mattered most = has_faults ? model::Mattered::no : model::Mattered::to_writers;
  for (const model::Mattered each : result.fault_effects) most = std::max(most, each);
  for (const model::Mattered each : result.network_effects) most = std::max(most, each);
  for (const checker::Verdict& verdict : *result.verdicts) {
    if (verdict.kind != checker::VerdictKind::violated) continue;
    const auto is_it = [&verdict](checker::Property each) { return each == verdict.property; };
    const std::vector<checker::Property>& violates = scenario.expect.violates;
    const std::vector<checker::Property>& holds = scenario.expect.holds;
    const bool is_told = std::any_of(violates.begin(), violates.end(), is_it);
    const bool is_asked = is_told || std::any_of(holds.begin(), holds.end(), is_it);
    if (!is_asked && verdict.property != checker::Property::mutual_exclusion) continue;
    // A grant that is not valid may be one of what another has.
    const bool is_of_grant = verdict.property == checker::Property::valid_grant;
    model::Mattered to = is_of_grant ? model::Mattered::to_holders : matters_to(verdict.property);
    if (is_told || two_wrote_with_it(result, verdict)) to = model::Mattered::to_writers;
    most = std::max(most, to);
  }
  return most;
}

bool is_put_to_the_test(const checker::Verdict& verdict, model::Mattered mattered) {
  const bool is_broken = verdict.kind == checker::VerdictKind::violated;
  return verdict.put_to_the_test && (is_broken || mattered >= matters_to(verdict.property));
}

void find_untested(ScenarioOutcome& outcome) {
  outcome.untested.clear();
  if (!is_sample(outcome)) list_untested(outcome);
}

void find_untested_of_sample(ScenarioOutcome& outcome) {
  if (!is_sample(outcome) || outcome.interrupted) return;
  list_untested(outcome);
  const bool is_unknown = outcome.kind == OutcomeKind::as_expected && !outcome.untested.empty();
  if (is_unknown) outcome.kind = OutcomeKind::unknown;
}

}  // namespace lockstep::search
