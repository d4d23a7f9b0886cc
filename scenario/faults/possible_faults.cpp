// Whether what a fault waits for, or what is expected to happen sometimes, can happen in its
// scenario at all.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "scenario/faults/fault_forms.h"
#include "scenario/faults/faults.h"
#include "scenario/scenario.h"
#include "scenario/step_forms.h"
#include "scenario/steps.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"

namespace lockstep::scenario {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether another fault brings about that milestone of the target.
bool another_brings(const Scenario& scenario, std::size_t but, Milestone milestone,
                    std::string_view target) {
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    const FaultSpec& fault = scenario.faults[i];
    const bool is_named =
        fault.targets.empty() ? fault.target == target : contains(fault.targets, target);
    if (i != but && form_of(fault.kind).milestone == milestone && is_named) return true;
  }
  return false;
}

bool names_client(std::string_view actor, const ClientSpec& client) {
  return actor == client.name ||
         (actor.starts_with(client.name) && actor.substr(client.name.size()).starts_with('/'));
}

/// Calls with each step that the actor (a client or a thread) has.
template <typename Visitor>
void visit_steps(const Scenario& scenario, std::string_view actor, Visitor visit) {
  for (const ClientSpec& client : scenario.clients) {
    if (!names_client(actor, client)) continue;
    const std::uint32_t rounds = client.rounds_max.value_or(client.rounds);
    for (std::size_t i = 0; i < client.threads.size(); ++i) {
      if (actor != client.name && actor != fmt::format("{}/{}", client.name, i + 1)) continue;
      const auto& generate = client.threads[i].generate;
      for (const Step& step : client.threads[i].steps) visit(step, rounds);
      if (!generate) continue;
      // A hold is used once, and again after each one inside it.
      const std::uint64_t uses = 2 * std::uint64_t{generate->nesting} - 1;
      const std::uint64_t times =
          std::uint64_t{rounds} * generate->turns * generate->reentrancy * uses;
      for (const Step& step : generate->possible) visit(step, times);
    }
  }
}

bool ever_crashes(const Scenario& scenario, std::size_t but, std::string_view target) {
  bool has_step = false;
  visit_steps(scenario, target, [&has_step](const Step& step, std::uint64_t) {
    has_step = has_step || step.kind == StepKind::crash;
  });
  return has_step || another_brings(scenario, but, Milestone::crashed, target);
}

[[noreturn]] void complain_never(const LocatedText& when, const Trigger::When& moment,
                                 const std::string& reason) {
  when.complain(fmt::format("this moment never comes: {} is never {}; expected {}", moment.actor,
                            to_string(moment.milestone), reason));
}

/// Whether it is paused for some time, and not for ever.
bool ever_resumes(const Scenario& scenario, std::size_t but, std::string_view target) {
  if (scenario.heal_at_ns) return another_brings(scenario, but, Milestone::paused, target);
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    const FaultSpec& fault = scenario.faults[i];
    const bool is_named = fault.target == target || contains(fault.targets, target);
    const bool pauses = form_of(fault.kind).milestone == Milestone::paused;
    if (i != but && pauses && fault.for_ns && is_named) return true;
  }
  return false;
}

