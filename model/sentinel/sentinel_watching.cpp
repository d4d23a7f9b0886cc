// A sentinel's links to the instances that it watches, their replies, and which are down.
#include <algorithm>

#include "model/recorder.h"
#include "model/sentinel/sentinel_node.h"
#include "model/sentinel/sentinel_times.h"
#include "redis/protocol/integer_text.h"
#include "redis/protocol/integers.h"
#include "scenario/milestones.h"

namespace lockstep::model {

// -- what it sends --

void SentinelNode::reconnect(Instance& instance) {
  const std::int64_t now = now_ms();
  if (!instance.is_disconnected || now - instance.reconnected_at_ms < ping_period_ms) return;
  instance.reconnected_at_ms = now;
  if (!instance.commands.connection) {
    links_.open(instance, instance.commands, now);
    send_ping(instance);
  }
  if (instance.kind != InstanceKind::sentinel && !instance.events.connection) {
    links_.open(instance, instance.events, now);
    instance.heard_at_ms = now;
    links_.send(instance.events, SentinelRequest::listen, "subscribe",
                {"SUBSCRIBE", hello_channel});
  }
  instance.is_disconnected = false;
}

// Redis sends INFO and hellos again and again while they are not answered. Here one is under way at
// a time, which comes to the same but for the number of messages.
void SentinelNode::send_periodically(Instance& instance) {
  if (instance.is_disconnected) return;
  const InstanceConnection& commands = instance.commands;
  if (commands.expected.size() >= requests_under_way_max) return;
  const std::int64_t now = now_ms();
  const bool is_hurried =
      instance.kind == InstanceKind::replica &&
      (master_.is_objectively_down || is_failing_over() || instance.master_link_down_ms != 0);
  const std::int64_t period_ms = is_hurried ? hurried_info_period_ms : info_period_ms;
  const bool wants_info = instance.reported_at_ms == 0 || now - instance.reported_at_ms > period_ms;
  if (instance.kind != InstanceKind::sentinel && wants_info &&
      !commands.expects(SentinelRequest::info)) {
    links_.send(instance.commands, SentinelRequest::info, "info", {"INFO"});
  }
  const std::int64_t ping_every_ms = std::min(down_after_ms_, ping_period_ms);
  if (now - instance.answered_at_ms > ping_every_ms &&
      now - instance.pinged_at_ms > ping_every_ms / 2) {
    send_ping(instance);
  }
  if (now - instance.published_at_ms > hello_period_ms &&
      !commands.expects(SentinelRequest::hello)) {
    send_hello(instance);
  }
}

void SentinelNode::send_ping(Instance& instance) {
  links_.send(instance.commands, SentinelRequest::ping, "ping", {"PING"});
  instance.pinged_at_ms = now_ms();
  if (instance.waits_since_ms == 0) instance.waits_since_ms = instance.pinged_at_ms;
}

void SentinelNode::send_hello(Instance& instance) {
  const bool is_decided = failover_.state >= FailoverState::reconfigure_replicas;
  const std::string text = write_hello(
      {name(), current_epoch_, is_decided ? promoted().name : master_.name, config_epoch_});
  links_.send(instance.commands, SentinelRequest::hello, "hello", {"PUBLISH", hello_channel, text});
}

/// The next tick publishes it to all instances.
void SentinelNode::publish_soon() {
  const auto hurry = [](Instance& instance) { instance.published_at_ms -= hello_period_ms + 1; };
  hurry(master_);
  for (Instance& replica : replicas_) hurry(replica);
  for (Instance& sentinel : sentinels_) hurry(sentinel);
}

// -- whether it is down --

void SentinelNode::reconnect_stuck_links(Instance& instance) {
  const std::int64_t now = now_ms();
  const std::int64_t long_ms = down_after_ms_ / 2;
  InstanceConnection& commands = instance.commands;
  if (commands.connection && now - commands.connected_at_ms > link_age_min_ms &&
      instance.waits_since_ms != 0 && now - instance.waits_since_ms > long_ms &&
      now - instance.answered_at_ms > long_ms) {
    links_.close(commands);
    instance.is_disconnected = true;
  }
  InstanceConnection& events = instance.events;
  if (events.connection && now - events.connected_at_ms > link_age_min_ms &&
      now - instance.heard_at_ms > 3 * hello_period_ms) {
    links_.close(events);
    instance.is_disconnected = true;
  }
}

void SentinelNode::check_subjectively_down(Instance& instance) {
  const std::int64_t now = now_ms();
  std::int64_t silent_ms = 0;
  if (instance.waits_since_ms != 0) {
    silent_ms = now - instance.waits_since_ms;
  } else if (instance.is_disconnected) {
    silent_ms = now - instance.available_at_ms;
  }
  reconnect_stuck_links(instance);
  const bool has_left_its_role =
      instance.kind == InstanceKind::master && !instance.reports_master &&
      now - instance.role_reported_at_ms > down_after_ms_ + 2 * info_period_ms;
  const bool is_down = silent_ms > down_after_ms_ || has_left_its_role;
  if (is_down == instance.is_subjectively_down) return;
  instance.is_subjectively_down = is_down;
  if (is_down) {
    instance.subjectively_down_at_ms = now;
  } else {
    instance.script_was_ended = false;
  }
  announce(is_down ? "+sdown" : "-sdown", instance);
  if (is_down) {
    environment_.recorder.milestone(scenario::Milestone::subjectively_down, actor(), instance.name);
  }
}

void SentinelNode::check_objectively_down() {
  std::uint32_t agree = 0;
  if (master_.is_subjectively_down) {
    agree = 1 + static_cast<std::uint32_t>(
                    std::count_if(sentinels_.begin(), sentinels_.end(),
                                  [](const Instance& each) { return each.thinks_master_is_down; }));
  }
  const bool is_down = agree >= quorum_;
  if (is_down == master_.is_objectively_down) return;
  master_.is_objectively_down = is_down;
  if (!is_down) return announce("-odown", master_);
  master_.objectively_down_at_ms = now_ms();
  std::string text = "#quorum ";
  text.append(redis::IntegerText(agree).view()).append("/");
  text.append(redis::IntegerText(quorum_).view());
  announce("+odown", master_, text);
  environment_.recorder.milestone(scenario::Milestone::objectively_down, actor(), master_.name);
}

// -- what it is told --

void SentinelNode::on_ping_reply(Instance& instance, const redis::Reply& reply) {
  const std::int64_t now = now_ms();
  const std::string_view text = reply.text;
  if (text == "PONG" || text.starts_with("LOADING") || text.starts_with("MASTERDOWN")) {
    instance.available_at_ms = now;
    instance.waits_since_ms = 0;
  } else if (text.starts_with("BUSY") && instance.is_subjectively_down &&
             !instance.script_was_ended) {
    links_.send(instance.commands, SentinelRequest::kill_script, "script kill", {"SCRIPT", "KILL"});
    instance.script_was_ended = true;
  }
  instance.answered_at_ms = now;
}

bool SentinelNode::master_looks_sane() const {
  return master_.reports_master && !master_.is_subjectively_down && !master_.is_objectively_down &&
         now_ms() - master_.reported_at_ms < 2 * info_period_ms;
}

bool SentinelNode::was_up_for(const Instance& instance, std::int64_t ms) const {
  const std::int64_t down_at_ms =
      std::max(instance.subjectively_down_at_ms, instance.objectively_down_at_ms);
  return down_at_ms == 0 || now_ms() - down_at_ms > ms;
}

void SentinelNode::on_info(Instance& instance, std::string_view text) {
  const InfoReport report = read_info(text);
  adopt_info(instance, report);
  if (instance.kind == InstanceKind::master) {
    for (const std::string_view replica : report.replicas) {
      const auto host = environment_.network.find_host(replica);
      if (!host || find(replicas_, replica) != nullptr) continue;
      replicas_.emplace_back(InstanceKind::replica, *host, std::string(replica), now_ms());
      announce("+slave", replicas_.back());
    }
  } else if (!is_tilted_ && instance.kind == InstanceKind::replica) {
    if (instance.reports_master) {
      correct_role(instance);
    } else {
      follow_reconfiguration(instance);
    }
  }
}

void SentinelNode::adopt_info(Instance& instance, const InfoReport& report) {
  const std::int64_t now = now_ms();
  if (!instance.run_id.empty() && instance.run_id != report.run_id) announce("+reboot", instance);
  instance.run_id = report.run_id;
  instance.reported_at_ms = now;
  if (report.is_master != instance.reports_master) {
    instance.reports_master = report.is_master;
    instance.role_reported_at_ms = now;
    if (!report.is_master) instance.reported_master_at_ms = now;
  }
  if (report.is_master) return;
  if (instance.reported_master != report.master) {
    instance.reported_master = report.master;
    instance.reported_master_at_ms = now;
  }
  instance.master_link_is_up = report.master_link_is_up;
  instance.master_link_down_ms = report.master_link_down_ms;
  instance.priority = report.priority;
  instance.offset = report.offset;
}

/// A replica reports itself as master: the chosen one, or one that missed the order to follow.
void SentinelNode::correct_role(Instance& instance) {
  if (instance.is_promoted && failover_.state == FailoverState::wait_promotion) {
    config_epoch_ = failover_.epoch;
    enter(FailoverState::reconfigure_replicas);
    announce("+promoted-slave", instance);
    announce("+failover-state-reconf-slaves", master_);
    return publish_soon();
  }
  const std::int64_t wait_ms = 4 * hello_period_ms;
  if (instance.is_promoted || !master_looks_sane() || !was_up_for(instance, wait_ms)) return;
  if (now_ms() - instance.role_reported_at_ms <= wait_ms) return;
  send_replicaof(instance, master_.name);
  announce("+convert-to-slave", instance);
}

void SentinelNode::follow_reconfiguration(Instance& replica) {
  if (replica.reported_master != master_.name && master_looks_sane() &&
      was_up_for(replica, failover_timeout_ms_) &&
      now_ms() - replica.reported_master_at_ms > failover_timeout_ms_) {
    send_replicaof(replica, master_.name);
    announce("+fix-slave-config", replica);
  }
  if (replica.reconfiguration == Reconfiguration::sent &&
      replica.reported_master == promoted().name) {
    replica.reconfiguration = Reconfiguration::in_progress;
    announce("+slave-reconf-inprog", replica);
  }
  if (replica.reconfiguration == Reconfiguration::in_progress && replica.master_link_is_up) {
    replica.reconfiguration = Reconfiguration::done;
    announce("+slave-reconf-done", replica);
  }
}

/// Takes in another sentinel's view. The configuration with the higher epoch wins.
void SentinelNode::on_hello(std::string_view text) {
  const std::optional<Hello> hello = read_hello(text);
  if (!hello || hello->sentinel == name()) return;
  const auto sentinel = environment_.network.find_host(hello->sentinel);
  const auto master = environment_.network.find_host(hello->master);
  if (!sentinel || !master) return;
  Instance* known = find(sentinels_, hello->sentinel);
  if (known == nullptr) {
    known = &sentinels_.emplace_back(InstanceKind::sentinel, *sentinel, hello->sentinel, now_ms());
    announce("+sentinel", *known);
  }
  learn_epoch(hello->current_epoch);
  if (config_epoch_ >= hello->config_epoch) return;
  config_epoch_ = hello->config_epoch;
  if (hello->master == master_.name) return;
  announce("+config-update-from", *known);
  switch_to(*master);
}

}  // namespace lockstep::model
