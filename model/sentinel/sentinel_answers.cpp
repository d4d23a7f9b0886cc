// What a sentinel answers to clients and to other sentinels.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "model/sentinel/sentinel_node.h"
#include "redis/protocol/integer_text.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/protocol/reply_builder.h"
#include "redis/server/error_replies.h"
#include "redis/server/version_traits.h"

namespace lockstep::model {
namespace {

using redis::equals_ignoring_case;

/// Views of literals, as a message's label must be.
std::string_view reply_label(std::string_view label) {
  constexpr std::array<std::array<std::string_view, 2>, 5> labels{
      {{"ping", "reply to ping"},
       {"hello", "reply to hello"},
       {"is-master-down-by-addr", "reply to is-master-down-by-addr"},
       {"get-master-addr-by-name", "reply to get-master-addr-by-name"},
       {"subscribe", "reply to subscribe"}}};
  for (const auto& [request, reply] : labels) {
    if (request == label) return reply;
  }
  return "reply";
}

void write_pair(redis::ReplyWriter& reply, std::string_view key, std::string_view value) {
  reply.bulk(key);
  reply.bulk(value);
}

void write_pair(redis::ReplyWriter& reply, std::string_view key, std::int64_t value) {
  write_pair(reply, key, redis::IntegerText(value).view());
}

std::string flags_of(const Instance& instance) {
  std::string flags(to_string(instance.kind));
  if (instance.is_subjectively_down) flags += ",s_down";
  if (instance.is_objectively_down) flags += ",o_down";
  if (instance.is_disconnected) flags += ",disconnected";
  if (instance.is_promoted) flags += ",promoted";
  return flags;
}

void refuse(const redis::Arguments& words, redis::ReplyWriter& reply) {
  std::vector<std::string_view> views;
  views.reserve(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) views.push_back(words[i]);
  reply.error(redis::unknown_command(nullptr, views, redis::traits_of(redis::default_version)));
}

/// Clients that prefer RESP3 ask again for RESP2.
void answer_hello(const redis::Arguments& words, redis::ReplyWriter& reply) {
  if (words.size() > 1 && words[1] != "2") {
    return reply.error("NOPROTO unsupported protocol version");
  }
  reply.map(3);
  write_pair(reply, "server", "redis");
  write_pair(reply, "proto", 2);
  write_pair(reply, "mode", "sentinel");
}

}  // namespace

void SentinelNode::answer(sim::ConnectionId connection, const Message& request) {
  const redis::Arguments& words = request.arguments;
  const sim::Payload payload = environment_.messages.make();
  Message& reply = environment_.messages[payload];
  reply.kind = Message::Kind::reply;
  reply.number = request.number;
  reply.label = reply_label(request.label);
  reply.on_behalf_of = request.on_behalf_of;
  redis::ReplyBuilder writer(reply.reply);
  const std::string_view command = words[0];
  std::string hello;
  if (equals_ignoring_case(command, "ping")) {
    writer.status("PONG");
  } else if (equals_ignoring_case(command, "sentinel") && words.size() >= 2) {
    answer_sentinel(words, writer);
  } else if (equals_ignoring_case(command, "publish") && words.size() == 3 &&
             words[1] == hello_channel) {
    writer.integer(1);
    hello = words[2];
  } else if (equals_ignoring_case(command, "role")) {
    writer.array(2);
    writer.bulk("sentinel");
    writer.array(1);
    writer.bulk(master_name);
  } else if (command.size() >= 9 && (equals_ignoring_case(command, "subscribe") ||
                                     equals_ignoring_case(command, "psubscribe") ||
                                     equals_ignoring_case(command, "unsubscribe") ||
                                     equals_ignoring_case(command, "punsubscribe"))) {
    clients_.change_subscriptions(connection, words, writer);
  } else if (equals_ignoring_case(command, "hello")) {
    answer_hello(words, writer);
  } else {
    refuse(words, writer);
  }
  const std::string_view label = reply.label;
  const sim::ActorId on_behalf_of = reply.on_behalf_of;
  if (!environment_.network.send(connection, id_, payload, label, on_behalf_of)) {
    environment_.messages.release(payload);
  }
  if (!hello.empty()) on_hello(hello);
}

void SentinelNode::answer_sentinel(const redis::Arguments& words, redis::ReplyWriter& reply) {
  const std::string_view what = words[1];
  if (equals_ignoring_case(what, "is-master-down-by-addr")) {
    return answer_is_master_down(words, reply);
  }
  if (equals_ignoring_case(what, "myid")) return reply.bulk(name());
  if (equals_ignoring_case(what, "masters")) {
    reply.array(1);
    return write_master(reply);
  }
  if (equals_ignoring_case(what, "get-master-addr-by-name") && words.size() == 3) {
    if (words[2] != master_name) return reply.null_array();
    const bool is_decided = failover_.state >= FailoverState::reconfigure_replicas;
    reply.array(2);
    reply.bulk(is_decided ? promoted().name : master_.name);
    return reply.bulk(redis::IntegerText(node_port).view());
  }
  if (words.size() != 3 || words[2] != master_name) {
    return reply.error("ERR No such master with that name");
  }
  if (equals_ignoring_case(what, "master")) return write_master(reply);
  if (equals_ignoring_case(what, "replicas") || equals_ignoring_case(what, "slaves")) {
    return write_instances(replicas_, reply);
  }
  if (equals_ignoring_case(what, "sentinels")) return write_instances(sentinels_, reply);
  reply.error("ERR unknown subcommand of SENTINEL");
}

void SentinelNode::answer_is_master_down(const redis::Arguments& words, redis::ReplyWriter& reply) {
  const auto epoch = words.size() == 6 ? redis::parse_integer(words[4]) : std::nullopt;
  if (!epoch) return reply.error("ERR wrong number of arguments for command");
  const bool is_known = words[2] == master_.name;
  Vote given;
  if (is_known && words[5] != "*") given = vote(*epoch, words[5]);
  reply.array(3);
  reply.integer(!is_tilted_ && is_known && master_.is_subjectively_down ? 1 : 0);
  reply.bulk(given.leader.empty() ? std::string_view("*") : std::string_view(given.leader));
  reply.integer(given.epoch);
}

void SentinelNode::write_master(redis::ReplyWriter& reply) const {
  constexpr std::size_t pairs = 11;
  reply.map(pairs);
  write_pair(reply, "name", master_name);
  write_pair(reply, "ip", master_.name);
  write_pair(reply, "port", node_port);
  write_pair(reply, "runid", master_.run_id);
  write_pair(reply, "flags", flags_of(master_));
  write_pair(reply, "role-reported", master_.reports_master ? "master" : "slave");
  write_pair(reply, "config-epoch", config_epoch_);
  write_pair(reply, "num-slaves", static_cast<std::int64_t>(replicas_.size()));
  write_pair(reply, "num-other-sentinels", static_cast<std::int64_t>(sentinels_.size()));
  write_pair(reply, "quorum", quorum_);
  write_pair(reply, "failover-timeout", failover_timeout_ms_);
}

void SentinelNode::write_instances(const std::vector<Instance>& instances,
                                   redis::ReplyWriter& reply) const {
  reply.array(instances.size());
  for (const Instance& instance : instances) {
    const bool is_sentinel = instance.kind == InstanceKind::sentinel;
    constexpr std::size_t pairs_of_all = 5;
    constexpr std::size_t pairs_of_replicas = 5;
    reply.map(is_sentinel ? pairs_of_all : pairs_of_all + pairs_of_replicas);
    write_pair(reply, "name", instance.name);
    write_pair(reply, "ip", instance.name);
    write_pair(reply, "port", is_sentinel ? sentinel_port : node_port);
    write_pair(reply, "runid", is_sentinel ? instance.name : instance.run_id);
    write_pair(reply, "flags", flags_of(instance));
    if (is_sentinel) continue;
    write_pair(reply, "role-reported", instance.reports_master ? "master" : "slave");
    write_pair(reply, "master-host", instance.reported_master);
    write_pair(reply, "master-link-status", instance.master_link_is_up ? "ok" : "err");
    write_pair(reply, "slave-priority", instance.priority);
    write_pair(reply, "slave-repl-offset", instance.offset);
  }
}

}  // namespace lockstep::model
