// A failover, state by state, as the sentinel that started it carries it out.
#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

#include "model/recorder.h"
#include "model/sentinel/sentinel_node.h"
#include "model/sentinel/sentinel_times.h"
#include "redis/protocol/integer_text.h"
#include "redis/protocol/integers.h"
#include "scenario/milestones.h"

namespace lockstep::model {

void SentinelNode::enter(FailoverState state) {
  failover_.state = state;
  failover_.changed_at_ms = now_ms();
}

Instance& SentinelNode::promoted() {
  const auto found = std::find_if(replicas_.begin(), replicas_.end(),
                                  [](const Instance& each) { return each.is_promoted; });
  assert(found != replicas_.end());
  return *found;
}

/// True if it started a failover.
bool SentinelNode::start_failover_if_needed() {
  if (!master_.is_objectively_down || is_failing_over()) return false;
  const bool was_recent =
      failover_.started_at_ms != 0 && now_ms() - failover_.started_at_ms < 2 * failover_timeout_ms_;
  if (was_recent) return false;
  enter(FailoverState::wait_start);
  learn_epoch(current_epoch_ + 1);
  failover_.epoch = current_epoch_;
  announce("+try-failover", master_);
  failover_.started_at_ms = now_ms() + random_below(desynchronisation_ms);
  return true;
}

void SentinelNode::advance_failover() {
  switch (failover_.state) {
    case FailoverState::none:
    case FailoverState::update_config:
      return;
    case FailoverState::wait_start:
      return await_election();
    case FailoverState::select_replica:
      return select_replica();
    case FailoverState::send_replicaof_no_one:
      return promote();
    case FailoverState::wait_promotion:  // on_info goes on
      if (now_ms() - failover_.changed_at_ms > failover_timeout_ms_) {
        abort_failover("-failover-abort-slave-timeout");
      }
      return;
    case FailoverState::reconfigure_replicas:
      return reconfigure_next();
  }
}

void SentinelNode::await_election() {
  if (elected_in(failover_.epoch) != name()) {
    const std::int64_t timeout_ms = std::min(election_timeout_ms, failover_timeout_ms_);
    if (now_ms() - failover_.started_at_ms > timeout_ms) {
      abort_failover("-failover-abort-not-elected");
    }
    return;
  }
  announce("+elected-leader", master_);
  environment_.recorder.milestone(scenario::Milestone::elected, actor(), {});
  enter(FailoverState::select_replica);
  announce("+failover-state-select-slave", master_);
}

Instance* SentinelNode::best_replica() {
  const std::int64_t now = now_ms();
  const std::int64_t info_age_max_ms =
      master_.is_subjectively_down ? 5 * ping_period_ms : 3 * info_period_ms;
  std::int64_t link_down_max_ms = 10 * down_after_ms_;
  if (master_.is_subjectively_down) link_down_max_ms += now - master_.subjectively_down_at_ms;
  Instance* best = nullptr;
  for (Instance& replica : replicas_) {
    if (replica.is_subjectively_down || replica.is_disconnected || replica.priority == 0) continue;
    if (now - replica.available_at_ms > 5 * ping_period_ms) continue;
    if (now - replica.reported_at_ms > info_age_max_ms) continue;
    if (replica.master_link_down_ms > link_down_max_ms) continue;
    const auto rank = [](const Instance& each) {
      return std::tuple(each.priority, -each.offset, std::string_view(each.run_id));
    };
    if (best == nullptr || rank(replica) < rank(*best)) best = &replica;
  }
  return best;
}

void SentinelNode::select_replica() {
  Instance* const chosen = best_replica();
  if (chosen == nullptr) return abort_failover("-failover-abort-no-good-slave");
  announce("+selected-slave", *chosen);
  chosen->is_promoted = true;
  failover_.promoted = chosen->host;
  enter(FailoverState::send_replicaof_no_one);
  announce("+failover-state-send-slaveof-noone", *chosen);
}

void SentinelNode::promote() {
  if (promoted().is_disconnected) {
    if (now_ms() - failover_.changed_at_ms > failover_timeout_ms_) {
      abort_failover("-failover-abort-slave-timeout");
    }
    return;
  }
  send_replicaof(promoted(), {});
  announce("+failover-state-wait-promotion", promoted());
  enter(FailoverState::wait_promotion);
}

/// An empty host means NO ONE. Its clients must reconnect, and so notice the change.
void SentinelNode::send_replicaof(Instance& node, std::string_view host) {
  const redis::IntegerText port(node_port);
  InstanceConnection& to = node.commands;
  const auto order = [&](std::string_view label, std::initializer_list<std::string_view> words) {
    links_.send(to, SentinelRequest::order, label, words);
  };
  order("multi", {"MULTI"});
  order("slaveof", {"SLAVEOF", host.empty() ? "NO" : host, host.empty() ? "ONE" : port.view()});
  order("config rewrite", {"CONFIG", "REWRITE"});
  order("client kill", {"CLIENT", "KILL", "TYPE", "normal"});
  order("client kill", {"CLIENT", "KILL", "TYPE", "pubsub"});
  order("exec", {"EXEC"});
}

void SentinelNode::reconfigure_next() {
  const std::int64_t now = now_ms();
  auto under_way = static_cast<std::size_t>(
      std::count_if(replicas_.begin(), replicas_.end(), [](const Instance& each) {
        return each.reconfiguration == Reconfiguration::sent ||
               each.reconfiguration == Reconfiguration::in_progress;
      }));
  for (Instance& replica : replicas_) {
    if (under_way >= parallel_reconfigurations) break;
    if (replica.is_promoted || replica.reconfiguration == Reconfiguration::done) continue;
    const bool is_sent = replica.reconfiguration == Reconfiguration::sent;
    if (is_sent && now - replica.reconfigured_at_ms > reconfiguration_timeout_ms) {
      replica.reconfiguration = Reconfiguration::done;
      announce("-slave-reconf-sent-timeout", replica);
      continue;
    }
    if (is_sent || replica.reconfiguration == Reconfiguration::in_progress) continue;
    if (replica.is_disconnected) continue;
    send_replicaof(replica, promoted().name);
    replica.reconfiguration = Reconfiguration::sent;
    replica.reconfigured_at_ms = now;
    announce("+slave-reconf-sent", replica);
    ++under_way;
  }
  check_end();
}

void SentinelNode::check_end() {
  if (promoted().is_subjectively_down) return;
  const bool is_too_late = now_ms() - failover_.changed_at_ms > failover_timeout_ms_;
  const auto is_missing = [](const Instance& replica) {
    return !replica.is_promoted && replica.reconfiguration != Reconfiguration::done &&
           !replica.is_subjectively_down;
  };
  if (!is_too_late && std::any_of(replicas_.begin(), replicas_.end(), is_missing)) return;
  if (is_too_late) announce("+failover-end-for-timeout", master_);
  announce("+failover-end", master_);
  enter(FailoverState::update_config);
  if (!is_too_late) return;
  for (Instance& replica : replicas_) {
    if (!is_missing(replica) || replica.is_disconnected) continue;
    if (replica.reconfiguration != Reconfiguration::none) continue;
    send_replicaof(replica, promoted().name);
    announce("+slave-reconf-sent-be", replica);
  }
}

void SentinelNode::abort_failover(std::string_view why) {
  announce(why, master_);
  enter(FailoverState::none);
  for (Instance& replica : replicas_) replica.is_promoted = false;
}

/// The old master becomes one of the replicas, and all links are opened again.
void SentinelNode::switch_to(sim::HostId host) {
  const std::int64_t now = now_ms();
  const std::string& new_master = environment_.network.host(host).name();
  announce_switch(new_master);
  std::vector<Instance> replicas;
  const auto add = [&](Instance& known) {
    links_.close(known.commands);
    links_.close(known.events);
    if (known.host != host) {
      replicas.emplace_back(InstanceKind::replica, known.host, known.name, now);
    }
  };
  for (Instance& replica : replicas_) add(replica);
  add(master_);
  failover_ = {};
  vote_.leader.clear();
  replicas_ = std::move(replicas);
  master_ = Instance(InstanceKind::master, host, new_master, now);
  for (const Instance& replica : replicas_) announce("+slave", replica);
  environment_.recorder.milestone(scenario::Milestone::switched, actor(), master_.name);
}

}  // namespace lockstep::model
