#include "model/engine/simulated_hosts.h"

#include <fmt/format.h>

#include <cassert>
#include <utility>

#include "model/client/modelled_client.h"
#include "model/engine/host_settings.h"
#include "model/lock/lock_package.h"
#include "model/program/host_addresses.h"
#include "model/program/program_client.h"
#include "redis/server/config.h"
#include "scenario/participants.h"
#include "scenario/scenario.h"
#include "scenario/sentinel_names.h"
#include "scenario/text/input_error.h"
#include "sim/digest.h"

namespace lockstep::model {

SimulatedHosts::SimulatedHosts(const scenario::Scenario& scenario, const LockPackage& package,
                               RunContext& context, GroundTruth& truth, ClientRuntime& runtime,
                               redis::ScriptEngine& scripts, ProgramLauncher* programs)
    : scenario_(scenario),
      script_labels_(package),
      context_(context),
      truth_(truth),
      layout_(scenario.redis, nodes_) {
  add_clients(runtime, programs);
  add_nodes(scripts);
  add_sentinels();
  add_resource(package.state_owner);
  truth_.topology = topology_at_start_;
  if (!is_cluster()) return;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) nodes_[i]->join_cluster(layout_, i);
}

bool SimulatedHosts::is_cluster() const {
  return scenario_.redis.topology == scenario::TopologyKind::cluster;
}

void SimulatedHosts::add_clients(ClientRuntime& runtime, ProgramLauncher* programs) {
  std::vector<std::pair<sim::ActorId, std::vector<sim::ActorId>>> actors;
  for (const scenario::ClientSpec& spec : scenario_.clients) {
    auto& [client, threads] = actors.emplace_back();
    client = context_.trace.add_actor({spec.name, "client", spec.name});
    for (std::size_t i = 0; i < spec.threads.size(); ++i) {
      threads.push_back(context_.trace.add_actor(
          {fmt::format("{}/{}", spec.name, i + 1), "client-thread", spec.name}));
    }
  }
  // Clients are told of hosts that are added after them: a host's id is its place.
  const scenario::RedisSpec& redis = scenario_.redis;
  const std::uint32_t node_count = redis.masters * (1 + redis.replicas);
  auto next_host = static_cast<std::uint32_t>(scenario_.clients.size()) + node_count;
  if (redis.topology == scenario::TopologyKind::sentinel) {
    for (std::uint32_t i = 0; i < redis.sentinel.count; ++i) {
      sentinel_ids_.push_back(sim::HostId{next_host++});
    }
  }
  const sim::HostId resource{next_host};
  const ClientEnvironment environment{
      context_.queue, context_.trace,  context_.network, context_.messages, context_.recorder,
      truth_.locks,   truth_.topology, redis.topology,   resource,          sentinel_ids_};
  for (std::size_t i = 0; i < scenario_.clients.size(); ++i) {
    const scenario::ClientSpec& spec = scenario_.clients[i];
    const auto& [actor, threads] = actors[i];
    if (spec.program) {
      owned_clients_.push_back(
          make_program_client(spec, actor, threads.front(), environment, programs));
    } else {
      owned_clients_.push_back(
          std::make_unique<ModelledClient>(spec, actor, threads, environment, runtime));
    }
    Client& client = *owned_clients_.back();
    client.set_host_id(context_.network.add_host(client));
    clients_.push_back(&client);
  }
}

std::unique_ptr<Client> SimulatedHosts::make_program_client(const scenario::ClientSpec& spec,
                                                            sim::ActorId actor, sim::ActorId thread,
                                                            const ClientEnvironment& environment,
                                                            ProgramLauncher* programs) {
  if (programs == nullptr) {
    throw scenario::InputError({scenario_.path, spec.place.line, spec.place.column},
                               fmt::format("the client '{}' is a program, which this command does "
                                           "not start; expected steps ('run'), or a command that "
                                           "makes runs",
                                           spec.name));
  }
  const scenario::RedisSpec& redis = scenario_.redis;
  HostAddresses addresses(*spec.program);
  const auto first_node = static_cast<std::uint32_t>(scenario_.clients.size());
  const auto add_replicas_at = [&](std::uint32_t replica) {
    for (std::uint32_t master = 0; master < redis.masters; ++master) {
      const sim::HostId host{first_node + master * (1 + redis.replicas) + replica};
      const std::string name = replica == 0 ? fmt::format("n{}", master + 1)
                                            : fmt::format("n{}-replica-{}", master + 1, replica);
      addresses.add(name, host, RedisNode::redis_port);
    }
  };
  for (std::uint32_t replica = 0; replica <= redis.replicas; ++replica) add_replicas_at(replica);
  for (std::uint32_t i = 0; i < sentinel_ids_.size(); ++i) {
    addresses.add(scenario::sentinel_name(i + 1), sentinel_ids_[i], HostAddresses::sentinel_port);
  }
  addresses.add(scenario::resource_name, environment.resource, HostAddresses::any_port);
  addresses.finish();
  auto program = programs->prepare(*spec.program, spec.name, addresses.names(),
                                   wall_clock_at_start_ns + spec.wall_offset_ns);
  return std::make_unique<ProgramClient>(spec, actor, thread, scenario_.lock_name, script_labels_,
                                         environment, std::move(addresses), std::move(program));
}

