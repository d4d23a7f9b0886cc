#include "search/runs/untested.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "checker/put_to_the_test.h"
#include "model/faults/strike_effects.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/steps.h"
#include "scenario/text/durations.h"
#include "search/runs/scenario_outcome.h"

namespace lockstep::search {
namespace {

using scenario::FaultSpec;

std::string in_all_runs(std::uint64_t runs) {
  return runs == 1 ? std::string("in 1 run") : fmt::format("in {} runs", runs);
}

// -- what would change it, as lines of a scenario --

/// Longer than any lease there was; whole seconds.
std::string beyond_the_lease(const ScenarioOutcome& outcome) {
  const sim::DurationNs lease_ns = std::max(outcome.longest_lease_ns, 5 * sim::second_ns);
  return scenario::format_duration((2 * lease_ns / sim::second_ns + 1) * sim::second_ns);
}

std::string steps_of(const scenario::Scenario& scenario, bool hold_longer) {
  const scenario::ThreadSpec& thread = scenario.clients.front().threads.front();
  std::string text;
  for (std::size_t i = 0; i < thread.steps.size(); ++i) {
    if (!text.empty()) text += ", ";
    if (hold_longer && i + 1 == thread.steps.size()) text += "\"sleep 5s\", ";
    text += "\"" + scenario::write_step(thread.steps[i], scenario.lock_name) + "\"";
  }
  return text;
}

std::string another_client(const ScenarioOutcome& outcome, std::string_view why) {
  std::string name = "another";
  for (const scenario::ClientSpec& client : outcome.scenario.clients) {
    if (client.name == name) name += "-one";
  }
  return fmt::format("[[client]]  # {}\nname = \"{}\"\nrun  = [{}]", why, name,
                     steps_of(outcome.scenario, false));
}

std::string longer_hold(const ScenarioOutcome& outcome) {
  const scenario::ClientSpec& client = outcome.scenario.clients.front();
  return fmt::format("run = [{}]  # of {}: hold longer, while others ask",
                     steps_of(outcome.scenario, true), client.name);
}

bool is_one_thread(const scenario::Scenario& scenario) {
  return scenario.clients.size() == 1 && scenario.clients.front().threads.size() == 1;
}

/// Where the property asked for something that no client did.
std::string change_of_clients(const ScenarioOutcome& outcome, checker::Property property) {
  if (outcome.scenario.clients.front().threads.front().steps.empty()) return {};
  switch (property) {
    case checker::Property::mutual_exclusion:
    case checker::Property::valid_grant:
    case checker::Property::lease_linearizability:
    case checker::Property::harm:
    case checker::Property::hold_count:
    case checker::Property::no_leak:
    case checker::Property::fencing:
    case checker::Property::permits:
    case checker::Property::latch:
    case checker::Property::no_deadlock:
    case checker::Property::no_lost_wakeup:
    case checker::Property::no_starvation:
    case checker::Property::truthful_answers:
      return is_one_thread(outcome.scenario) ? another_client(outcome, "somebody else who wants it")
                                             : longer_hold(outcome);
    case checker::Property::fifo:
      return another_client(outcome, "a second one in the queue");
  }
  return {};
}

bool is_client(const scenario::Scenario& scenario, std::string_view name) {
  return std::any_of(scenario.clients.begin(), scenario.clients.end(),
                     [name](const scenario::ClientSpec& each) { return each.name == name; });
}

std::string when_somebody_holds(const ScenarioOutcome& outcome) {
  return fmt::format("when = \"{} acquired\"  # in place of at",
                     outcome.scenario.clients.front().name);
}

/// The node's data is to be lost, or to be behind, while somebody has the lock.
std::string loss_of_a_hold(const ScenarioOutcome& outcome) {
  const bool was_held = std::any_of(outcome.takeovers.begin(), outcome.takeovers.end(),
                                    [](const TakeoverSummary& each) { return each.runs_held > 0; });
  if (outcome.scenario.redis.replicas == 0 || !was_held) {
    return when_somebody_holds(outcome) + "\n" + longer_hold(outcome);
  }
  return fmt::format(
      "[[fault]]  # the replicas get nothing more before the master dies\n"
      "delay = \"replication\"\nby    = \"{}\"\ntimes = \"always\"",
      beyond_the_lease(outcome));
}

std::string failover_of(const ScenarioOutcome& outcome) {
  const bool is_operators = outcome.scenario.redis.topology == scenario::TopologyKind::independent;
  return fmt::format(
      "[[fault]]  # a failover while the replica is behind\n{}\nwhen = \"{} acquired\"",
      is_operators ? "promote = \"n1-replica-1\"" : "crash = \"n1\"",
      outcome.scenario.clients.front().name);
}

std::string change_of_fault(const ScenarioOutcome& outcome, const FaultSpec& fault) {
  const scenario::FaultForm& form = scenario::form_of(fault.kind);
  const std::string beyond = fmt::format("\"{}\"  # beyond the lease", beyond_the_lease(outcome));
  switch (form.theme) {
    case scenario::Theme::process:
      if (form.amount != scenario::Amount::none) return "by = " + beyond;
      if (scenario::lasts(form)) return "for = " + beyond;
      return is_client(outcome.scenario, fault.target) ? when_somebody_holds(outcome)
                                                       : loss_of_a_hold(outcome);
    case scenario::Theme::network:
      return form.amount == scenario::Amount::duration ? "by = " + beyond : "for = " + beyond;
    case scenario::Theme::message:
      if (fault.kind == scenario::FaultKind::reorder) return "at_most = " + beyond;
      return form.amount == scenario::Amount::duration
                 ? "by = " + beyond
                 : std::string("drop = \"reply to acquire\"  # a call of the lock");
    case scenario::Theme::replication:
      return fault.kind == scenario::FaultKind::promote ? loss_of_a_hold(outcome)
                                                        : failover_of(outcome);
    case scenario::Theme::clock:
    case scenario::Theme::by_operator:
    case scenario::Theme::client:
      return when_somebody_holds(outcome);
  }
  return {};
}

// -- why --

/// Of each fault that struck, when it would have mattered.
std::string why_no_fault_mattered(const ScenarioOutcome& outcome) {
  std::string words;
  for (std::size_t i = 0; i < outcome.probes.size(); ++i) {
    const ProbeSummary& probe = outcome.probes[i];
    if (probe.runs_struck == 0) continue;
    words += fmt::format("{}\"{}\" matters where {}", words.empty() ? "" : "; ", probe.fault,
                         scenario::form_of(outcome.scenario.faults[i].kind).mattered);
  }
  if (!words.empty()) return words;
  return outcome.scenario.open_faults ? "none of the faults that the runs drew mattered"
                                      : "no fault struck";
}

Untested untested(const ScenarioOutcome& outcome, const PropertySummary& summary) {
  Untested found;
  found.property = summary.property;
  found.why = fmt::format("{} held {}, but was put to the test in none: ",
                          checker::to_string(summary.property), in_all_runs(summary.held));
  if (summary.could_break == 0) {
    found.why += fmt::format("that takes a run in which {}",
                             checker::what_puts_to_the_test(summary.property));
    found.change = change_of_clients(outcome, summary.property);
    return found;
  }
  found.why += why_no_fault_mattered(outcome);
  const auto struck = std::find_if(outcome.probes.begin(), outcome.probes.end(),
                                   [](const ProbeSummary& each) { return each.runs_struck > 0; });
  if (struck != outcome.probes.end()) {
    const auto place = static_cast<std::size_t>(struck - outcome.probes.begin());
    found.change = change_of_fault(outcome, outcome.scenario.faults[place]);
  }
  return found;
}

}  // namespace

model::Mattered matters_to(checker::Property property) {
  switch (property) {
    case checker::Property::mutual_exclusion:
    case checker::Property::valid_grant:
    case checker::Property::lease_linearizability:
    case checker::Property::harm:
    case checker::Property::hold_count:
    case checker::Property::no_leak:
    case checker::Property::fencing:
    case checker::Property::permits:
    case checker::Property::latch:
    case checker::Property::truthful_answers:
      return model::Mattered::to_holders;
    case checker::Property::fifo:
    case checker::Property::no_deadlock:
    case checker::Property::no_lost_wakeup:
    case checker::Property::no_starvation:
      return model::Mattered::to_waiters;
  }
  return model::Mattered::to_holders;
}

void find_untested(ScenarioOutcome& outcome) {
  outcome.untested.clear();
  // What a file leaves open is for a search: a few of its runs need not come across everything.
  const bool is_sample = outcome.scenario.open_faults && outcome.numbers == RunNumbering::seeds;
  if (is_sample) return;
  for (const PropertySummary& each : outcome.properties) {
    const bool is_empty = each.expected == Expected::holds && each.violated == 0 && each.held > 0 &&
                          each.put_to_the_test == 0;
    if (is_empty) outcome.untested.push_back(untested(outcome, each));
  }
}

}  // namespace lockstep::search