/// Milestones that only another fault, or the end of all faults, brings about.
void require_fault_for(const Scenario& scenario, std::size_t fault, const Trigger::When& moment,
                       const LocatedText& when) {
  const auto is_brought = [&](Milestone milestone) {
    return another_brings(scenario, fault, milestone, moment.actor);
  };
  // What died starts anew as all heals.
  const auto is_healed = [&] {
    return scenario.heal_at_ns &&
           (ever_crashes(scenario, fault, moment.actor) || is_brought(Milestone::stopped));
  };
  const std::string subject = fmt::format(" = \"{}\"", moment.actor);
  switch (moment.milestone) {
    case Milestone::paused:
      if (!is_brought(Milestone::paused)) {
        complain_never(when, moment, fmt::format("a [[fault]] pause{}", subject));
      }
      break;
    case Milestone::resumed:
      if (!ever_resumes(scenario, fault, moment.actor)) {
        complain_never(when, moment, fmt::format("a [[fault]] pause{} with 'for'", subject));
      }
      break;
    case Milestone::crashed:
      if (!ever_crashes(scenario, fault, moment.actor)) {
        complain_never(when, moment, fmt::format("a [[fault]] crash{} or a step 'crash'", subject));
      }
      break;
    case Milestone::restarted:
      if (!is_brought(Milestone::restarted) && !is_healed()) {
        complain_never(when, moment, fmt::format("a [[fault]] restart{}", subject));
      }
      break;
    case Milestone::stopped:
      if (!is_brought(Milestone::stopped)) {
        complain_never(when, moment, fmt::format("a [[fault]] shutdown{}", subject));
      }
      break;
    case Milestone::promoted:
      if (!is_brought(Milestone::promoted) &&
          scenario.redis.topology == TopologyKind::independent) {
        complain_never(when, moment, fmt::format("a [[fault]] promote{}", subject));
      }
      break;
    case Milestone::acquired:
    case Milestone::refused:
    case Milestone::releasing:
    case Milestone::released:
    case Milestone::read:
    case Milestone::wrote:
    case Milestone::executed:
    case Milestone::sent:
    case Milestone::finished:
    case Milestone::subjectively_down:
    case Milestone::objectively_down:
    case Milestone::elected:
    case Milestone::switched:
    case Milestone::logged:
      break;
  }
}

bool brings_about(StepKind step, Milestone milestone) {
  const StepForm& form = form_of(step);
  switch (milestone) {
    case Milestone::acquired:
      return form.role == StepRole::takes;
    case Milestone::refused:
      return form.role == StepRole::takes || form.role == StepRole::awaits;
    case Milestone::releasing:
    case Milestone::released:
      return form.role == StepRole::gives_back;
    case Milestone::read:
    case Milestone::wrote:
      return step == StepKind::write;
    case Milestone::executed:
    case Milestone::sent:
    case Milestone::finished:
    case Milestone::paused:
    case Milestone::resumed:
    case Milestone::crashed:
    case Milestone::restarted:
    case Milestone::promoted:
    case Milestone::stopped:
    case Milestone::subjectively_down:
    case Milestone::objectively_down:
    case Milestone::elected:
    case Milestone::switched:
    case Milestone::logged:
      return false;
  }
  return false;
}

bool comes_of_steps(Milestone milestone) {
  switch (milestone) {
    case Milestone::acquired:
    case Milestone::refused:
    case Milestone::releasing:
    case Milestone::released:
    case Milestone::read:
    case Milestone::wrote:
      return true;
    case Milestone::executed:
    case Milestone::sent:
    case Milestone::finished:
    case Milestone::paused:
    case Milestone::resumed:
    case Milestone::crashed:
    case Milestone::restarted:
    case Milestone::promoted:
    case Milestone::stopped:
    case Milestone::subjectively_down:
    case Milestone::objectively_down:
    case Milestone::elected:
    case Milestone::switched:
    case Milestone::logged:
      return false;
  }
  return false;
}

/// Whether the actor, or one of all, is a real program: what that does, no step says.
bool may_be_program(const Scenario& scenario, std::string_view actor) {
  return std::any_of(
      scenario.clients.begin(), scenario.clients.end(), [&](const ClientSpec& client) {
        return client.program &&
               (actor.empty() || actor == client.name || actor == client.name + "/1");
      });
}

/// Milestones that a step of the actor brings about: there is such a step, and often enough.
void require_step_for(const Scenario& scenario, const Trigger::When& moment,
                      const LocatedText& when) {
  if (may_be_program(scenario, moment.actor)) return;
  std::uint64_t times = 0;
  std::set<std::string_view> locks;
  visit_steps(scenario, moment.actor, [&](const Step& step, std::uint64_t rounds) {
    if (!brings_about(step.kind, moment.milestone)) return;
    for (const std::string& name : step.lock_names) {
      locks.insert(name);
      if (moment.detail.empty() || moment.detail == name) times += rounds;
    }
  });
  const std::string what(to_string(moment.milestone));
  if (locks.empty()) {
    when.complain(fmt::format("this moment never comes: no step of '{}' brings about '{}'",
                              moment.actor, what));
  }
  if (times == 0) {
    const std::vector<std::string_view> names(locks.begin(), locks.end());
    when.complain(fmt::format("this moment never comes: '{}' has no lock {}{} (it has {})",
                              moment.actor, in_quotes(moment.detail),
                              did_you_mean(moment.detail, names), listed(names)));
  }
  if (moment.nth > times) {
    when.complain(
        fmt::format("this moment never comes: the steps of '{}' bring about '{}' {}{} at most",
                    moment.actor, what, times, (times == 1 ? " time" : " times")));
  }
}

