#include "model/faults/network_faults.h"

#include <algorithm>
#include <cassert>

#include "model/node/redis_node.h"
#include "scenario/faults/fault_spec.h"
#include "sim/choice_source.h"
#include "sim/network.h"

namespace lockstep::model {
namespace {

// An event's code says what happens to a host of a swizzle; its argument is made of two numbers.
enum SwizzleCode : std::uint32_t { isolate_code, reunite_code };
constexpr std::uint64_t hosts_max = 1U << 16U;

}  // namespace

void NetworkFaults::start_run(sim::ChoiceSource& choices) {
  choices_ = &choices;
  swizzles_.clear();
}

// -- one host, two hosts --

void NetworkFaults::change_listening(const Strike& strike, Change change) {
  const sim::HostId host = environment_.host_id(strike.spec.target);
  if (change == Change::start) {
    environment_.network.stop_listening(host);
  } else {
    environment_.network.resume_listening(host);
  }
}

void NetworkFaults::change_cut(const Strike& strike, Change change) {
  const sim::HostId one = environment_.host_id(strike.spec.target);
  const sim::HostId other = environment_.host_id(strike.spec.other);
  if (change == Change::start) {
    environment_.network.cut(one, other);
  } else {
    environment_.network.heal(one, other);
  }
}

void NetworkFaults::change_one_way_cut(const Strike& strike, Change change) {
  const sim::HostId sender = environment_.host_id(strike.spec.target);
  const sim::HostId receiver = environment_.host_id(strike.spec.other);
  if (change == Change::start) {
    environment_.network.cut_one_way(sender, receiver);
  } else {
    environment_.network.heal_one_way(sender, receiver);
  }
}

void NetworkFaults::change_clog(const Strike& strike, Change change) {
  const scenario::FaultSpec& fault = strike.spec;
  environment_.network.slow_link(environment_.host_id(fault.target),
                                 environment_.host_id(fault.other),
                                 change == Change::start ? fault.by_ns : -fault.by_ns);
}

/// A replica that is told nothing notices by itself that its master is silent.
void NetworkFaults::make_half_open(const Strike& strike) {
  const scenario::FaultSpec& fault = strike.spec;
  const sim::HostId believer = environment_.host_id(fault.target);
  const sim::HostId forgetful = environment_.host_id(fault.other);
  environment_.network.make_half_open(forgetful, believer);
  for (RedisNode* node : environment_.nodes) {
    if (node->host_id() == believer) node->expect_silence_of(forgetful);
  }
}

// -- many hosts --

scenario::HostSide NetworkFaults::side_of(sim::HostId host) const {
  const std::string_view kind =
      environment_.trace.actor(environment_.network.host(host).actor()).kind;
  if (kind == "client") return scenario::HostSide::client;
  return kind == "resource" ? scenario::HostSide::resource : scenario::HostSide::server;
}

void NetworkFaults::part(sim::HostId one, sim::HostId other, Change change) {
  if (one == other || !scenario::can_communicate(side_of(one), side_of(other))) return;
  if (change == Change::start) {
    environment_.network.cut(one, other);
  } else {
    environment_.network.heal(one, other);
  }
}

void NetworkFaults::isolate(sim::HostId host, Change change) {
  for (std::uint32_t i = 0; i < environment_.network.host_count(); ++i) {
    part(host, sim::HostId{i}, change);
  }
}

void NetworkFaults::change_isolation(const Strike& strike, Change change) {
  isolate(environment_.host_id(strike.spec.target), change);
}

std::vector<sim::HostId> NetworkFaults::hosts_of(const std::vector<std::string>& names) const {
  std::vector<sim::HostId> hosts;
  for (const std::string& name : names) hosts.push_back(environment_.host_id(name));
  return hosts;
}

void NetworkFaults::change_partition(const Strike& strike, Change change) {
  const scenario::FaultSpec& fault = strike.spec;
  for (std::size_t one = 0; one < fault.groups.size(); ++one) {
    for (std::size_t other = one + 1; other < fault.groups.size(); ++other) {
      for (const sim::HostId here : hosts_of(fault.groups[one])) {
        for (const sim::HostId there : hosts_of(fault.groups[other])) part(here, there, change);
      }
    }
  }
}

// Of n hosts in a circle, each majority of neighbours has one in its middle, which hears nobody
// else: everybody hears a majority, and no two hear the same. With an even n hearing is not mutual.
void NetworkFaults::change_ring(const Strike& strike, Change change) {
  const std::vector<sim::HostId> hosts = hosts_of(strike.spec.groups.front());
  const std::size_t count = hosts.size();
  const std::size_t majority = count / 2 + 1;
  for (std::size_t first = 0; first < count; ++first) {
    const sim::HostId hearer = hosts[(first + majority / 2) % count];
    for (std::size_t unheard = majority; unheard < count; ++unheard) {
      const sim::HostId sender = hosts[(first + unheard) % count];
      if (change == Change::start) {
        environment_.network.cut_one_way(sender, hearer);
      } else {
        environment_.network.heal_one_way(sender, hearer);
      }
    }
  }
}

// -- swizzle --

// The cuts fill the first half of the time, from its begin on, the heals the second, to its end;
// both orders are drawn.
void NetworkFaults::start_swizzle(const Strike& strike) {
  const std::vector<sim::HostId> hosts = hosts_of(strike.spec.groups.front());
  const std::uint64_t number = swizzles_.size();
  const auto count = static_cast<sim::DurationNs>(hosts.size());
  assert(hosts.size() < hosts_max && strike.spec.for_ns);
  const sim::DurationNs half_ns = *strike.spec.for_ns / 2;
  const sim::TimeNs now = environment_.queue.now();
  for (sim::DurationNs step = 0; step < count; ++step) {
    const std::uint64_t argument = number * hosts_max + static_cast<std::uint64_t>(step);
    environment_.queue.schedule(now + half_ns * step / count, *this, isolate_code, argument);
    if (step + 1 == count) continue;  // the last one is healed by the end
    environment_.queue.schedule(now + half_ns + half_ns * (step + 1) / count, *this, reunite_code,
                                argument);
  }
  swizzles_.push_back(
      {strike.number, shuffled(strike.fault, hosts), shuffled(strike.fault, hosts), {}});
}

std::vector<sim::HostId> NetworkFaults::shuffled(std::size_t fault,
                                                 std::vector<sim::HostId> hosts) {
  const sim::Stream stream{sim::Purpose::fault, static_cast<std::uint32_t>(fault)};
  for (std::size_t left = hosts.size(); left > 1; --left) {
    std::swap(hosts[left - 1], hosts[choices_->choose(stream, left)]);
  }
  return hosts;
}

void NetworkFaults::on_event(std::uint32_t code, std::uint64_t argument) {
  Swizzle& swizzle = swizzles_[argument / hosts_max];
  if (swizzle.is_over) return;
  const std::size_t step = argument % hosts_max;
  if (code == isolate_code) {
    swizzle.isolated.push_back(swizzle.cuts[step]);
    isolate(swizzle.cuts[step], Change::start);
  } else {
    std::erase(swizzle.isolated, swizzle.heals[step]);
    isolate(swizzle.heals[step], Change::end);
  }
}

void NetworkFaults::end_swizzle(const Strike& strike, StrikeEnd /*why*/) {
  const auto found = std::find_if(swizzles_.begin(), swizzles_.end(), [&](const Swizzle& swizzle) {
    return swizzle.strike == strike.number;
  });
  assert(found != swizzles_.end());
  found->is_over = true;
  for (const sim::HostId host : found->isolated) isolate(host, Change::end);
}

}  // namespace lockstep::model
