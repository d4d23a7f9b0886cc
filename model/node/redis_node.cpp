#include "model/node/redis_node.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "model/node/cluster_bus.h"
#include "model/trace_vocabulary.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/reply_builder.h"
#include "redis/server/node_event.h"

namespace lockstep::model {
namespace {

/// The keys and arguments of a request as one line: those of a script without its SHA1 and numkeys.
void describe_arguments(const redis::Arguments& arguments, std::string& text) {
  text.clear();
  const std::string_view command = arguments[0];
  const bool is_script = command == "EVALSHA" || command == "EVAL";
  for (std::size_t i = is_script ? 3 : 1; i < arguments.size(); ++i) {
    if (!text.empty()) text += ' ';
    text += arguments[i];
  }
}

void append_description(const redis::Reply& reply, std::string& text) {
  switch (reply.kind) {
    case redis::Reply::Kind::null_bulk:
    case redis::Reply::Kind::null_array:
    case redis::Reply::Kind::null:
      text += "(nil)";
      return;
    case redis::Reply::Kind::integer:
    case redis::Reply::Kind::boolean: {
      text += std::to_string(reply.integer);
      return;
    }
    case redis::Reply::Kind::bulk:
    case redis::Reply::Kind::status:
    case redis::Reply::Kind::real:
    case redis::Reply::Kind::big_number:
    case redis::Reply::Kind::verbatim:
      text += reply.text;
      return;
    case redis::Reply::Kind::error:
      text += "error: ";
      text += reply.text;
      return;
    case redis::Reply::Kind::array:
    case redis::Reply::Kind::map:
    case redis::Reply::Kind::set:
    case redis::Reply::Kind::push:
      text += '[';
      for (std::size_t i = 0; i < reply.elements.size(); ++i) {
        if (i > 0) text += ' ';
        append_description(reply.elements[i], text);
      }
      text += ']';
      return;
  }
}

}  // namespace

RedisNode::RedisNode(std::string name, sim::ActorId actor, const NodeEnvironment& environment)
    : Host(std::move(name), actor, environment.queue, environment.trace),
      environment_(environment),
      server_(environment.scripts, *this) {}

RedisNode::~RedisNode() = default;

void RedisNode::join_cluster(ClusterLayout& layout, std::uint32_t index) {
  cluster_ = std::make_unique<ClusterBus>(*this, environment_, layout, index);
}

void RedisNode::start_process(redis::Role role) {
  constexpr std::uint64_t run_ids = std::uint64_t{1} << 32U;
  const std::uint64_t first_id = (static_cast<std::uint64_t>(id_) + 1) << 32U;
  server_.start({.role = role,
                 .config = config_,
                 .files = &files_,
                 .replication_id = first_id + (std::uint64_t{starts_++} << 16U),
                 .run_id = draws_run_ids_ ? random_below(run_ids) : 0,
                 .cluster = cluster_.get()});
  changed_keys_.all = true;
  set_time();
  peers_.clear();
  blocked_.clear();
  operator_commands_.clear();
  busy_until_ns_ = 0;
  busy_end_ = {};
  busy_pause_ = {};
  master_link_.reset();
  is_synchronised_ = false;
  is_shutting_down_ = false;
  tick_ms_ = redis::Persistence::never_ms;
  tick_ = {};  // the ids of an earlier run may name other timers now
  next_acknowledgement_ = {};
  replica_of_.reset();
  tell([&] { return redis::node_event::ProcessStarted{role}; });
}

void RedisNode::start_run(RedisNode* master) {
  starts_ = 0;
  has_ordered_texts_ = false;
  reset_link_faults();
  snapshots_.clear();
  files_.clear();
  master_ = master;
  start_process(master == nullptr ? redis::Role::master : redis::Role::replica);
  static_cast<void>(server_.restore());
}

void RedisNode::start_as_master() { start_run(nullptr); }

void RedisNode::start_as_replica_of(RedisNode& master) {
  start_run(&master);
  attach_before_run();
}

void RedisNode::on_start() {
  start_process(master_ == nullptr ? redis::Role::master : redis::Role::replica);
  restore();
  if (master_ != nullptr) connect_to_master();
  if (cluster_ != nullptr) cluster_->on_process_started();
}

void RedisNode::on_crash() {
  tell([this] { return redis::node_event::ProcessKilled{end_}; });
  end_ = redis::node_event::ProcessKilled::How::killed;
  drop_deferred_messages();
  if (next_master_ != nullptr) master_ = std::exchange(next_master_, nullptr);
  if (cluster_ != nullptr) cluster_->on_crash();
  peers_.clear();
  blocked_.clear();
  master_link_.reset();
}

void RedisNode::on_evicted(std::string_view /*key*/) { environment_.listener.on_evicted(*this); }

void RedisNode::on_key_changed(std::uint8_t database, std::string_view key) {
  constexpr std::size_t keys_max = 256;
  if (database != 0 || changed_keys_.all) return;  // locks are in the first database
  if (changed_keys_.keys.size() < keys_max) return changed_keys_.keys.push(key);
  changed_keys_.all = true;
}

void RedisNode::tell_data_changed(std::string_view label, sim::ActorId by) {
  environment_.listener.on_data_changed(*this, label, by);
  changed_keys_.all = false;
  changed_keys_.keys.clear();
}

std::uint64_t RedisNode::random_below(std::uint64_t bound) {
  const auto owner = static_cast<std::uint32_t>(id_);
  return choices_->choose({sim::Purpose::server_random, owner}, bound);
}

std::int64_t RedisNode::wall_ms() const { return sim::floor_to_ms(wall_ns()); }

sim::TimeNs RedisNode::true_time_past(std::int64_t expire_at_ms) const {
  return wall_clock().true_time_of((expire_at_ms + 1) * sim::millisecond_ns);
}

void RedisNode::set_time() { server_.set_time_us(wall_ns() / sim::microsecond_ns); }

RedisNode::Peer& RedisNode::add_peer(sim::ConnectionId connection) {
  constexpr std::uint32_t first_port = 32'768;
  constexpr std::uint32_t ports = 28'232;  // as Linux gives them out
  const sim::Host& host = environment_.network.host(environment_.network.peer(connection, id_));
  const std::uint32_t port = first_port + static_cast<std::uint32_t>(connection) % ports;
  text_.assign(host.name()).append(":").append(redis::IntegerText(port).view());
  std::string local = name();
  local.append(":").append(redis::IntegerText(redis_port).view());
  peers_.push_back({connection, server_.open_session({text_, local}), std::nullopt});
  const redis::SessionId session = peers_.back().session;
  tell([&] { return redis::node_event::SessionOpened{session}; });
  return peers_.back();
}

RedisNode::Peer* RedisNode::peer_of(sim::ConnectionId connection) {
  const auto found = std::find_if(peers_.begin(), peers_.end(),
                                  [&](const Peer& peer) { return peer.connection == connection; });
  return found == peers_.end() ? nullptr : &*found;
}

void RedisNode::on_incoming(const sim::Incoming& incoming) {
  set_time();
  if (cluster_ != nullptr && cluster_->try_handle(incoming)) {
    const bool is_message = incoming.kind == sim::Incoming::Kind::message;
    if (is_message) environment_.messages.release(incoming.argument);
    return;
  }
  switch (incoming.kind) {
    case sim::Incoming::Kind::message:
      if (defers_reading(incoming.connection)) {
        unread_.emplace_back(incoming.connection, incoming.argument);
        return;
      }
      handle_message(incoming.connection, incoming.argument);
      environment_.messages.release(incoming.argument);
      return;
    case sim::Incoming::Kind::connection_opened:
      if (master_link_ == incoming.connection) {
        ask_for_stream();
      } else if (is_full()) {
        refuse_connection(incoming.connection);
      } else {
        add_peer(incoming.connection);
      }
      return;
    case sim::Incoming::Kind::connection_refused:
    case sim::Incoming::Kind::connection_closed: {
      if (master_link_ == incoming.connection) {
        tell([] { return redis::node_event::LinkClosed{}; });
        master_link_.reset();
        is_synchronised_ = false;
        server_.mark_link_down();
        start_timer(sim::second_ns, reconnect_cookie, sim::EventKind::daemon);
        return;
      }
      if (const Peer* peer = peer_of(incoming.connection); peer != nullptr) forget(*peer);
      return;
    }
    case sim::Incoming::Kind::timer:
      on_timer(incoming.argument);
      return;
    case sim::Incoming::Kind::resumed_work:
      carry_out(incoming.argument);
      return;
  }
}

/// What an operator asked for, or a fault.
void RedisNode::carry_out(std::uint64_t work) {
  switch (work) {
    case operator_work:
      return run_operator_command();
    case promote_work:
      return cluster_ != nullptr ? cluster_->force_takeover()
                                 : carry_out_promotion(Promoter::operator_);
    case follow_work:
      return carry_out_following();
    case read_link_work:
      return read_deferred_messages();
    case open_link_work:
      return open_link();
    case shutdown_work:
      return begin_shutdown();
    default:
      assert(false && "no such work");
  }
}

void RedisNode::on_timer(std::uint64_t cookie) {
  switch (cookie) {
    case reconnect_cookie:
      if (master_ != nullptr && !master_link_) connect_to_master();
      return;
    case acknowledge_cookie:
      send_periodic_ack();
      return;
    case tick_cookie:
      tick_ms_ = redis::Persistence::never_ms;
      server_.tick();
      plan_tick();
      return;
    case silence_cookie:
      return time_out_silent_link();
    case shutdown_cookie:
      exit_cleanly();
      return;
    case busy_cookie:
      busy_end_ = {};
      return;
    default: {
      const auto session = static_cast<redis::SessionId>(cookie - first_session_cookie);
      tell([&] { return redis::node_event::WaitTimedOut{session}; });
      server_.unblock(session);
    }
  }
}

void RedisNode::forget(const Peer& peer) {
  const redis::SessionId session = peer.session;
  std::erase_if(blocked_, [&](const Blocked& blocked) {
    if (blocked.session == session) cancel_timer(blocked.timer);
    return blocked.session == session;
  });
  tell([&] { return redis::node_event::SessionClosed{session}; });
  server_.close_session(session);
  if (peer.replica) server_.drop_replica(*peer.replica);
  peers_.erase(peers_.begin() + (&peer - peers_.data()));
}

void RedisNode::close_ended_sessions() {
  for (const redis::SessionId session : closed_sessions_) {
    const auto peer = std::find_if(peers_.begin(), peers_.end(), [&](const Peer& candidate) {
      return candidate.session == session;
    });
    if (peer == peers_.end()) continue;
    environment_.network.close(peer->connection, id_);
    forget(*peer);
  }
  closed_sessions_.clear();
  if (sleep_us_ > 0) pause(std::exchange(sleep_us_, 0) * sim::microsecond_ns);
}

void RedisNode::handle_message(sim::ConnectionId connection, sim::Payload payload) {
  const Message& message = environment_.messages[payload];
  if (master_link_ == connection) {
    if (message.kind == Message::Kind::replication) apply(message);
    if (message.kind == Message::Kind::full_resync) apply_full(message);
    if (message.kind == Message::Kind::acknowledge_now) acknowledge();
    return;
  }
  Peer* peer = peer_of(connection);
  if (peer == nullptr) return;  // closed by this end while the message waited
  switch (message.kind) {
    case Message::Kind::request:
      if (!is_shutting_down_) execute(*peer, message);
      close_ended_sessions();
      return;
    case Message::Kind::psync_request:
      serve_stream(*peer, message);
      return;
    case Message::Kind::acknowledge:
      if (peer->replica) {
        const auto offset = static_cast<std::int64_t>(message.number);
        tell([&] {
          return redis::node_event::Acknowledged{peer->session, peer_actor(connection), offset};
        });
        server_.acknowledge(*peer->replica, offset);
        if (is_shutting_down_ && replicas_caught_up()) exit_cleanly();
      }
      return;
    default:
      assert(false && "a message that no peer of a Redis node sends");
  }
}

std::string_view RedisNode::reply_label(std::string_view label) {
  for (const auto& [request, reply] : reply_labels_) {
    if (request == label) return reply;
  }
  reply_labels_.reserve(256);  // views of the texts are handed out: they must not move
  assert(reply_labels_.size() < 256);
  return reply_labels_.emplace_back(std::string(label), "reply to " + std::string(label)).second;
}

sim::Payload RedisNode::make_reply(std::uint64_t request, std::string_view label,
                                   sim::ActorId on_behalf_of) {
  const sim::Payload payload = environment_.messages.make();
  Message& message = environment_.messages[payload];
  message.kind = Message::Kind::reply;
  message.number = request;
  message.label = reply_label(label);
  message.on_behalf_of = on_behalf_of;
  return payload;
}

void RedisNode::send(sim::ConnectionId connection, sim::Payload payload) {
  const Message& message = environment_.messages[payload];
  if (!environment_.network.send(connection, id_, payload, message.label, message.on_behalf_of)) {
    environment_.messages.release(payload);
  }
}

void RedisNode::execute(const Peer& peer, const Message& request) {
  if (is_refused_busy(request.arguments[0])) return refuse_busy(peer, request);
  arguments_.clear();
  for (std::size_t i = 0; i < request.arguments.size(); ++i) {
    arguments_.push_back(request.arguments[i]);
  }
  const std::uint64_t dirty_before = server_.dirty();
  const sim::ConnectionId connection = peer.connection;
  const sim::Payload payload = make_reply(request.number, request.label, request.on_behalf_of);
  redis::Reply& reply = environment_.messages[payload].reply;
  redis::ReplyBuilder builder(reply);
  const redis::ExecuteResult executed =
      execute_in(peer.session, request.label, request.on_behalf_of, arguments_, builder);
  emit_executed(request, reply, server_.dirty() - dirty_before);
  tell_result(peer.session, executed, reply);
  if (executed == redis::ExecuteResult::blocked) {
    environment_.messages.release(payload);
    block(peer, request);
  } else if (executed == redis::ExecuteResult::silent) {
    environment_.messages.release(payload);
  } else {
    send(connection, payload);
  }
  environment_.listener.on_executed(*this, request.on_behalf_of);
  if (server_.dirty() != dirty_before) {
    tell_data_changed(request.label, request.on_behalf_of);
  }
  plan_tick();
  if (replica_of_) apply_replica_of();
  if (cluster_ != nullptr) cluster_->after_request();
  environment_.recorder.milestone(scenario::Milestone::executed, actor(), request.label,
                                  request.on_behalf_of);
}

redis::ExecuteResult RedisNode::execute_in(redis::SessionId session, std::string_view label,
                                           sim::ActorId by, std::span<const std::string_view> words,
                                           redis::ReplyWriter& reply) {
  tell([&] {
    return redis::node_event::CommandSent{
        session, {words.begin(), words.end()}, std::string(label), by};
  });
  return server_.execute(session, words, reply);
}

void RedisNode::tell_result(redis::SessionId session, redis::ExecuteResult executed,
                            const redis::Reply& reply) {
  if (executed == redis::ExecuteResult::blocked) {
    tell([&] { return redis::node_event::CommandBlocked{session}; });
  } else if (executed == redis::ExecuteResult::replied) {
    tell([&] { return redis::node_event::CommandReplied{session, reply}; });
  }
}

void RedisNode::block(const Peer& peer, const Message& request) {
  const std::int64_t timeout_ms = server_.block_timeout_ms(peer.session);
  sim::TimerId timer{};
  if (timeout_ms > 0) {
    timer = start_timer(timeout_ms * sim::millisecond_ns,
                        static_cast<std::uint64_t>(peer.session) + first_session_cookie);
  }
  blocked_.push_back(
      {peer.connection, peer.session, request.number, request.label, request.on_behalf_of, timer});
}

void RedisNode::emit_executed(const Message& request, const redis::Reply& reply,
                              std::uint64_t writes) {
  describe_arguments(request.arguments, text_);
  const std::size_t arguments_length = text_.size();
  append_description(reply, text_);
  const std::string_view text = text_;
  const std::string_view by = request.on_behalf_of == sim::no_actor
                                  ? std::string_view()
                                  : trace().actor(request.on_behalf_of).name;
  trace().emit(now(), trace_kind::command_executed, actor(),
               {{"label", request.label},
                {"command", request.arguments[0]},
                {"arguments", text.substr(0, arguments_length)},
                {"reply", text.substr(arguments_length)},
                {"on_behalf_of", by},
                {"writes", static_cast<std::int64_t>(writes)}});
}

void RedisNode::on_push(redis::SessionId session, const redis::Reply& push) {
  const auto peer = std::find_if(peers_.begin(), peers_.end(), [&](const Peer& candidate) {
    return candidate.session == session;
  });
  assert(peer != peers_.end());
  const sim::Payload payload = environment_.messages.make();
  Message& message = environment_.messages[payload];
  message.kind = Message::Kind::push;
  message.label = "message";
  message.reply = push;
  send(peer->connection, payload);
  tell([&] { return redis::node_event::MessagePushed{session, push}; });
}

void RedisNode::on_unblocked(redis::SessionId session, const redis::Reply& reply) {
  const auto blocked = std::find_if(blocked_.begin(), blocked_.end(), [&](const Blocked& waiting) {
    return waiting.session == session;
  });
  assert(blocked != blocked_.end());
  cancel_timer(blocked->timer);
  const sim::Payload payload = make_reply(blocked->request, blocked->label, blocked->on_behalf_of);
  environment_.messages[payload].reply = reply;
  const sim::ConnectionId connection = blocked->connection;
  blocked_.erase(blocked);
  send(connection, payload);
  tell([&] { return redis::node_event::Unblocked{session, reply}; });
}

void RedisNode::on_unblocked_silently(redis::SessionId session) {
  const auto blocked = std::find_if(blocked_.begin(), blocked_.end(), [&](const Blocked& waiting) {
    return waiting.session == session;
  });
  assert(blocked != blocked_.end());
  cancel_timer(blocked->timer);
  blocked_.erase(blocked);
}

}  // namespace lockstep::model