/// "finished": each thread does once.
void require_finishes(const Scenario& scenario, const Trigger::When& moment,
                      const LocatedText& when) {
  std::size_t threads = 0;
  for (const ClientSpec& client : scenario.clients) {
    if (moment.actor == client.name) threads = client.threads.size();
  }
  const std::size_t times = std::max<std::size_t>(threads, 1);
  if (moment.nth <= times) return;
  when.complain(fmt::format(
      "this moment never comes: '{}' finishes {}", moment.actor,
      times == 1 ? std::string("once") : fmt::format("{} times, once with each thread", times)));
}

/// Somebody takes that lock, or any.
void require_taking(const Scenario& scenario, std::string_view actor, std::string_view lock,
                    const LocatedText& where, std::string_view what) {
  bool takes = may_be_program(scenario, actor);
  visit_steps(scenario, actor, [&](const Step& step, std::uint64_t) {
    const bool is_meant = lock.empty() || contains(step.lock_names, lock);
    takes = takes || (form_of(step.kind).role == StepRole::takes && is_meant);
  });
  if (takes) return;
  where.complain(fmt::format("{}: no step of '{}' takes {}", what, actor,
                             lock.empty() ? "a lock" : in_quotes(lock)));
}

}  // namespace

void require_possible(const Scenario& scenario, std::size_t fault, const LocatedText& when) {
  const FaultSpec& spec = scenario.faults[fault];
  const bool ever_ends = ever_crashes(scenario, fault, spec.target) ||
                         another_brings(scenario, fault, Milestone::stopped, spec.target);
  if (form_of(spec.kind).target.state == TargetState::down && !ever_ends) {
    throw InputError(
        scenario.fault_places[fault],
        fmt::format(
            "'{}' never ends, so it can't restart; expected a [[fault]] crash, power_loss or "
            "shutdown = \"{}\" too",
            spec.target, spec.target));
  }
  const bool is_replica = spec.target.find("-replica-") != std::string::npos;
  const TargetKind target = form_of(spec.kind).target.kind;
  const bool writes = target == TargetKind::master || target == TargetKind::lock_key;
  if (writes && is_replica && scenario.redis.topology == TopologyKind::independent &&
      !another_brings(scenario, fault, Milestone::promoted, spec.target)) {
    throw InputError(
        scenario.fault_places[fault],
        fmt::format(
            "'{}' is a read-only replica; expected a master, or a [[fault]] promote = \"{}\" too",
            spec.target, spec.target));
  }
  if (!spec.trigger.when) return;
  require_moment(scenario, fault, *spec.trigger.when, when);
}

void require_moment(const Scenario& scenario, std::size_t but, const Trigger::When& moment,
                    const LocatedText& text) {
  if (moment.kind == Trigger::When::Kind::lease_end) {
    return require_taking(scenario, moment.actor, moment.detail, text, "this moment never comes");
  }
  if (moment.kind != Trigger::When::Kind::milestone) return;
  require_fault_for(scenario, but, moment, text);
  if (comes_of_steps(moment.milestone)) require_step_for(scenario, moment, text);
  if (moment.milestone == Milestone::finished) require_finishes(scenario, moment, text);
}

void require_believer(const Scenario& scenario, const Sometimes& sometimes,
                      const LocatedText& name) {
  require_taking(scenario, sometimes.believer, sometimes.believed_lock, name, "this never happens");
}

}  // namespace lockstep::scenario
