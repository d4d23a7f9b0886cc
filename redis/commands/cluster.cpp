// CLUSTER, as clients ask it, and READONLY and its like.
//
// Not covered: what changes the cluster but for FAILOVER, LINKS, COUNT-FAILURE-REPORTS, and the
// counts of messages in INFO.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "redis/commands/commands.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/cluster_view.h"
#include "redis/server/server.h"
#include "redis/values/key_slot.h"

namespace lockstep::redis::commands {
namespace {

constexpr std::int64_t bus_port_offset = 10'000;

/// Replies, and says null, where there is no cluster.
ClusterView* cluster_of(Call& call) {
  ClusterView* const cluster = call.server().cluster();
  if (cluster == nullptr) call.reply().error("ERR This instance has cluster support disabled");
  return cluster;
}

std::optional<std::uint32_t> slot_at(Call& call, std::size_t index) {
  const std::optional<std::int64_t> slot = call.integer(index);
  if (!slot) return std::nullopt;
  if (*slot < 0 || *slot >= static_cast<std::int64_t>(slot_count)) {
    call.reply().error("ERR Invalid slot");
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(*slot);
}

void append(std::string& text, std::int64_t number) { text += IntegerText(number).view(); }

void append_flags(std::string& text, const ClusterView& cluster, std::size_t index) {
  const ClusterMember member = cluster.member(index);
  if (index == cluster.self()) text += "myself,";
  text += member.master ? "slave" : "master";
  if (member.is_suspected) text += ",fail?";
  if (member.has_failed) text += ",fail";
}

void append_node_line(std::string& text, const ClusterView& cluster, std::size_t index) {
  const ClusterMember member = cluster.member(index);
  text += member.id;
  text += ' ';
  text += member.host;
  text += ':';
  append(text, member.port);
  text += '@';
  append(text, member.port + bus_port_offset);
  text += ' ';
  append_flags(text, cluster, index);
  text += ' ';
  text += member.master ? cluster.member(*member.master).id : std::string_view("-");
  text += ' ';
  append(text, member.ping_sent_ms);
  text += ' ';
  append(text, member.pong_received_ms);
  text += ' ';
  append(text, static_cast<std::int64_t>(member.config_epoch));
  text += member.is_connected ? " connected" : " disconnected";
  for (std::size_t i = 0; i < cluster.range_count(); ++i) {
    const SlotRange range = cluster.range(i);
    if (range.owner != index) continue;
    text += ' ';
    append(text, range.first);
    if (range.last == range.first) continue;
    text += '-';
    append(text, range.last);
  }
  text += '\n';
}

void reply_node(ReplyWriter& reply, const ClusterMember& member) {
  reply.array(4);
  reply.bulk(member.host);
  reply.integer(member.port);
  reply.bulk(member.id);
  reply.array(0);
}

std::vector<std::size_t> replicas_of(const ClusterView& cluster, std::size_t master) {
  std::vector<std::size_t> replicas;
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    if (cluster.member(i).master == master) replicas.push_back(i);
  }
  return replicas;
}

void reply_shard_node(ReplyWriter& reply, const ClusterMember& member) {
  reply.map(7);
  reply.bulk("id");
  reply.bulk(member.id);
  reply.bulk("port");
  reply.integer(member.port);
  reply.bulk("ip");
  reply.bulk(member.host);
  reply.bulk("endpoint");
  reply.bulk(member.host);
  reply.bulk("role");
  reply.bulk(member.master ? "replica" : "master");
  reply.bulk("replication-offset");
  reply.integer(member.offset);
  reply.bulk("health");
  reply.bulk(member.has_failed ? "fail" : "online");
}

std::size_t slots_with(const ClusterView& cluster, bool ClusterMember::*flag) {
  std::size_t slots = 0;
  for (std::size_t i = 0; i < cluster.range_count(); ++i) {
    const SlotRange range = cluster.range(i);
    if (range.owner && cluster.member(*range.owner).*flag) slots += range.last - range.first + 1;
  }
  return slots;
}

}  // namespace

void cluster_info(Call& call) {
  const ClusterView* const cluster = cluster_of(call);
  if (cluster == nullptr) return;
  std::size_t masters = 0;
  for (std::size_t i = 0; i < cluster->size(); ++i) {
    bool has_slots = false;
    for (std::size_t range = 0; range < cluster->range_count(); ++range) {
      has_slots |= cluster->range(range).owner == i;
    }
    if (has_slots) ++masters;
  }
  std::size_t assigned = 0;
  for (std::size_t i = 0; i < cluster->range_count(); ++i) {
    const SlotRange range = cluster->range(i);
    if (range.owner) assigned += range.last - range.first + 1;
  }
  const ClusterMember self = cluster->member(cluster->self());
  const std::size_t suspected = slots_with(*cluster, &ClusterMember::is_suspected);
  const std::size_t failed = slots_with(*cluster, &ClusterMember::has_failed);
  std::string text = "cluster_state:";
  text += cluster->is_up() ? "ok" : "fail";
  const auto add = [&text](std::string_view name, std::uint64_t value) {
    text += "\r\n";
    text += name;
    text += ':';
    append(text, static_cast<std::int64_t>(value));
  };
  add("cluster_slots_assigned", assigned);
  add("cluster_slots_ok", assigned - suspected - failed);
  add("cluster_slots_pfail", suspected);
  add("cluster_slots_fail", failed);
  add("cluster_known_nodes", cluster->size());
  add("cluster_size", masters);
  add("cluster_current_epoch", cluster->current_epoch());
  add("cluster_my_epoch", self.config_epoch);
  text += "\r\n";
  call.reply().bulk(text);
}

void cluster_nodes(Call& call) {
  const ClusterView* const cluster = cluster_of(call);
  if (cluster == nullptr) return;
  std::string text;
  for (std::size_t i = 0; i < cluster->size(); ++i) append_node_line(text, *cluster, i);
  call.reply().bulk(text);
}

void cluster_replicas(Call& call) {
  const ClusterView* const cluster = cluster_of(call);
  if (cluster == nullptr) return;
  for (std::size_t i = 0; i < cluster->size(); ++i) {
    if (cluster->member(i).id != call[2]) continue;
    if (cluster->member(i).master) {
      return call.reply().error("ERR The specified node is not a master");
    }
    const std::vector<std::size_t> replicas = replicas_of(*cluster, i);
    call.reply().array(replicas.size());
    for (const std::size_t replica : replicas) {
      std::string line;
      append_node_line(line, *cluster, replica);
      line.pop_back();
      call.reply().bulk(line);
    }
    return;
  }
  std::string text = "ERR Unknown node ";
  text += call[2];
  call.reply().error(text);
}

// Redis leaves out replicas that have failed.
void cluster_slots(Call& call) {
  const ClusterView* const cluster = cluster_of(call);
  if (cluster == nullptr) return;
  ReplyWriter& reply = call.reply();
  std::vector<SlotRange> ranges;
  for (std::size_t i = 0; i < cluster->range_count(); ++i) {
    if (cluster->range(i).owner) ranges.push_back(cluster->range(i));
  }
  reply.array(ranges.size());
  for (const SlotRange& range : ranges) {
    std::vector<std::size_t> replicas = replicas_of(*cluster, *range.owner);
    std::erase_if(replicas, [&](std::size_t each) { return cluster->member(each).has_failed; });
    reply.array(3 + replicas.size());
    reply.integer(range.first);
    reply.integer(range.last);
    reply_node(reply, cluster->member(*range.owner));
    for (const std::size_t replica : replicas) reply_node(reply, cluster->member(replica));
  }
}

void cluster_shards(Call& call) {
  const ClusterView* const cluster = cluster_of(call);
  if (cluster == nullptr) return;
  ReplyWriter& reply = call.reply();
  std::vector<std::size_t> masters;
  for (std::size_t i = 0; i < cluster->size(); ++i) {
    if (!cluster->member(i).master) masters.push_back(i);
  }
  reply.array(masters.size());
  for (const std::size_t master : masters) {
    std::vector<SlotRange> ranges;
    for (std::size_t i = 0; i < cluster->range_count(); ++i) {
      if (cluster->range(i).owner == master) ranges.push_back(cluster->range(i));
    }
    reply.map(2);
    reply.bulk("slots");
    reply.array(2 * ranges.size());
    for (const SlotRange& range : ranges) {
      reply.integer(range.first);
      reply.integer(range.last);
    }
    const std::vector<std::size_t> replicas = replicas_of(*cluster, master);
    reply.bulk("nodes");
    reply.array(1 + replicas.size());
    reply_shard_node(reply, cluster->member(master));
    for (const std::size_t replica : replicas) reply_shard_node(reply, cluster->member(replica));
  }
}

void cluster_myid(Call& call) {
  if (const ClusterView* const cluster = cluster_of(call)) {
    call.reply().bulk(cluster->member(cluster->self()).id);
  }
}

void cluster_keyslot(Call& call) {
  if (cluster_of(call) == nullptr) return;
  call.reply().integer(key_slot(call[2]));
}

void cluster_countkeysinslot(Call& call) {
  if (cluster_of(call) == nullptr) return;
  const std::optional<std::uint32_t> slot = slot_at(call, 2);
  if (!slot) return;
  const auto& entries = call.server().database(0).entries();
  call.reply().integer(std::count_if(entries.begin(), entries.end(), [&](const auto& each) {
    return key_slot(each.first) == *slot;
  }));
}

void cluster_failover(Call& call) {
  ClusterView* const cluster = cluster_of(call);
  if (cluster == nullptr) return;
  std::optional<FailoverOption> option;
  if (call.size() == 3 && equals_ignoring_case(call[2], "force")) option = FailoverOption::force;
  if (call.size() == 3 && equals_ignoring_case(call[2], "takeover")) {
    option = FailoverOption::takeover;
  }
  if (call.size() > 2 && !option) return call.reply_syntax_error();
  const ClusterMember self = cluster->member(cluster->self());
  if (!self.master) {
    return call.reply().error("ERR You should send CLUSTER FAILOVER to a replica");
  }
  if (!option) {
    return call.reply().error("ERR only CLUSTER FAILOVER FORCE and TAKEOVER are modelled");
  }
  cluster->fail_over(*option);
  call.reply().status("OK");
}

void readonly(Call& call) {
  if (cluster_of(call) == nullptr) return;
  call.session().is_read_only = true;
  call.reply().status("OK");
}

void readwrite(Call& call) {
  if (call.server().cluster() != nullptr) call.session().is_read_only = false;
  if (cluster_of(call) != nullptr) call.reply().status("OK");
}

// No slot is ever under way to another node: there is nothing to ask for.
void asking(Call& call) {
  if (cluster_of(call) != nullptr) call.reply().status("OK");
}

}  // namespace lockstep::redis::commands