void SimulatedHosts::add_nodes(redis::ScriptEngine& scripts) {
  const NodeEnvironment environment{context_.queue,    context_.trace,    context_.network,
                                    context_.messages, context_.recorder, scripts,
                                    truth_.locks,      truth_.masters,    nodes_};
  const auto add = [&](const std::string& name, const std::string& group) {
    const sim::ActorId actor = context_.trace.add_actor({name, "redis", group});
    owned_nodes_.push_back(std::make_unique<RedisNode>(name, actor, environment));
    RedisNode& node = *owned_nodes_.back();
    node.set_host_id(context_.network.add_host(node));
    const scenario::NodeSpec& spec = settings_of(scenario_.redis, name);
    node.set_config(config_of(scenario_.redis, spec));
    node.set_version(spec.version.value_or(scenario_.redis.version));
    if (!sentinel_ids_.empty()) node.draw_run_ids();
    nodes_.push_back(&node);
    return node.host_id();
  };
  for (std::uint32_t master = 1; master <= scenario_.redis.masters; ++master) {
    const std::string name = fmt::format("n{}", master);
    Shard shard{.master = add(name, name), .replicas = {}};
    for (std::uint32_t replica = 1; replica <= scenario_.redis.replicas; ++replica) {
      shard.replicas.push_back(add(fmt::format("{}-replica-{}", name, replica), name));
    }
    topology_at_start_.shards.push_back(std::move(shard));
  }
}

void SimulatedHosts::add_sentinels() {
  const SentinelEnvironment environment{context_.queue, context_.trace, context_.network,
                                        context_.messages, context_.recorder};
  for (std::uint32_t i = 0; i < sentinel_ids_.size(); ++i) {
    const std::string name = scenario::sentinel_name(i + 1);
    const sim::ActorId actor = context_.trace.add_actor({name, "sentinel", "sentinels"});
    sentinels_.push_back(
        std::make_unique<SentinelNode>(name, actor, scenario_.redis.sentinel, environment));
    sentinels_.back()->set_host_id(context_.network.add_host(*sentinels_.back()));
    assert(sentinels_.back()->host_id() == sentinel_ids_[i]);
  }
}

void SimulatedHosts::add_resource(StateOwner owner) {
  resource_.emplace(context_.trace.add_actor({"resource", "resource", "resource"}), context_.queue,
                    context_.trace, context_.network, context_.messages, context_.recorder,
                    scenario_.resource, owner);
  resource_->set_host_id(context_.network.add_host(*resource_));
}

void SimulatedHosts::reset_host(sim::Host& host, sim::DurationNs wall_offset_ns,
                                std::int64_t drift_ppm) {
  host.reset(sim::Clock(wall_clock_at_start_ns + wall_offset_ns, drift_ppm),
             sim::Clock(0, drift_ppm));
}

void SimulatedHosts::reset() {
  truth_.topology = topology_at_start_;
  layout_.start_run();
  for (std::size_t i = 0; i < clients_.size(); ++i) {
    reset_host(*clients_[i], scenario_.clients[i].wall_offset_ns, scenario_.clients[i].drift_ppm);
  }
  for (RedisNode* node : nodes_) {
    const scenario::NodeSpec& own = settings_of(scenario_.redis, node->name());
    reset_host(*node, own.wall_offset_ns, own.drift_ppm);
  }
  for (const auto& sentinel : sentinels_) reset_host(*sentinel, 0, 0);
  reset_host(*resource_, 0, 0);
}

void SimulatedHosts::start_run(sim::ChoiceSource& choices) {
  script_labels_.start_run();
  resource_->start_run();
  start_nodes(choices);
  for (const auto& sentinel : sentinels_) {
    const Shard& shard = topology_at_start_.shards.front();
    sentinel->start_run(choices, {shard.master, shard.replicas, sentinel_ids_});
  }
  if (is_cluster()) {
    for (RedisNode* node : nodes_) node->cluster()->start_run();
    for (RedisNode* node : nodes_) node->cluster()->connect_before_run();
  }
  for (Client* client : clients_) client->start_run(choices);
}

void SimulatedHosts::start_nodes(sim::ChoiceSource& choices) {
  const std::size_t nodes_of_a_shard = 1 + scenario_.redis.replicas;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i]->set_choices(choices);
    if (i % nodes_of_a_shard == 0) {
      nodes_[i]->start_as_master();
    } else {
      nodes_[i]->start_as_replica_of(*nodes_[i - i % nodes_of_a_shard]);
    }
  }
}

void SimulatedHosts::set_observer(redis::NodeObserver* observer) {
  for (RedisNode* node : nodes_) node->set_observer(observer);
}

void SimulatedHosts::set_callback_listener(CallbackListener* listener) {
  for (Client* client : clients_) client->set_callback_listener(listener);
}

const sim::Host& SimulatedHosts::find(std::string_view name) const {
  return context_.network.host(*context_.network.find_host(name));
}

/// Not state: script_labels_ (programs are never merged), owned_clients_, owned_nodes_ (the same in
/// clients_, nodes_), sentinel_ids_, topology_at_start_ (the same in all runs).
void SimulatedHosts::digest_into(sim::Digest& digest) const {
  const sim::DurationNs grain_ns = digest.grain().wall_clock_ns;
  const sim::DurationNs nobody_looks = 1;
  for (const Client* client : clients_) {
    digest.begin_part(client->name());
    digest.set_wall_clock_grain(grain_ns == 0 ? 0 : nobody_looks);
    client->digest_into(digest);
  }
  digest.set_wall_clock_grain(grain_ns);
  for (const RedisNode* node : nodes_) {
    digest.begin_part(node->name());
    node->digest_into(digest);
  }
  for (const auto& sentinel : sentinels_) {
    digest.begin_part(sentinel->name());
    sentinel->digest_into(digest);
  }
  digest.begin_part("resource");
  resource_->digest_into(digest);
}

void SimulatedHosts::digest_bus_into(sim::Digest& digest) const {
  if (is_cluster()) layout_.digest_into(digest);
}

}  // namespace lockstep::model
