// One scenario made ready to run: its hosts, its network, its faults, and the loop that runs them.
//
// Everything is built once and reset for each run. The order of the actors is the order of the
// lanes in a timeline: faults, clients with their threads, Redis nodes (each master beside its
// replicas), sentinels, the resource.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checker/check.h"
#include "checker/measures.h"
#include "model/client/client.h"
#include "model/client/runtime/runtime.h"
#include "model/engine/abstract_state_tracker.h"
#include "model/engine/engine.h"
#include "model/engine/run_listeners.h"
#include "model/engine/run_result.h"
#include "model/faults/fault_generator.h"
#include "model/faults/fault_injector.h"
#include "model/host_view.h"
#include "model/lock/lock_package.h"
#include "model/node/cluster_bus.h"
#include "model/node/redis_node.h"
#include "model/observers/lock_observer.h"
#include "model/observers/resource.h"
#include "model/observers/sometimes_watch.h"
#include "model/observers/topology_tracker.h"
#include "model/sentinel/sentinel_node.h"
#include "model/topology.h"
#include "sim/digest.h"

namespace lockstep::model {

class SimulatedCluster final : public Simulation {
 public:
  /// Throws InputError where the package does not suit the scenario.
  SimulatedCluster(const scenario::Scenario& scenario, OpenFaultsBy open_faults, lua::State& lua,
                   redis::ScriptEngine& scripts, LockPackage package);
  ~SimulatedCluster() override;

  const RunResult& run(sim::ChoiceSource& choices, sim::TraceSink* sink,
                       redis::NodeObserver* observer) override;
  void set_abstract_state_listener(AbstractStateListener* listener) override;
  void set_step_listener(StepListener* listener) override { step_listener_ = listener; }
  [[nodiscard]] StateDigest digest() override;
  [[nodiscard]] std::vector<DigestPart> digest_parts() override;
  [[nodiscard]] bool is_unmergeable() const override { return digest_.is_unmergeable(); }
  [[nodiscard]] std::optional<std::vector<sim::Latency>> delays_of_instant() const override;
  void replace_drawn_delays(std::span<const sim::DurationNs> delays) override {
    network_.replace_drawn_delays(delays);
  }
  [[nodiscard]] NextStep next_step() override;
  void strike(const scenario::FaultSpec& fault) override;
  [[nodiscard]] bool is_down(std::string_view host) override;
  void look_at(std::string_view host, HostView& view) override;
  [[nodiscard]] const std::vector<sim::Actor>& actors() const override { return trace_.actors(); }
  [[nodiscard]] std::span<const checker::Property> judged() const override { return judged_; }
  [[nodiscard]] std::uint64_t lock_digest() const override { return lock_digest_; }

 private:
  void add_clients();
  void add_nodes();
  void add_sentinels();
  void start_sentinels(sim::ChoiceSource& choices);
  void watch_locks();
  void watch_expectations();
  void open_faults();
  void draw_faults(sim::ChoiceSource& choices);
  void start_cluster();
  void start_run(sim::ChoiceSource& choices);
  void reset_host(sim::Host& host, sim::DurationNs wall_offset_ns, std::int64_t drift_ppm);
  RunEnd run_to_end();
  void finish_run(RunEnd end);
  [[nodiscard]] bool clients_finished();
  [[nodiscard]] bool no_open_beliefs() const;
  [[nodiscard]] PermitsCount permits_count() const;
  [[nodiscard]] sim::DurationNs slowness_max_ns() const;
  void tell_who_is_at_work();
  [[nodiscard]] SubscriptionsInUse subscriptions_in_use() const;
  void write_digest();
  [[nodiscard]] sim::DigestGrain digest_grain() const;
  [[nodiscard]] bool may_distinguish_clients(const sim::DigestGrain& grain) const;

  scenario::Scenario scenario_;
  redis::ScriptEngine& scripts_;
  LockPackage package_;
  ClientRuntime runtime_;
  std::uint64_t lock_digest_ = 0;
  std::vector<checker::Property> judged_;

  sim::EventQueue queue_;
  sim::Trace trace_;
  sim::Network network_{queue_, trace_};
  MessagePool messages_;
  Recorder recorder_{queue_, trace_};
  Topology topology_;  // changes with failovers…
  Topology initial_;   // …and starts each run as this
  LockObserver observer_;
  TopologyTracker topology_tracker_{topology_, observer_, recorder_};
  sim::ActorId faults_actor_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::vector<std::unique_ptr<RedisNode>> nodes_;
  std::vector<Client*> client_list_;                   // the same, for those who only look…
  std::vector<RedisNode*> node_list_;                  // …
  ClusterLayout layout_{scenario_.redis, node_list_};  // where the nodes are a cluster
  std::vector<std::unique_ptr<SentinelNode>> sentinels_;
  std::vector<sim::HostId> sentinel_list_;
  std::optional<Resource> resource_;
  std::optional<FaultEnvironment> fault_environment_;
  std::optional<FaultInjector> faults_;
  std::optional<UnhealedFaults> unhealed_;
  RunProfile run_profile_{trace_};
  std::optional<FaultGenerator> fault_generator_;  // where the scenario leaves its faults open
  std::optional<SometimesWatch> sometimes_;        // where the scenario has some
  std::optional<AbstractStateTracker> abstract_state_tracker_;  // where somebody wants to know
  sim::Digest digest_;                                          // memory for digest()
  std::optional<sim::DigestGrain> grain_;  // once somebody has asked for a digest
  StepListener* step_listener_ = nullptr;
  sim::TimeNs last_step_at_ns_ = -1;  // of this run; -1: there was none yet
  checker::Checker checker_;
  checker::Measurer measurer_;
  std::optional<checker::Measures> measures_;  // of the last run
  RunResult result_;
  sim::TimeNs clients_finished_at_ns_ = sim::never_ns;
  std::size_t unfinished_client_ = 0;  // a client that was not finished when last asked
};

}  // namespace lockstep::model
