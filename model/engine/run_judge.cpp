#include "model/engine/run_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "checker/property.h"
#include "model/client/client.h"
#include "model/engine/host_settings.h"
#include "model/faults/fault_injector.h"
#include "model/faults/unhealed_faults.h"
#include "model/lock/lock_package.h"
#include "model/node/redis_node.h"
#include "model/trace_vocabulary.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"

namespace lockstep::model {
namespace {

/// A crashed client's permits are out for ever, a call of unknown outcome may have taken some.
PermitsCount permits_count(std::span<Client* const> clients) {
  const bool all_known = std::all_of(clients.begin(), clients.end(), [](const Client* client) {
    return client->state() != sim::HostState::crashed && client->outcomes_are_known();
  });
  return all_known ? PermitsCount::known : PermitsCount::unknown;
}

}  // namespace

RunJudge::RunJudge(const scenario::Scenario& scenario, const LockPackage& package,
                   RunContext& context)
    : scenario_(scenario),
      package_(package),
      context_(context),
      judged_(judged_properties(package, scenario)),
      slow_network_(slow_parts(scenario)) {
  require_measurable();
}

void RunJudge::require_measurable() const {
  const scenario::Expectation& expect = scenario_.expect;
  const bool has_overlaps = std::find(judged_.begin(), judged_.end(),
                                      checker::Property::mutual_exclusion) != judged_.end();
  if (!expect.overlap_at_most_ns || has_overlaps) return;
  throw scenario::InputError(
      expect.place, fmt::format("'overlap_at_most' says nothing of the lock '{}', which several "
                                "may have at once",
                                package_.full_name()));
}

bool RunJudge::no_open_beliefs() const {
  const auto& beliefs = context_.recorder.observations().beliefs;
  return std::none_of(beliefs.begin(), beliefs.end(), [](const checker::Belief& belief) {
    return belief.end == checker::BeliefEnd::run_over;
  });
}

void RunJudge::require_judged_keys(const GroundTruth& truth) const {
  const auto& misplaced = truth.locks.misplaced_key();
  if (!misplaced) return;
  throw scenario::InputError(
      {package_.state_file, package_.state_line, package_.state_column},
      fmt::format(
          "the key '{}' is judged on {} alone, the master of its slot, but {} has written it "
          "on {} too; expected nodes = \"quorum\" in [state] where who has it on more than "
          "half of the masters has the lock, or a client model that writes it on "
          "client.node_of('{}') alone",
          misplaced->key, misplaced->judged_node, misplaced->by, misplaced->node, misplaced->key));
}

void RunJudge::close(const EndedRun& run) {
  require_judged_keys(run.truth);
  sim::EventQueue& queue = context_.queue;
  Recorder& recorder = context_.recorder;
  // Who sleeps or waits at the horizon has done so until then, not until something last happened.
  if (run.end == RunEnd::horizon) queue.advance_to(scenario_.horizon_ns);
  // Who is still at work when everything of the workload is long over, is at it for ever: a run
  // that a leaked renewal keeps alive has come to rest as far as leaks go.
  const bool all_over =
      run.loop.is_long_over(run.truth.locks.longest_lease_ns()) && no_open_beliefs();
  const bool at_rest = run.end == RunEnd::at_rest || (run.end != RunEnd::stopped && all_over);
  if (at_rest) add_residues(run);
  const bool is_cut_off = run.end == RunEnd::horizon || run.end == RunEnd::event_limit;
  if (is_cut_off) tell_who_is_at_work(run.clients);
  recorder.set_came_to_rest(at_rest);
  mark_unhealed(run);
  recorder.close();
  context_.trace.emit(queue.now(), trace_kind::run_ended, sim::no_actor,
                      {{"why", to_string(run.end)}});
}

void RunJudge::add_residues(const EndedRun& run) {
  const PermitsCount permits = permits_count(run.clients);
  run.truth.locks.report_residues(permits, subscriptions_in_use(run));
  // Whose call raised an error may have left its place there.
  const auto& waits = context_.recorder.observations().waits;
  const bool all_told = std::all_of(waits.begin(), waits.end(), [](const checker::Wait& wait) {
    return wait.end == checker::WaitEnd::granted || wait.end == checker::WaitEnd::refused;
  });
  const bool all_done = permits == PermitsCount::known && all_told &&
                        std::all_of(run.clients.begin(), run.clients.end(),
                                    [](const Client* client) { return client->finished(); });
  if (all_done) run.truth.locks.report_left_places();
  for (const Client* client : run.clients) {
    if (!client->finished()) continue;  // its tasks are at the work of those who wait
    for (LiveTask& task : client->live_tasks()) {
      // Who may stay subscribed may have a task that listens.
      if (!task.channel.empty() && run.truth.locks.may_stay_subscribed(task.channel)) continue;
      context_.recorder.add(
          {checker::ResidueKind::background_task, std::move(task.name), context_.recorder.now()});
    }
  }
}

SubscriptionsInUse RunJudge::subscriptions_in_use(const EndedRun& run) const {
  const sim::Network& network = context_.network;
  SubscriptionsInUse in_use;
  for (const Client* client : run.clients) {
    if (!client->finished()) {
      for (std::string& channel : client->live_subscriptions()) {
        in_use.channels.push_back(std::move(channel));
      }
    }
    const sim::HostId id = *network.find_host(client->name());
    for (const RedisNode* node : run.nodes) {
      if (network.is_cut(id, node->host_id()) || network.is_cut(node->host_id(), id)) {
        in_use.cut_off_from.push_back(node->host_id());
      }
    }
  }
  return in_use;
}

void RunJudge::tell_who_is_at_work(std::span<Client* const> clients) {
  for (const Client* client : clients) {
    if (client->state() != sim::HostState::running) continue;
    for (std::size_t thread = 0; thread < client->thread_count(); ++thread) {
      if (client->is_at_work(thread)) context_.recorder.add_at_work(client->name_of(thread));
    }
  }
}

void RunJudge::mark_unhealed(const EndedRun& run) {
  run.unhealed.clear();
  run.faults.tell_unhealed(run.unhealed, slowness_max_ns());
  run.unhealed.keep_from_slow_network(scenario_, slowness_max_ns());
  run.unhealed.mark_waits();
}

/// Every step of a handover takes a part of a bound, and every answer has to come in time.
sim::DurationNs RunJudge::slowness_max_ns() const {
  constexpr std::int64_t parts = 10;
  sim::DurationNs least_ns = std::min(scenario_.liveness.progress_ns, scenario_.liveness.wakeup_ns);
  if (const std::optional<std::int64_t> timeout_ms = package_.find_number("timeout_ms")) {
    least_ns = std::min<sim::DurationNs>(least_ns, *timeout_ms * sim::millisecond_ns);
  }
  return least_ns / parts;
}

RunResult& RunJudge::judge(RunEnd end, const GroundTruth& truth, std::span<Client* const> clients,
                           const FaultInjector& faults) {
  const Recorder& recorder = context_.recorder;
  result_.hash = context_.trace.hash();
  result_.event_count = context_.trace.event_count();
  result_.ended_at_ns = context_.queue.now();
  result_.end = end;
  result_.names = &recorder.names();
  result_.history = &recorder.history();
  result_.observations = &recorder.observations();
  const checker::Run run{recorder.names(),          recorder.history(),
                         recorder.observations(),   scenario_.declared_drift_ppm,
                         package_.judged_reentry(), package_.refusals,
                         scenario_.liveness,        slowest_hop_ns(scenario_),
                         package_.service};
  result_.verdicts = &checker_.check(run, judged_);
  if (scenario_.expect.has_bounds()) {
    measures_ = measurer_.measure(run);
    result_.measures = &*measures_;
  }
  result_.faults = &faults.faults();
  result_.fault_strikes = faults.strikes();
  result_.strike_spans = faults.spans();
  result_.takeovers = &truth.locks.takeovers();
  const bool has_holds =
      package_.state_shape != StateShape::permits && package_.state_shape != StateShape::count;
  const StrikeFacts facts{run,
                          truth.locks.takeovers(),
                          clients,
                          has_holds,
                          package_.state_nodes == StateNodes::quorum,
                          package_.state_shape != StateShape::count,
                          slowness_max_ns(),
                          truth.locks.nodes_in_use(),
                          truth.locks.longest_lease_ns()};
  result_.fault_effects = strike_effects_.judge(facts, faults.spans(), faults.faults().size());
  judge_network(facts, faults);
  result_.longest_lease_ns = truth.locks.longest_lease_ns();
  return result_;
}

void RunJudge::judge_network(const StrikeFacts& facts, const FaultInjector& faults) {
  network_spans_.clear();
  for (std::size_t i = 0; i < slow_network_.size(); ++i) {
    network_spans_.push_back(faults.whole_run(slow_network_[i], i));
  }
  result_.network_effects = network_effects_.judge(facts, network_spans_, slow_network_.size());
}

}  // namespace lockstep::model
