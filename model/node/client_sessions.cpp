#include "model/node/client_sessions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "model/host_view.h"
#include "model/node/redis_node.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/reply_builder.h"
#include "redis/values/value_text.h"
#include "sim/digest.h"
#include "sim/network.h"

namespace lockstep::model {

// -- connections --

void ClientSessions::forget_all() {
  peers_.clear();
  blocked_.clear();
  kept_back_.clear();
  has_planned_kept_back_ = false;
}

void ClientSessions::drop_all() {
  for (const KeptBack& kept : kept_back_) context_.environment.messages.release(kept.request);
  forget_all();
}

ClientSessions::Peer& ClientSessions::add(sim::ConnectionId connection) {
  constexpr std::uint32_t first_port = 32'768;
  constexpr std::uint32_t ports = 28'232;  // as Linux gives them out
  sim::Network& network = context_.environment.network;
  const sim::Host& host = network.host(network.peer(connection, context_.id));
  const std::uint32_t port = first_port + static_cast<std::uint32_t>(connection) % ports;
  text_.assign(host.name()).append(":").append(redis::IntegerText(port).view());
  std::string local = context_.host.name();
  local.append(":").append(redis::IntegerText(RedisNode::redis_port).view());
  peers_.push_back({connection, context_.server.open_session({text_, local}), std::nullopt});
  const redis::SessionId session = peers_.back().session;
  context_.tell([&] { return redis::node_event::SessionOpened{session}; });
  return peers_.back();
}

ClientSessions::Peer* ClientSessions::find(sim::ConnectionId connection) {
  const auto found = std::find_if(peers_.begin(), peers_.end(),
                                  [&](const Peer& peer) { return peer.connection == connection; });
  return found == peers_.end() ? nullptr : &*found;
}

std::vector<ClientSessions::Peer>::iterator ClientSessions::find(redis::SessionId session) {
  return std::find_if(peers_.begin(), peers_.end(),
                      [&](const Peer& peer) { return peer.session == session; });
}

sim::ActorId ClientSessions::actor_at(sim::ConnectionId connection) const {
  sim::Network& network = context_.environment.network;
  return network.host(network.peer(connection, context_.id)).actor();
}

void ClientSessions::forget(const Peer& peer) {
  const redis::SessionId session = peer.session;
  std::erase_if(blocked_, [&](const Blocked& blocked) {
    if (blocked.session == session) context_.host.cancel_timer(blocked.timer);
    return blocked.session == session;
  });
  std::erase_if(kept_back_, [&](const KeptBack& kept) {
    const bool is_its_own = kept.connection == peer.connection;
    if (is_its_own) context_.environment.messages.release(kept.request);
    return is_its_own;
  });
  context_.tell([&] { return redis::node_event::SessionClosed{session}; });
  context_.server.close_session(session);
  if (peer.replica) context_.server.drop_replica(*peer.replica);
  peers_.erase(peers_.begin() + (&peer - peers_.data()));
}

void ClientSessions::close_ended() {
  for (const redis::SessionId session : closed_sessions_) {
    const auto peer = find(session);
    if (peer == peers_.end()) continue;
    context_.environment.network.close(peer->connection, context_.id);
    forget(*peer);
  }
  closed_sessions_.clear();
}

void ClientSessions::refuse(sim::ConnectionId connection) {
  const sim::Payload payload = make_reply(0, "connection", sim::no_actor);
  redis::ReplyBuilder builder(context_.environment.messages[payload].reply);
  builder.error("ERR max number of clients reached");
  context_.send(connection, payload);
  context_.environment.network.refuse(connection, context_.id);
}

// -- replies --

std::string_view ClientSessions::reply_label(std::string_view label) {
  for (const auto& [request, reply] : reply_labels_) {
    if (request == label) return reply;
  }
  reply_labels_.reserve(256);  // views of the texts are handed out: they must not move
  assert(reply_labels_.size() < 256);
  return reply_labels_.emplace_back(std::string(label), "reply to " + std::string(label)).second;
}

sim::Payload ClientSessions::make_reply(std::uint64_t request, std::string_view label,
                                        sim::ActorId on_behalf_of) {
  const sim::Payload payload = context_.environment.messages.make();
  Message& message = context_.environment.messages[payload];
  message.kind = Message::Kind::reply;
  message.number = request;
  message.label = reply_label(label);
  message.on_behalf_of = on_behalf_of;
  return payload;
}

void ClientSessions::push(redis::SessionId session, const redis::Reply& message) {
  const auto peer = find(session);
  assert(peer != peers_.end());
  const sim::Payload payload = context_.environment.messages.make();
  Message& sent = context_.environment.messages[payload];
  sent.kind = Message::Kind::push;
  sent.label = "message";
  sent.reply = message;
  context_.send(peer->connection, payload);
  context_.tell([&] { return redis::node_event::MessagePushed{session, message}; });
}

// -- blocked requests --

std::vector<ClientSessions::Blocked>::iterator ClientSessions::find_blocked(
    redis::SessionId session) {
  const auto found = std::find_if(blocked_.begin(), blocked_.end(), [&](const Blocked& blocked) {
    return blocked.session == session;
  });
  assert(found != blocked_.end());
  return found;
}

void ClientSessions::block(const Peer& peer, const Message& request) {
  const std::int64_t timeout_ms = context_.server.block_timeout_ms(peer.session);
  sim::TimerId timer{};
  if (timeout_ms > 0) {
    const auto first = static_cast<std::uint64_t>(NodeTimer::first_session);
    timer = context_.host.start_timer(timeout_ms * sim::millisecond_ns,
                                      static_cast<std::uint64_t>(peer.session) + first);
  }
  blocked_.push_back(
      {peer.connection, peer.session, request.number, request.label, request.on_behalf_of, timer});
}

void ClientSessions::on_timeout(redis::SessionId session) {
  context_.tell([&] { return redis::node_event::WaitTimedOut{session}; });
  context_.server.unblock(session);
}

void ClientSessions::on_unblocked(redis::SessionId session, const redis::Reply& reply) {
  const auto blocked = find_blocked(session);
  context_.host.cancel_timer(blocked->timer);
  const sim::Payload payload = make_reply(blocked->request, blocked->label, blocked->on_behalf_of);
  context_.environment.messages[payload].reply = reply;
  const sim::ConnectionId connection = blocked->connection;
  blocked_.erase(blocked);
  context_.send(connection, payload);
  context_.tell([&] { return redis::node_event::Unblocked{session, reply}; });
}

void ClientSessions::on_unblocked_silently(redis::SessionId session) {
  const auto blocked = find_blocked(session);
  context_.host.cancel_timer(blocked->timer);
  blocked_.erase(blocked);
}

// -- requests behind them --

bool ClientSessions::is_blocked(sim::ConnectionId connection) const {
  return std::any_of(blocked_.begin(), blocked_.end(),
                     [&](const Blocked& blocked) { return blocked.connection == connection; });
}

bool ClientSessions::keep_back(sim::ConnectionId connection, sim::Payload request) {
  if (blocked_.empty() && kept_back_.empty()) return false;
  const bool is_behind =
      is_blocked(connection) ||
      std::any_of(kept_back_.begin(), kept_back_.end(),
                  [&](const KeptBack& each) { return each.connection == connection; });
  if (is_behind) kept_back_.push_back({connection, request});
  return is_behind;
}

std::vector<ClientSessions::KeptBack>::iterator ClientSessions::first_servable() {
  return std::find_if(kept_back_.begin(), kept_back_.end(),
                      [&](const KeptBack& each) { return !is_blocked(each.connection); });
}

void ClientSessions::plan_kept_back() {
  if (has_planned_kept_back_ || first_servable() == kept_back_.end()) return;
  has_planned_kept_back_ = true;
  context_.run_or_defer(NodeWork::kept_back_request);
}

std::optional<ClientSessions::KeptBack> ClientSessions::take_kept_back() {
  has_planned_kept_back_ = false;
  const auto first = first_servable();
  if (first == kept_back_.end()) return std::nullopt;
  const KeptBack taken = *first;
  kept_back_.erase(first);
  return taken;
}

// -- for digests and views --

// Not state: text_, reply_labels_ (memory).
void ClientSessions::digest_into(sim::Digest& digest) const {
  const auto add_session = [&](redis::SessionId session) {
    digest.name(sim::NamedKind::session, static_cast<std::uint64_t>(context_.id),
                static_cast<std::uint64_t>(session));
  };
  digest.add(peers_.size());
  for (const Peer& peer : peers_) {
    digest.add_connection(peer.connection);
    add_session(peer.session);
    digest.add(peer.replica);
  }
  digest.add(blocked_.size());
  for (const Blocked& blocked : blocked_) {
    digest.add_connection(blocked.connection);
    add_session(blocked.session);
    digest.add_request(blocked.connection, blocked.request);
    digest.add(blocked.label);
    digest.add(blocked.on_behalf_of);
    context_.host.digest_timer(digest, blocked.timer);
  }
  digest.add(kept_back_.size());
  for (const KeptBack& kept : kept_back_) {
    digest.add_connection(kept.connection);
    std::as_const(context_.environment.messages)[kept.request].digest_into(digest, kept.connection);
  }
  digest.add(has_planned_kept_back_);
  digest.add(closed_sessions_.size());
  for (const redis::SessionId session : closed_sessions_) add_session(session);
}

void ClientSessions::look(HostView& view) const {
  for (const Blocked& blocked : blocked_) {
    view.add(context_.host.actor(), fmt::format("blocked request {}", blocked.request),
             redis::cut_text(blocked.label));
  }
  for (const KeptBack& kept : kept_back_) {
    const Message& request = context_.environment.messages[kept.request];
    view.add(context_.host.actor(), fmt::format("request {} behind a blocked one", request.number),
             redis::cut_text(request.label));
  }
}

}  // namespace lockstep::model
