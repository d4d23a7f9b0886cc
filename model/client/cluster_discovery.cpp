#include "model/client/cluster_discovery.h"

#include <algorithm>

#include "model/client/client_process.h"
#include "model/messages.h"
#include "model/trace_vocabulary.h"
#include "redis/protocol/integers.h"
#include "redis/values/key_slot.h"
#include "sim/network.h"

namespace lockstep::model {
namespace {

/// As Redisson's scanInterval.
constexpr sim::DurationNs scan_period_ns = 5 * sim::second_ns;

}  // namespace

void ClusterDiscovery::start_run() {
  masters_.clear();
  nodes_.clear();
  for (const Shard& shard : process_.environment.topology.shards) {
    masters_.push_back(shard.master);
    nodes_.push_back(shard.master);
    nodes_.insert(nodes_.end(), shard.replicas.begin(), shard.replicas.end());
  }
  next_node_ = static_cast<std::size_t>(process_.id) % nodes_.size();
  forget_all();
  process_.start_timer(scan_period_ns, TimerUse::discovery, scan_timer, sim::EventKind::daemon);
}

void ClusterDiscovery::forget_all() {
  connection_.reset();
  failed_node_.reset();
  timer_ = {};
}

// -- asking --

void ClusterDiscovery::on_node_failure(std::size_t /*shard*/, sim::HostId node) {
  if (connection_) return;  // under way already
  failed_node_ = node;
  ask();
}

void ClusterDiscovery::on_timer(std::uint32_t whose) {
  if (whose == scan_timer) {
    process_.start_timer(scan_period_ns, TimerUse::discovery, scan_timer, sim::EventKind::daemon);
    if (!connection_) ask();
    return;
  }
  if (connection_) process_.environment.network.close(*connection_, process_.id);
  connection_.reset();
  ask_next();
}

void ClusterDiscovery::ask() {
  nodes_to_ask_ = nodes_.size();
  ask_next();
}

void ClusterDiscovery::ask_next() {
  while (nodes_to_ask_ > 0) {
    --nodes_to_ask_;
    const sim::HostId node = nodes_[next_node_];
    next_node_ = (next_node_ + 1) % nodes_.size();
    if (node == failed_node_) continue;
    connection_ = process_.environment.network.connect(process_.id, node);
    timer_ = process_.start_timer(process_.retry.timeout_ns, TimerUse::discovery, query_timer,
                                  sim::EventKind::daemon);
    return;
  }
  failed_node_.reset();  // nobody answers: the next trouble, or the next scan, asks again
}

void ClusterDiscovery::end_query() {
  process_.host.cancel_timer(timer_);
  connection_.reset();
}

bool ClusterDiscovery::on_opened(sim::ConnectionId connection) {
  if (connection_ != connection) return false;
  send_request(process_, connection, "cluster slots", {"CLUSTER", "SLOTS"});
  return true;
}

bool ClusterDiscovery::on_closed(sim::ConnectionId connection) {
  if (connection_ != connection) return false;
  end_query();
  ask_next();
  return true;
}

bool ClusterDiscovery::on_message(sim::ConnectionId connection, sim::Payload payload) {
  if (connection_ != connection) return false;
  end_query();
  failed_node_.reset();
  process_.environment.network.close(connection, process_.id);
  learn(process_.environment.messages[payload].reply);
  process_.environment.messages.release(payload);
  return true;
}

// -- learning --

void ClusterDiscovery::learn(const redis::Reply& slots) {
  for (const redis::Reply& range : slots.elements) {
    if (range.elements.size() < 3 || range.elements[2].elements.empty()) continue;
    const auto first = static_cast<std::uint32_t>(range.elements[0].integer);
    const auto master = process_.environment.network.find_host(range.elements[2].elements[0].text);
    if (master) set_master(redis::master_of_slot(first, masters_.size()), *master);
  }
}

/// "MOVED 3999 n2:6379"
bool ClusterDiscovery::on_moved(std::string_view error) {
  const std::size_t slot_at = error.find(' ') + 1;
  const std::size_t node_at = error.find(' ', slot_at) + 1;
  if (slot_at == 0 || node_at == 0) return false;
  const auto slot = redis::parse_integer(error.substr(slot_at, node_at - 1 - slot_at));
  const auto node = process_.environment.network.find_host(
      error.substr(node_at, error.find(':', node_at) - node_at));
  if (!slot || !node) return false;
  set_master(redis::master_of_slot(static_cast<std::uint32_t>(*slot), masters_.size()), *node);
  return true;
}

void ClusterDiscovery::set_master(std::size_t shard, sim::HostId master) {
  if (masters_[shard] == master) return;
  masters_[shard] = master;
  process_.environment.trace.emit(process_.now(), trace_kind::master_learnt, process_.host.actor(),
                                  {{"master", process_.environment.network.host(master).name()}});
  listener_.on_new_master(shard);
}

}  // namespace lockstep::model
