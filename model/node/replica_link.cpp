#include "model/node/replica_link.h"

#include <fmt/format.h>

#include <cassert>
#include <utility>

#include "model/host_view.h"
#include "model/node/node_listener.h"
#include "model/node/redis_node.h"
#include "model/trace_vocabulary.h"
#include "sim/digest.h"
#include "sim/network.h"

namespace lockstep::model {
namespace {

/// repl-timeout's default: a replica believes in a silent master for this long.
constexpr sim::DurationNs silence_ns_max = 60 * sim::second_ns;

}  // namespace

// -- the life of the process --

void ReplicaLink::start_run(RedisNode* master) {
  next_master_ = nullptr;
  stalls_ = 0;
  forbidden_ = 0;
  unread_.clear();
  closed_unread_.reset();
  silent_link_.reset();
  silence_ = {};
  master_ = master;
}

void ReplicaLink::start_process() {
  link_.reset();
  is_synchronised_ = false;
  next_acknowledgement_ = {};  // the ids of an earlier run may name other timers now
  replica_of_.reset();
}

void ReplicaLink::attach_before_run(redis::Snapshot& snapshot) {
  link_ = context_.environment.network.connect_before_run(context_.id, master_->host_id());
  set_master_address();
  master_->replicas().attach_before_run(*link_, context_.host);
  context_.tell([] { return redis::node_event::SnapshotLoaded{}; });
  master_->take_snapshot(snapshot);
  context_.server.load(snapshot);
  is_synchronised_ = true;
  if (context_.config.min_replicas_to_write > 0) send_periodic_ack();
}

void ReplicaLink::on_crash() {
  drop_deferred_messages();
  if (next_master_ != nullptr) master_ = std::exchange(next_master_, nullptr);
  link_.reset();
  closed_unread_.reset();
}

// -- the connection --

void ReplicaLink::set_master_address() {
  context_.server.set_master_address(master_->name(), RedisNode::redis_port);
}

void ReplicaLink::open() {
  if (master_ != nullptr && !link_) connect();
}

void ReplicaLink::connect() {
  assert(master_ != nullptr);
  set_master_address();
  if (forbidden_ > 0) return;
  link_ = context_.environment.network.connect(context_.id, master_->host_id());
}

void ReplicaLink::close_link() {
  if (link_) context_.environment.network.close(*link_, context_.id);
}

void ReplicaLink::on_opened() { ask_for_stream(); }

void ReplicaLink::on_closed() {
  // Who does not read learns of it behind what came before.
  if (stalls_ > 0 || !unread_.empty()) {
    closed_unread_ = link_;
    return;
  }
  context_.tell([] { return redis::node_event::LinkClosed{}; });
  link_.reset();
  is_synchronised_ = false;
  context_.server.mark_link_down();
  context_.start_timer(sim::second_ns, NodeTimer::reconnect, sim::EventKind::daemon);
}

void ReplicaLink::reopen() {
  context_.environment.network.close(*link_, context_.id);
  context_.tell([] { return redis::node_event::LinkClosed{}; });
  link_.reset();
  is_synchronised_ = false;
  context_.server.mark_link_down();
  connect();
}

void ReplicaLink::ask_for_stream() {
  const sim::Payload payload = context_.environment.messages.make();
  Message& message = context_.environment.messages[payload];
  message.kind = Message::Kind::psync_request;
  message.label = "psync";
  message.number = static_cast<std::uint64_t>(context_.server.replication_offset());
  message.token = static_cast<std::int64_t>(context_.server.replication_id());
  context_.send(*link_, payload);
}

// -- what the master sends --

void ReplicaLink::on_message(sim::ConnectionId connection, sim::Payload payload) {
  // Behind what waits already, too.
  if (stalls_ > 0 || !unread_.empty()) {
    unread_.emplace_back(connection, payload);
    return;
  }
  handle(context_.environment.messages[payload]);
  context_.environment.messages.release(payload);
}

void ReplicaLink::handle(const Message& message) {
  switch (message.kind) {
    case Message::Kind::replication:
      return apply(message);
    case Message::Kind::full_resync:
      return apply_full(message);
    case Message::Kind::acknowledge_now:
      return acknowledge_as_asked();
    case Message::Kind::request:
    case Message::Kind::reply:
    case Message::Kind::push:
    case Message::Kind::psync_request:
    case Message::Kind::acknowledge:
    case Message::Kind::resource_read:
    case Message::Kind::resource_write:
    case Message::Kind::resource_reply:
    case Message::Kind::cluster_bus:
      return;
  }
}

bool ReplicaLink::has_stream_gap(const Message& message) const {
  const auto ends_at = static_cast<std::int64_t>(message.number);
  const auto length = static_cast<std::int64_t>(message.bytes.size());
  return length > 0 && context_.server.received_offset() + length != ends_at;
}

void ReplicaLink::apply(const Message& message) {
  // TCP delivers nothing that follows a loss: the link is as good as broken.
  if (has_stream_gap(message)) return reopen();
  const auto history = static_cast<std::uint64_t>(message.token);
  if (context_.server.replication_id() != history) {
    context_.server.adopt_replication_id(history);
    replicas_.disconnect_replicas();
  }
  const bool is_new_link = !std::exchange(is_synchronised_, true);
  if (is_new_link) context_.server.mark_link_up();
  if (is_new_link && context_.config.min_replicas_to_write > 0) send_periodic_ack();
  context_.tell([&] { return redis::node_event::StreamApplied{message.bytes}; });
  if (message.bytes.empty()) return;
  context_.server.apply_stream(message.bytes);
  context_.emit(trace_kind::stream_applied, {{"offset", context_.server.replication_offset()}});
  changes_.tell(message.label, sim::no_actor);
  replicas_.send_stream(message.bytes, static_cast<std::int64_t>(message.number));
  ticks_.plan();
}

void ReplicaLink::apply_full(const Message& message) {
  context_.tell([] { return redis::node_event::SnapshotLoaded{}; });
  const redis::Snapshot* const snapshot =
      std::as_const(*master_).replicas().snapshot(message.number);
  assert(snapshot != nullptr);
  context_.server.load(*snapshot);
  replicas_.disconnect_replicas();
  const bool is_new_link = !std::exchange(is_synchronised_, true);
  if (is_new_link && context_.config.min_replicas_to_write > 0) send_periodic_ack();
  context_.emit(trace_kind::dataset_loaded, {{"offset", context_.server.replication_offset()}});
  changes_.tell(message.label, sim::no_actor);
  ticks_.plan();
}

void ReplicaLink::acknowledge() {
  const sim::Payload payload = context_.environment.messages.make();
  Message& message = context_.environment.messages[payload];
  message.kind = Message::Kind::acknowledge;
  message.label = "acknowledge";
  message.number = static_cast<std::uint64_t>(context_.server.replication_offset());
  message.token = context_.server.synced_offset();
  context_.send(*link_, payload);
}

void ReplicaLink::acknowledge_as_asked() {
  acknowledge();
  if (context_.config.min_replicas_to_write == 0) plan_periodic_ack();
}

void ReplicaLink::plan_periodic_ack() {
  context_.host.cancel_timer(next_acknowledgement_);
  if (context_.config.min_replicas_to_write == 0 && !context_.server.will_sync()) return;
  next_acknowledgement_ =
      context_.start_timer(sim::second_ns, NodeTimer::acknowledge, sim::EventKind::daemon);
}

void ReplicaLink::send_periodic_ack() {
  if (!link_ || !is_synchronised_) return context_.host.cancel_timer(next_acknowledgement_);
  if (stalls_ == 0) acknowledge();
  plan_periodic_ack();
}

// -- changes of role --

void ReplicaLink::follow(RedisNode& master) {
  if (context_.is_crashed()) {
    master_ = &master;
    return;
  }
  next_master_ = &master;
  context_.run_or_defer(NodeWork::follow);
}

void ReplicaLink::follow_elected(RedisNode& master) {
  next_master_ = &master;
  carry_out_following();
  context_.environment.roles.on_following(context_.node, master);
}

void ReplicaLink::carry_out_following() {
  if (next_master_ == nullptr) return;  // ordered twice while it was paused: done
  RedisNode& master = *std::exchange(next_master_, nullptr);
  context_.tell([&] { return redis::node_event::Following{master.actor()}; });
  context_.set_time();
  if (context_.server.role() == redis::Role::master) context_.server.demote();
  context_.server.mark_link_down();
  sessions_.close_ended();
  follow_by_link(master);
}

void ReplicaLink::follow_by_link(RedisNode& master) {
  close_link();
  replicas_.disconnect_replicas();
  is_synchronised_ = false;
  master_ = &master;
  connect();
}

void ReplicaLink::order_promotion() {
  if (!context_.is_crashed()) context_.run_or_defer(NodeWork::promote);
}

void ReplicaLink::carry_out_promotion(Promoter by) {
  if (master_ == nullptr) return;
  close_link();
  link_.reset();
  context_.set_time();
  context_.emit(trace_kind::node_promoted, {{"in_place_of", master_->name()}});
  master_ = nullptr;
  context_.tell([] { return redis::node_event::Promoted{}; });
  context_.server.promote();
  replicas_.disconnect_replicas();
  context_.environment.roles.on_promoted(context_.node, by);
}

void ReplicaLink::apply_replica_of() {
  if (!replica_of_) return;
  const std::string host = *std::exchange(replica_of_, std::nullopt);
  if (host.empty()) {
    if (master_ == nullptr) return;
    close_link();
    link_.reset();
    context_.emit(trace_kind::node_promoted, {{"in_place_of", master_->name()}});
    master_ = nullptr;
    replicas_.disconnect_replicas();
    return context_.environment.roles.on_promoted(context_.node, Promoter::other);
  }
  for (RedisNode* const node : context_.environment.nodes) {
    if (node->name() != host || node == &context_.node) continue;
    follow_by_link(*node);
    return context_.environment.roles.on_following(context_.node, *node);
  }
  // No such node: it waits for a master that never answers.
  close_link();
  link_.reset();
  master_ = nullptr;
  replicas_.disconnect_replicas();
}

// -- faults --

void ReplicaLink::end_stall() {
  if (--stalls_ == 0 && !context_.is_crashed()) context_.run_or_defer(NodeWork::read_link);
}

/// What came by a link that is closed by now means nothing any more.
void ReplicaLink::read_deferred_messages() {
  for (const auto& [connection, payload] : std::exchange(unread_, {})) {
    if (link_ == connection) handle(context_.environment.messages[payload]);
    context_.environment.messages.release(payload);
  }
  const auto closed = std::exchange(closed_unread_, std::nullopt);
  if (closed && closed == link_) on_closed();
}

void ReplicaLink::drop_deferred_messages() {
  for (const auto& [connection, payload] : unread_) context_.environment.messages.release(payload);
  unread_.clear();
}

void ReplicaLink::forbid() {
  if (forbidden_++ == 0 && link_) context_.environment.network.reset(*link_);
}

void ReplicaLink::allow() {
  if (--forbidden_ == 0 && !context_.is_crashed()) context_.run_or_defer(NodeWork::open_link);
}

void ReplicaLink::expect_silence_of(sim::HostId host) {
  if (!link_ || master_->host_id() != host || silent_link_ == link_) return;
  silent_link_ = link_;
  context_.host.cancel_timer(silence_);  // of a link that was silent before
  silence_ = context_.start_timer(silence_ns_max, NodeTimer::link_silence, sim::EventKind::daemon);
}

void ReplicaLink::on_silence_over() {
  if (!silent_link_ || std::exchange(silent_link_, std::nullopt) != link_) return;
  reopen();
}

// -- for digests and views --

void ReplicaLink::digest_into(sim::Digest& digest) const {
  const auto add_node = [&](const RedisNode* node) {
    digest.add(node != nullptr);
    if (node != nullptr) digest.add(node->host_id());
  };
  add_node(master_);
  digest.add_connection(link_);
  digest.add(is_synchronised_);
  context_.host.digest_timer(digest, next_acknowledgement_);
  digest.add(replica_of_.has_value());
  if (replica_of_) digest.add(std::string_view(*replica_of_));
  add_node(next_master_);
  digest.add(stalls_);
  digest.add(forbidden_);
  digest.add(unread_.size());
  for (const auto& [connection, payload] : unread_) {
    digest.add_connection(connection);
    context_.host.digest_payload(digest, connection, payload);
  }
  digest.add_connection(closed_unread_);
  digest.add_connection(silent_link_);
  context_.host.digest_timer(digest, silence_);
}

void ReplicaLink::look(HostView& view) const {
  view.add(context_.host.actor(), "role",
           master_ == nullptr ? std::string("master")
                              : fmt::format("replica of {}{}", master_->name(),
                                            is_synchronised_ ? "" : ", not linked"));
}

}  // namespace lockstep::model
