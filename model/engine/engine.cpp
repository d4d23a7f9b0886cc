#include "model/engine/engine.h"

#include <utility>

#include "lua/interpreter/state.h"
#include "model/client/runtime/runtime.h"
#include "model/engine/simulated_cluster.h"
#include "model/lock/lock_package.h"
#include "redis/scripting/script_engine.h"
#include "redis/server/node_event.h"

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
  std::vector<std::filesystem::path> script_folders;
  lua::State lua;
  redis::ScriptEngine scripts{lua};
};

namespace {

/// The cluster together with the lock that it runs.
class PreparedScenario final : public Simulation {
 public:
  PreparedScenario(const scenario::Scenario& scenario, OpenFaultsBy open_faults, lua::State& lua,
                   redis::ScriptEngine& scripts, LockPackage package)
      : package_(std::move(package)),
        runtime_(lua, scripts, package_),
        cluster_(scenario, open_faults, scripts, runtime_) {
    runtime_.require_offered(scenario);
  }

  const RunResult& run(sim::ChoiceSource& choices, sim::TraceSink* sink,
                       redis::NodeObserver* observer) override {
    return cluster_.run(choices, sink, observer);
  }
  void set_abstract_state_listener(AbstractStateListener* listener) override {
    cluster_.set_abstract_state_listener(listener);
  }
  void set_step_listener(StepListener* listener) override { cluster_.set_step_listener(listener); }
  [[nodiscard]] StateDigest digest() override { return cluster_.digest(); }
  [[nodiscard]] std::vector<DigestPart> digest_parts() override { return cluster_.digest_parts(); }
  [[nodiscard]] bool is_unmergeable() const override { return cluster_.is_unmergeable(); }
  [[nodiscard]] std::optional<std::vector<sim::Latency>> delays_of_instant() const override {
    return cluster_.delays_of_instant();
  }
  void replace_drawn_delays(std::span<const sim::DurationNs> delays) override {
    cluster_.replace_drawn_delays(delays);
  }
  [[nodiscard]] NextStep next_step() override { return cluster_.next_step(); }
  void strike(const scenario::FaultSpec& fault) override { cluster_.strike(fault); }
  [[nodiscard]] bool is_down(std::string_view host) override { return cluster_.is_down(host); }
  void look_at(std::string_view host, HostView& view) override { cluster_.look_at(host, view); }
  [[nodiscard]] const std::vector<sim::Actor>& actors() const override { return cluster_.actors(); }
  [[nodiscard]] std::span<const checker::Property> judged() const override {
    return cluster_.judged();
  }
  [[nodiscard]] std::uint64_t lock_digest() const override { return cluster_.lock_digest(); }

 private:
  LockPackage package_;
  ClientRuntime runtime_;
  SimulatedCluster cluster_;
};

}  // namespace

Engine::Engine(std::vector<std::filesystem::path> script_folders)
    : implementation_(std::make_unique<Implementation>()) {
  implementation_->script_folders = std::move(script_folders);
}

Engine::~Engine() = default;

std::unique_ptr<Simulation> Engine::prepare(const scenario::Scenario& scenario,
                                            OpenFaultsBy open_faults) {
  return std::make_unique<PreparedScenario>(scenario, open_faults, implementation_->lua,
                                            implementation_->scripts,
                                            load_lock(scenario, implementation_->script_folders));
}

}  // namespace lockstep::model
