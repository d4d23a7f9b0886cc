#include "model/faults/unhealed_faults.h"

#include <algorithm>
#include <cstdlib>

#include "checker/observations.h"
#include "model/client/client.h"
#include "model/node/redis_node.h"
#include "model/observers/lock_observer.h"
#include "model/recorder.h"
#include "model/topology.h"
#include "scenario/scenario.h"
#include "sim/network.h"

namespace lockstep::model {
namespace {

bool is_among(const std::vector<sim::HostId>& hosts, sim::HostId host) {
  return std::find(hosts.begin(), hosts.end(), host) != hosts.end();
}

bool tells_time(const sim::Clock& clock) {
  constexpr std::int64_t drift_ppm_max = 100'000;
  return !clock.is_frozen() && std::abs(clock.drift_ppm()) <= drift_ppm_max;
}

}  // namespace

void UnhealedFaults::clear() {
  none_works_ = false;
  hosts_.clear();
  replicas_.clear();
  pairs_.clear();
}

void UnhealedFaults::keep_from_slow_network(const scenario::Scenario& scenario,
                                            sim::DurationNs slowness_max_ns) {
  const auto is_slow = [slowness_max_ns](const sim::Latency& latency) {
    return latency.delay_ns_max > slowness_max_ns;
  };
  none_works_ = none_works_ || is_slow(scenario.latency);
  for (const scenario::NodeSpec& node : scenario.redis.nodes) {
    if (node.latency && is_slow(*node.latency)) keep_from_work(environment_.host_id(node.name));
  }
  for (const scenario::LinkSpec& link : scenario.links) {
    if (!is_slow(link.latency)) continue;
    keep_apart(environment_.host_id(link.from), environment_.host_id(link.to));
  }
}

void UnhealedFaults::mark_waits() {
  answers_.clear();
  environment_.recorder.mark_hopeless_waits([this](const checker::Wait& wait) {
    const checker::NameId thread = checker::thread_of(wait);
    Answer& answer = answers_.at(thread, wait.lock);
    if (answer == Answer::not_asked) {
      answer = can_be_served(thread, wait.lock) ? Answer::can_be_served : Answer::kept_off;
    }
    return answer == Answer::kept_off;
  });
}

bool UnhealedFaults::works(sim::HostId id) const {
  if (none_works_) return false;
  const sim::Host& host = environment_.network.host(id);
  return host.state() == sim::HostState::running && tells_time(host.wall_clock()) &&
         tells_time(host.monotonic_clock()) && !is_among(hosts_, id);
}

bool UnhealedFaults::reach_each_other(sim::HostId one, sim::HostId other) const {
  if (environment_.network.is_cut(one, other) || environment_.network.is_cut(other, one)) {
    return false;
  }
  return std::none_of(pairs_.begin(), pairs_.end(), [&](const Pair& pair) {
    return (pair.one == one && pair.other == other) || (pair.one == other && pair.other == one);
  });
}

bool UnhealedFaults::has_follower(const RedisNode& master) const {
  const auto shard =
      std::find_if(topology_.shards.begin(), topology_.shards.end(),
                   [&](const Shard& each) { return each.master == master.host_id(); });
  if (shard == topology_.shards.end()) return true;
  return std::any_of(shard->replicas.begin(), shard->replicas.end(), [&](sim::HostId replica) {
    return works(replica) && !is_among(replicas_, replica) &&
           reach_each_other(replica, master.host_id());
  });
}

bool UnhealedFaults::can_be_served(checker::NameId waiter, checker::NameId lock) const {
  for (const Client* client : environment_.clients) {
    for (std::size_t thread = 0; thread < client->thread_count(); ++thread) {
      // Who waits is a thread, also where its process owns as one.
      if (client->name_of(thread) == waiter) return can_be_served(*client, lock);
    }
  }
  return true;
}

bool UnhealedFaults::can_be_served(const Client& client, checker::NameId lock) const {
  const sim::HostId id = environment_.host_id(client.name());
  if (!works(id)) return false;
  const auto is_there = [&](sim::HostId server) {
    return works(server) && reach_each_other(id, server);
  };
  if (!sentinels_.empty() && std::none_of(sentinels_.begin(), sentinels_.end(), is_there)) {
    return false;
  }
  const std::span<RedisNode* const> masters = environment_.observer.masters_of(lock);
  const auto serving = static_cast<std::size_t>(
      std::count_if(masters.begin(), masters.end(), [&](const RedisNode* master) {
        return is_there(master->host_id()) && (!needs_replicas_ || has_follower(*master));
      }));
  return masters.empty() || serving > masters.size() / 2;
}

}  // namespace lockstep::model
