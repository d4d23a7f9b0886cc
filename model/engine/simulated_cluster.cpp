#include "model/engine/simulated_cluster.h"

#include <utility>

#include "checker/observations.h"
#include "checker/property.h"
#include "model/engine/host_settings.h"

namespace lockstep::model {

SimulatedCluster::SimulatedCluster(const scenario::Scenario& scenario_to_run,
                                   OpenFaultsBy open_faults_by, CompiledSources& sources,
                                   redis::ScriptEngine& scripts, LockPackage lock,
                                   ProgramLauncher* programs)
    : scenario(scenario_to_run),
      package(std::move(lock)),
      runtime(sources, scripts, package),
      judge(scenario, package, context),
      truth(context, package),
      hosts(scenario, package, context, truth, runtime, scripts, programs),
      faults(scenario.faults,
             {context.queue, context.trace, context.network, context.recorder, truth.locks,
              context.faults_actor, hosts.nodes(), hosts.clients(), package.state_key},
             scenario.heal_at_ns),
      unhealed(faults.environment(), truth.topology, hosts.sentinels(),
               package.find_number("wait_replicas").value_or(0) > 0),
      open_faults(scenario, faults),
      loop({scenario.horizon_ns, scenario.events_max}, context, hosts.clients()),
      digester(scenario, package, {context, truth, hosts, faults, sometimes, loop}) {
  set_latencies(scenario, context.network);
  truth.watch(scenario, hosts.clients(), hosts.nodes());
  context.network.set_interceptor(&faults);
  watch_sometimes();
  context.recorder.set_milestone_listener(&milestones());
  context.recorder.keep_names();
  are_faults_unlearnt_ = scenario.open_faults && open_faults_by == OpenFaultsBy::each_run;
  // Programs start with the first run, and not where somebody only looks at the scenario.
  if (!has_program(scenario)) learn_open_faults();
  runtime.require_offered(scenario);
}

void SimulatedCluster::watch_sometimes() {
  if (scenario.expect.sometimes.empty()) return;
  sometimes.emplace(scenario.expect.sometimes, context.recorder, context.trace, faults);
  if (sometimes->watches_sending()) faults.tell_of_sending();
  faults.set_struck_listener(&*sometimes);
}

scenario::MilestoneListener& SimulatedCluster::milestones() {
  if (sometimes) return *sometimes;
  return faults;
}

void SimulatedCluster::set_abstract_state_listener(AbstractStateListener* listener) {
  if (!abstract_states) abstract_states.emplace(truth.locks, context.queue, milestones());
  abstract_states->set_listener(listener);
  context.recorder.set_milestone_listener(listener != nullptr ? &*abstract_states : &milestones());
}

void SimulatedCluster::learn_open_faults() {
  if (!std::exchange(are_faults_unlearnt_, false)) return;
  open_faults.learn(package, context.trace, hosts, [this](sim::ChoiceSource& choices) {
    start_run(choices);
    loop.run_to_end();
    const OpenFaults::LearntRun learnt{loop.workload_ended_at(), truth.locks.longest_lease_ns()};
    close_run(RunEnd::at_rest);
    return learnt;
  });
}

void SimulatedCluster::start_run(sim::ChoiceSource& choices) {
  context.start_run();
  hosts.reset();
  context.network.reset_run(choices);
  truth.locks.start_run();
  hosts.start_run(choices);
  loop.start_run();
  truth.locks.report_start();
  if (sometimes) sometimes->start_run();
  if (abstract_states) abstract_states->start_run();
  open_faults.draw(choices);
  faults.start_run(choices);
}

void SimulatedCluster::close_run(RunEnd end) {
  judge.close({end, truth, hosts.clients(), hosts.nodes(), loop, faults, unhealed});
}

const RunResult& SimulatedCluster::run(sim::ChoiceSource& choices) {
  start_run(choices);
  const RunEnd end = loop.run_to_end();
  close_run(end);
  RunResult& result = judge.judge(end, truth, hosts.clients(), faults);
  if (sometimes) result.sometimes_seen = sometimes->seen();
  // A run whose states were all foreseen has digested none.
  const bool are_states_wanted = loop.has_step_listener() || digester.was_asked();
  result.are_clients_distinguishable = are_states_wanted && digester.may_distinguish_clients();
  result.client_failures.clear();
  result.script_failures.clear();
  // Of a counter nobody sees who has it; and what was stopped may have been about to.
  const bool may_never_have_it = package.state_shape == StateShape::count ||
                                 package.state_shape == StateShape::permits ||
                                 end == RunEnd::stopped;
  const bool was_held = may_never_have_it || !result.observations->beliefs.empty() ||
                        !result.observations->hold_changes.empty();
  const LockUse held = result.observations->has_fault_struck ? LockUse::held : LockUse::undisturbed;
  const LockUse use = was_held ? held : LockUse::never_held;
  for (Client* client : hosts.clients()) {
    client->end_run();
    result.are_clients_distinguishable |= client->client_number_was_read();
    result.client_failures.insert(result.client_failures.end(), client->failures().begin(),
                                  client->failures().end());
    std::string failure = client->request_failure(use);
    if (!failure.empty()) result.script_failures.push_back(std::move(failure));
  }
  return result;
}

}  // namespace lockstep::model
