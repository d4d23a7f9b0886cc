#include "model/node/cluster_bus.h"

#include <algorithm>

#include "model/node/node_listener.h"
#include "model/node/redis_node.h"
#include "redis/scripting/script_engine.h"
#include "redis/values/key_slot.h"
#include "scenario/cluster_spec.h"
#include "sim/network.h"

namespace lockstep::model {
namespace {

constexpr sim::DurationNs cron_period_ns = ClusterNode::cron_period_ms * sim::millisecond_ns;

std::string_view label_of(ClusterMessage::Kind kind) {
  switch (kind) {
    case ClusterMessage::Kind::ping:
      return "gossip ping";
    case ClusterMessage::Kind::pong:
      return "gossip pong";
    case ClusterMessage::Kind::fail:
      return "fail";
    case ClusterMessage::Kind::vote_request:
      return "vote request";
    case ClusterMessage::Kind::vote:
      return "vote";
    case ClusterMessage::Kind::update:
      return "update";
    case ClusterMessage::Kind::publish:
      return "cluster publish";
  }
  return {};
}

}  // namespace

// -- what all nodes share --

void ClusterLayout::start_run() {
  is_bus_.clear();
  if (!members_.empty()) return;
  for (std::uint32_t shard = 0; shard < redis_.masters; ++shard) {
    const auto master = static_cast<ClusterIndex>(members_.size());
    members_.push_back({});
    for (std::uint32_t i = 0; i < redis_.replicas; ++i) members_.push_back({master});
    std::uint32_t first = ranges_.empty() ? 0 : ranges_.back().last + 1;
    std::uint32_t last = first;
    while (last + 1 < redis::slot_count &&
           redis::master_of_slot(last + 1, redis_.masters) == shard) {
      ++last;
    }
    ranges_.push_back({first, last, master});
  }
  for (const RedisNode* node : nodes_) ids_.push_back(redis::sha1_hex(node->name()));
}

void ClusterLayout::note_bus(sim::ConnectionId connection) {
  const auto index = static_cast<std::size_t>(connection);
  if (index >= is_bus_.size()) is_bus_.resize(index + 1);
  is_bus_[index] = true;
}

bool ClusterLayout::is_bus(sim::ConnectionId connection) const {
  const auto index = static_cast<std::size_t>(connection);
  return index < is_bus_.size() && is_bus_[index];
}

// -- the life of the node --

ClusterBus::ClusterBus(NodeContext& context, ReplicaLink& link, ClusterLayout& layout,
                       ClusterIndex index)
    : context_(context), link_(link), layout_(layout), index_(index), cluster_(*this) {}

ClusterSettings ClusterBus::settings() const {
  const redis::Config& config = context_.config;
  return {.node_timeout_ms = layout_.redis().cluster.node_timeout_ns / sim::millisecond_ns,
          .replica_validity_factor = std::stoll(config.get("cluster-replica-validity-factor")),
          .repl_ping_replica_period_s = config.repl_ping_replica_period_s,
          .requires_full_coverage = config.get("cluster-require-full-coverage") == "yes",
          .has_no_failover = config.get("cluster-replica-no-failover") == "yes"};
}

void ClusterBus::start_run() {
  links_.assign(layout_.nodes().size(), std::nullopt);
  failover_.reset();
  has_changed_ = false;
  master_heard_ms_ = context_.wall_ms();
  cluster_.start(index_, layout_.members(), settings(), context_.wall_ms());
  start_cron(
      static_cast<sim::DurationNs>(random_below(static_cast<std::uint64_t>(cron_period_ns))));
}

void ClusterBus::connect_before_run() {
  for (ClusterIndex to = 0; to < links_.size(); ++to) {
    if (to == index_) continue;
    links_[to] = context_.environment.network.connect_before_run(context_.id,
                                                                 layout_.nodes()[to]->host_id());
    layout_.note_bus(*links_[to]);
  }
}

void ClusterBus::on_process_started() {
  master_heard_ms_ = 0;
  failover_.reset();
  cluster_.restart(context_.wall_ms());
  apply_cluster_change();
  start_cron(0);
}

void ClusterBus::on_crash() { links_.assign(links_.size(), std::nullopt); }

void ClusterBus::start_cron(sim::DurationNs after_ns) {
  context_.host.start_timer(after_ns, cron_cookie, sim::EventKind::daemon);
}

void ClusterBus::apply_cluster_change() {
  if (std::exchange(has_changed_, false)) context_.server.on_cluster_changed();
}

// -- what reaches the node --

bool ClusterBus::try_handle(const sim::Incoming& incoming) {
  switch (incoming.kind) {
    case sim::Incoming::Kind::message:
      return try_handle_message(incoming.connection, incoming.argument);
    case sim::Incoming::Kind::connection_opened:
      if (const auto to = link_of(incoming.connection)) {
        cluster_.on_link_opened(*to, context_.wall_ms());
        return true;
      }
      return layout_.is_bus(incoming.connection);
    case sim::Incoming::Kind::connection_refused:
    case sim::Incoming::Kind::connection_closed:
      return try_handle_closed(incoming.connection);
    case sim::Incoming::Kind::timer:
      if (incoming.argument != cron_cookie) return false;
      start_cron(cron_period_ns);
      cluster_.cron(context_.wall_ms());
      apply_cluster_change();
      return true;
    case sim::Incoming::Kind::resumed_work:
      return false;
  }
  return false;
}

bool ClusterBus::try_handle_closed(sim::ConnectionId connection) {
  if (const auto to = link_of(connection)) {
    links_[*to].reset();
    cluster_.on_link_closed(*to, context_.wall_ms());
    return true;
  }
  if (link_.uses(connection) && link_.is_synchronised()) master_heard_ms_ = context_.wall_ms();
  return layout_.is_bus(connection);
}

bool ClusterBus::try_handle_message(sim::ConnectionId connection, sim::Payload payload) {
  if (link_.uses(connection)) master_heard_ms_ = context_.wall_ms();
  if (!layout_.is_bus(connection)) return false;
  const auto own = link_of(connection);
  answering_ = connection;
  cluster_.receive(*context_.environment.messages[payload].cluster,
                   own ? ClusterNode::Via::own_link : ClusterNode::Via::other, context_.wall_ms());
  apply_cluster_change();
  return true;
}

void ClusterBus::after_request() {
  const auto asked = std::exchange(failover_, std::nullopt);
  if (!asked || !cluster_.is_replica()) return;
  const redis::FailoverOption how = *asked;
  cluster_.fail_over(
      how == redis::FailoverOption::force ? OperatorFailover::force : OperatorFailover::takeover,
      context_.wall_ms());
  apply_cluster_change();
}

void ClusterBus::force_takeover() {
  failover_ = redis::FailoverOption::takeover;
  after_request();
}

std::optional<ClusterIndex> ClusterBus::link_of(sim::ConnectionId connection) const {
  const auto found = std::find(links_.begin(), links_.end(), connection);
  if (found == links_.end()) return std::nullopt;
  return static_cast<ClusterIndex>(found - links_.begin());
}

// -- what the node does --

void ClusterBus::open_link(ClusterIndex to) {
  links_[to] = context_.environment.network.connect(context_.id, layout_.nodes()[to]->host_id());
  layout_.note_bus(*links_[to]);
}

void ClusterBus::close_link(ClusterIndex to) {
  if (links_[to]) context_.environment.network.close(*links_[to], context_.id);
  links_[to].reset();
}

void ClusterBus::send(ClusterIndex to, const ClusterMessage& message) {
  if (links_[to]) send_on(*links_[to], message);
}

void ClusterBus::answer(const ClusterMessage& message) { send_on(answering_, message); }

void ClusterBus::send_on(sim::ConnectionId connection, const ClusterMessage& message) {
  const sim::Payload payload = context_.environment.messages.make();
  Message& sent = context_.environment.messages[payload];
  sent.kind = Message::Kind::cluster_bus;
  sent.label = label_of(message.kind);
  if (sent.cluster == nullptr) sent.cluster = std::make_unique<ClusterMessage>();
  *sent.cluster = message;
  context_.send(connection, payload);
}

std::uint64_t ClusterBus::random_below(std::uint64_t bound) { return context_.random_below(bound); }

std::int64_t ClusterBus::replication_offset() const { return context_.server.replication_offset(); }

std::int64_t ClusterBus::master_silent_ms() const {
  std::int64_t heard_ms = master_heard_ms_;
  const std::optional<ClusterIndex> master = cluster_.known(index_).master;
  if (master && link_.is_synchronised()) {
    heard_ms = std::max(heard_ms, cluster_.known(*master).data_received_ms);
  }
  return context_.wall_ms() - heard_ms;
}

void ClusterBus::become_master() {
  if (!context_.is_crashed()) link_.carry_out_promotion(Promoter::other);
}

void ClusterBus::follow(ClusterIndex master) {
  if (link_.is_synchronised()) master_heard_ms_ = context_.wall_ms();
  RedisNode& followed = *layout_.nodes()[master];
  if (context_.is_crashed()) return link_.follow(followed);
  link_.follow_elected(followed);
}

void ClusterBus::on_published(std::string_view channel, std::string_view text) {
  context_.server.publish(channel, text);
}

void ClusterBus::on_published_to_shard(std::string_view channel, std::string_view text) {
  context_.server.publish_to_shard(channel, text);
}

void ClusterBus::publish_to_shard(std::string_view channel, std::string_view message) {
  cluster_.publish_to_shard(channel, message);
}

void ClusterBus::publish(std::string_view channel, std::string_view message) {
  cluster_.publish(channel, message);
}

// -- what the server asks --

redis::ClusterMember ClusterBus::member(std::size_t index) const {
  const auto node = static_cast<ClusterIndex>(index);
  const ClusterNode::KnownNode& known = cluster_.known(node);
  redis::ClusterMember member;
  member.id = layout_.ids()[index];
  member.host = name_of(node);
  member.port = RedisNode::redis_port;
  if (known.master) member.master = *known.master;
  member.is_suspected = known.is_suspected;
  member.has_failed = known.has_failed;
  member.is_connected = node == index_ || known.link == ClusterNode::LinkState::open;
  member.ping_sent_ms = known.ping_sent_ms;
  member.pong_received_ms = node == index_ ? 0 : known.pong_received_ms;
  member.config_epoch = cluster_.known(known.master.value_or(node)).config_epoch;
  member.offset = node == index_ ? replication_offset() : known.offset;
  return member;
}

std::optional<std::size_t> ClusterBus::owner_of_slot(std::uint32_t slot) const {
  const ClusterIndex owner =
      cluster_.owner_of(redis::master_of_slot(slot, layout_.ranges().size()));
  if (owner == no_cluster_node) return std::nullopt;
  return owner;
}

redis::SlotRange ClusterBus::range(std::size_t index) const {
  redis::SlotRange range = layout_.ranges()[index];
  range.owner = owner_of_slot(range.first);
  return range;
}

const std::string& ClusterBus::name_of(ClusterIndex node) const {
  return layout_.nodes()[node]->name();
}

}  // namespace lockstep::model
