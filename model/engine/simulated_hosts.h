// The hosts of a scenario: clients, Redis nodes, sentinels, the protected resource.
//
// They are built once and reset for each run. The order in which they are built is the order of the
// lanes in a timeline: clients with their threads, nodes (each master beside its replicas),
// sentinels, the resource.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/client.h"
#include "model/engine/ground_truth.h"
#include "model/engine/run_context.h"
#include "model/host_view.h"
#include "model/node/cluster_bus.h"
#include "model/node/redis_node.h"
#include "model/observers/resource.h"
#include "model/program/script_labels.h"
#include "model/sentinel/sentinel_node.h"

namespace lockstep::scenario {
struct ClientSpec;
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::model {

class ProgramLauncher;

class SimulatedHosts {
 public:
  /// Adds them to the network, and sets the topology that runs start with. Throws InputError where
  /// the lock's client model is wrong. Does not own; all outlive this.
  SimulatedHosts(const scenario::Scenario& scenario, const LockPackage& package,
                 RunContext& context, GroundTruth& truth, ClientRuntime& runtime,
                 redis::ScriptEngine& scripts, ProgramLauncher* programs);
  SimulatedHosts(const SimulatedHosts&) = delete;
  SimulatedHosts& operator=(const SimulatedHosts&) = delete;

  /// Sets clocks, processes and the topology back to the start of a run.
  void reset();
  /// Starts all processes. REQUIRES: the network and the lock observer have been reset, too.
  void start_run(sim::ChoiceSource& choices);
  /// Sets the observer of all nodes; nullptr clears it. Does not own it.
  void set_observer(redis::NodeObserver* observer);
  /// Sets the listener to all clients' callbacks; nullptr clears it. Does not own it.
  void set_callback_listener(CallbackListener* listener);

  [[nodiscard]] const std::vector<Client*>& clients() const { return clients_; }
  [[nodiscard]] const std::vector<RedisNode*>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<sim::HostId>& sentinels() const { return sentinel_ids_; }
  /// REQUIRES: there is a host of that name.
  [[nodiscard]] const sim::Host& find(std::string_view name) const;
  /// Fills in the view of that host (simulated_hosts_view.cpp). REQUIRES: it exists.
  void look_at(std::string_view name, HostView& view) const;
  /// Each host is a part of its own, by its name.
  void digest_into(sim::Digest& digest) const;
  /// Which of the connections that have a name by now are the cluster bus's, if there is one.
  void digest_bus_into(sim::Digest& digest) const;

 private:
  void add_clients(ClientRuntime& runtime, ProgramLauncher* programs);
  /// REQUIRES: the client is a program.
  [[nodiscard]] std::unique_ptr<Client> make_program_client(const scenario::ClientSpec& spec,
                                                            sim::ActorId actor, sim::ActorId thread,
                                                            const ClientEnvironment& environment,
                                                            ProgramLauncher* programs);

  void add_nodes(redis::ScriptEngine& scripts);
  void add_sentinels();
  void add_resource(StateOwner owner);
  void start_nodes(sim::ChoiceSource& choices);
  void reset_host(sim::Host& host, sim::DurationNs wall_offset_ns, std::int64_t drift_ppm);
  [[nodiscard]] bool is_cluster() const;

  const scenario::Scenario& scenario_;
  ScriptLabels script_labels_;  // of the requests of programs
  RunContext& context_;
  GroundTruth& truth_;
  std::vector<std::unique_ptr<Client>> owned_clients_;
  std::vector<std::unique_ptr<RedisNode>> owned_nodes_;
  std::vector<std::unique_ptr<SentinelNode>> sentinels_;
  std::optional<Resource> resource_;
  std::vector<Client*> clients_;           // the same, for those who only look
  std::vector<RedisNode*> nodes_;          // the same
  std::vector<sim::HostId> sentinel_ids_;  // known before there are any
  Topology topology_at_start_;
  ClusterLayout layout_;  // where the nodes are a cluster
};

}  // namespace lockstep::model
