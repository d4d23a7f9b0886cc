#include "model/engine/engine.h"

#include <utility>

#include "lua/interpreter/state.h"
#include "model/client/runtime/compiled_sources.h"
#include "model/client/runtime/runtime.h"
#include "model/engine/run_result.h"
#include "model/engine/simulated_cluster.h"
#include "model/lock/loaded_locks.h"
#include "model/lock/lock_package.h"
#include "redis/scripting/script_engine.h"

namespace lockstep::model {

std::string_view to_string(RunEnd end) {
  switch (end) {
    case RunEnd::at_rest:
      return "at-rest";
    case RunEnd::stopped:
      return "stopped";
    case RunEnd::horizon:
      return "horizon";
    case RunEnd::event_limit:
      return "event-limit";
  }
  return "at-rest";
}

struct Engine::Implementation {
  LoadedLocks locks;
  ProgramLauncher* programs;
  lua::State lua;
  redis::ScriptEngine scripts{lua};
  CompiledSources sources{lua};

  /// A script that never ends is ended again and again, for each client that asks: each time after
  /// a tenth of a second, not a whole one.
  Implementation(std::vector<std::filesystem::path> script_folders, ProgramLauncher* launcher)
      : locks(std::move(script_folders)), programs(launcher) {
    scripts.set_instruction_limit(10'000'000);
  }
};

Engine::Engine(std::vector<std::filesystem::path> script_folders, ProgramLauncher* programs)
    : implementation_(std::make_unique<Implementation>(std::move(script_folders), programs)) {}

Engine::~Engine() = default;

std::unique_ptr<Simulation> Engine::prepare(const scenario::Scenario& scenario,
                                            OpenFaultsBy open_faults) {
  return std::make_unique<Simulation>(std::make_unique<SimulatedCluster>(
      scenario, open_faults, implementation_->sources, implementation_->scripts,
      implementation_->locks.load(scenario), implementation_->programs));
}

std::vector<scenario::StepKind> Engine::offered(const LockPackage& lock) {
  const ClientRuntime runtime(implementation_->sources, implementation_->scripts, lock);
  const std::span<const scenario::StepKind> kinds = runtime.offered();
  return {kinds.begin(), kinds.end()};
}

// -- Simulation: each question goes to the part that knows --

Simulation::Simulation(std::unique_ptr<SimulatedCluster> cluster) : cluster_(std::move(cluster)) {}

Simulation::~Simulation() = default;

const RunResult& Simulation::run(sim::ChoiceSource& choices, sim::TraceSink* sink,
                                 redis::NodeObserver* observer) {
  cluster_->learn_open_faults();
  cluster_->context.trace.set_sink(sink);
  cluster_->hosts.set_observer(observer);
  const RunResult& result = cluster_->run(choices);
  cluster_->context.trace.set_sink(nullptr);
  cluster_->hosts.set_observer(nullptr);
  return result;
}

void Simulation::set_abstract_state_listener(AbstractStateListener* listener) {
  cluster_->set_abstract_state_listener(listener);
}

void Simulation::set_step_listener(StepListener* listener) {
  cluster_->loop.set_step_listener(listener);
}

StateDigest Simulation::digest() { return cluster_->digester.digest(); }

std::vector<DigestPart> Simulation::digest_parts() { return cluster_->digester.digest_parts(); }

bool Simulation::is_unmergeable() const { return cluster_->digester.is_unmergeable(); }

std::optional<std::vector<sim::Latency>> Simulation::delays_of_instant() const {
  const sim::Network& network = cluster_->context.network;
  const std::optional<std::size_t> count = network.delays_drawn_at_instant();
  if (!count) return std::nullopt;
  std::vector<sim::Latency> ranges;
  for (std::size_t i = 0; i < *count; ++i) ranges.push_back(network.range_of_delay(i));
  return ranges;
}

void Simulation::replace_drawn_delays(std::span<const sim::DurationNs> delays) {
  cluster_->context.network.replace_drawn_delays(delays);
}

NextStep Simulation::next_step() { return cluster_->loop.next_step(); }

void Simulation::strike(const scenario::FaultSpec& fault) {
  sim::EventQueue& queue = cluster_->context.queue;
  queue.advance_to(queue.next_at());
  cluster_->faults.strike_now(fault);
}

bool Simulation::is_down(std::string_view host) const {
  return cluster_->hosts.find(host).state() == sim::HostState::crashed;
}

void Simulation::look_at(std::string_view host, HostView& view) const {
  cluster_->hosts.look_at(host, view);
}

const std::vector<sim::Actor>& Simulation::actors() const {
  return cluster_->context.trace.actors();
}

const scenario::Scenario& Simulation::scenario() const { return cluster_->scenario; }

const LockPackage& Simulation::lock() const { return cluster_->package; }

std::span<const checker::Property> Simulation::judged() const { return cluster_->judge.judged(); }

std::uint64_t Simulation::lock_digest() const { return digest_of(cluster_->package); }

}  // namespace lockstep::model
