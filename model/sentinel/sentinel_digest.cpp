// A sentinel's part of a state: the instances it knows, its view of them, and its failover.
//
// Times are relative to its wall clock, except for 0, which means never.
//
// Not state: choices_ (the same in all runs), links_ (it has numbers of requests to come).
#include "model/sentinel/sentinel_node.h"

namespace lockstep::model {

void SentinelNode::digest_into(sim::Digest& digest) const {
  const std::int64_t wall_ms_now = sim::floor_to_ms(wall_clock().reading_at(digest.now()));
  const auto add_time = [&](std::int64_t at_ms) {
    digest.add(at_ms == 0);
    if (at_ms != 0) digest.add(at_ms - wall_ms_now);
  };
  const auto add_channel = [&](const InstanceConnection& channel) {
    digest.add_connection(channel.connection);
    digest.add(channel.is_open);
    add_time(channel.connected_at_ms);
    digest.add(channel.expected.size());
    for (const InstanceConnection::Expected& expected : channel.expected) {
      digest.name(sim::NamedKind::request, static_cast<std::uint64_t>(id_), expected.number);
      digest.add(expected.request);
    }
    digest.add(channel.unsent.size());
    for (const sim::Payload payload : channel.unsent) {
      digest_payload(digest, *channel.connection, payload);
    }
  };
  const auto add_instance = [&](const Instance& instance) {
    digest.add(instance.kind);
    digest.add(instance.host);
    digest.add(std::string_view(instance.name));
    add_channel(instance.commands);
    add_channel(instance.events);
    digest.add(instance.is_disconnected);
    for (const std::int64_t at_ms :
         {instance.reconnected_at_ms, instance.heard_at_ms, instance.waits_since_ms,
          instance.pinged_at_ms, instance.available_at_ms, instance.answered_at_ms,
          instance.published_at_ms, instance.subjectively_down_at_ms,
          instance.objectively_down_at_ms, instance.reported_at_ms, instance.role_reported_at_ms,
          instance.reported_master_at_ms, instance.reconfigured_at_ms, instance.replied_at_ms}) {
      add_time(at_ms);
    }
    digest.add(instance.is_subjectively_down);
    digest.add(instance.is_objectively_down);
    digest.add(instance.script_was_ended);
    digest.add(instance.reports_master);
    digest.add(std::string_view(instance.run_id));
    digest.add(std::string_view(instance.reported_master));
    digest.add(instance.master_link_is_up);
    digest.add(instance.master_link_down_ms);
    digest.add(instance.priority);
    digest.add_offset(instance.offset);
    digest.add(instance.is_promoted);
    digest.add(instance.reconfiguration);
    digest.add(instance.thinks_master_is_down);
    digest.add(std::string_view(instance.voted_for));
    digest.add(instance.voted_epoch);
  };
  add_instance(master_);
  for (const std::vector<Instance>* const among : {&replicas_, &sentinels_}) {
    digest.add(among->size());
    for (const Instance& instance : *among) add_instance(instance);
  }
  clients_.digest_into(digest);
  digest.add(is_up_);
  digest.add(down_after_ms_);
  digest.add(failover_timeout_ms_);
  digest.add(quorum_);
  digest.add(current_epoch_);
  digest.add(config_epoch_);
  digest.add(std::string_view(vote_.leader));
  digest.add(vote_.epoch);
  digest.add(failover_.state);
  digest.add(failover_.epoch);
  add_time(failover_.started_at_ms);
  add_time(failover_.changed_at_ms);
  digest.add(failover_.promoted);
  digest.add(is_tilted_);
  add_time(tilted_at_ms_);
  add_time(last_tick_at_ms_);
  Host::digest_into(digest);
}

void SentinelNode::digest_payload(sim::Digest& digest, sim::ConnectionId connection,
                                  sim::Payload payload) const {
  environment_.messages[payload].digest_into(digest, connection);
}

void SentinelClients::digest_into(sim::Digest& digest) const {
  digest.add(clients_.size());
  for (const ConnectedClient& caller : clients_) {
    digest.add_connection(caller.connection);
    for (const std::vector<std::string>* const names : {&caller.channels, &caller.patterns}) {
      digest.add(names->size());
      for (const std::string& name : *names) digest.add(std::string_view(name));
    }
  }
}

}  // namespace lockstep::model
