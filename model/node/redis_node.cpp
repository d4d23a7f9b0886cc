#include "model/node/redis_node.h"

#include <array>
#include <cassert>
#include <utility>

#include "model/messages.h"
#include "model/node/cluster_bus.h"
#include "model/node/node_listener.h"
#include "model/recorder.h"
#include "model/trace_vocabulary.h"
#include "redis/protocol/refusals.h"
#include "redis/protocol/reply_builder.h"
#include "scenario/milestones.h"
#include "sim/network.h"

namespace lockstep::model {
namespace {

constexpr std::array<std::string_view, 3> restored_from = {"nothing", "snapshot",
                                                           "append-only file"};

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

// -- runs and processes --

RedisNode::RedisNode(std::string name, sim::ActorId actor, const NodeEnvironment& environment)
    : Host(std::move(name), actor, environment.queue, environment.trace),
      server_(environment.scripts, *this),
      context_(*this, *this, server_, environment) {}

RedisNode::~RedisNode() = default;

void RedisNode::join_cluster(ClusterLayout& layout, std::uint32_t index) {
  cluster_ = std::make_unique<ClusterBus>(context_, link_, layout, index);
}

void RedisNode::start_process(redis::Role role) {
  constexpr std::uint64_t run_ids = std::uint64_t{1} << 32U;
  const std::uint64_t first_id = (static_cast<std::uint64_t>(context_.id) + 1) << 32U;
  server_.start({.version = context_.version,
                 .role = role,
                 .config = context_.config,
                 .files = &files_,
                 .replication_id = first_id + (std::uint64_t{starts_++} << 16U),
                 .run_id = draws_run_ids_ ? random_below(run_ids) : 0,
                 .cluster = cluster_.get()});
  changes_.note_all();
  context_.set_time();
  sessions_.forget_all();
  operator_commands_.forget_all();
  busy_.start_process();
  link_.start_process();
  end_.start_process();
  ticks_.start_process();
  context_.tell([&] { return redis::node_event::ProcessStarted{role}; });
}

void RedisNode::start_run(RedisNode* master) {
  starts_ = 0;
  has_ordered_texts_ = false;
  replicas_.start_run();
  files_.clear();
  link_.start_run(master);
  start_process(is_master() ? redis::Role::master : redis::Role::replica);
  static_cast<void>(server_.restore());
}

void RedisNode::start_as_master() { start_run(nullptr); }

void RedisNode::start_as_replica_of(RedisNode& master) {
  start_run(&master);
  link_.attach_before_run(files_.snapshot);
}

void RedisNode::on_start() {
  start_process(is_master() ? redis::Role::master : redis::Role::replica);
  restore();
  link_.open();
  if (cluster_ != nullptr) cluster_->on_process_started();
}

void RedisNode::restore() {
  const redis::LoadedData restored = server_.restore();
  context_.emit(trace_kind::dataset_restored,
                {{"from", restored_from[static_cast<std::size_t>(restored.from)]},
                 {"keys", static_cast<std::int64_t>(restored.keys)},
                 {"expired_keys", static_cast<std::int64_t>(restored.expired_keys)}});
}

void RedisNode::on_crash() {
  end_.on_crash();
  link_.on_crash();
  if (cluster_ != nullptr) cluster_->on_crash();
  sessions_.drop_all();
}

void RedisNode::lose_power() {
  // The process need not run: what it wrote before it crashed is in the machine's memory too.
  if (state() != sim::HostState::crashed) end_.note_power_loss();
  const std::size_t lost_bytes = files_.append_only.unsynced_bytes();
  files_.lose_unsynced();
  crash();
  if (lost_bytes == 0) return;
  context_.emit(trace_kind::disk_lost, {{"bytes", static_cast<std::int64_t>(lost_bytes)}});
}

void RedisNode::shut_down() {
  if (state() != sim::HostState::crashed) context_.run_or_defer(NodeWork::shutdown);
}

// -- what reaches the process --

void RedisNode::on_dropped(sim::Payload payload) { context_.environment.messages.release(payload); }

void RedisNode::on_incoming(const sim::Incoming& incoming) {
  handle(incoming);
  end_.exit_if_caught_up();
  sessions_.plan_kept_back();
}

void RedisNode::handle(const sim::Incoming& incoming) {
  context_.set_time();
  MessagePool& messages = context_.environment.messages;
  if (cluster_ != nullptr && cluster_->try_handle(incoming)) {
    const bool is_message = incoming.kind == sim::Incoming::Kind::message;
    if (is_message) messages.release(incoming.argument);
    return;
  }
  switch (incoming.kind) {
    case sim::Incoming::Kind::message:
      if (link_.uses(incoming.connection)) {
        return link_.on_message(incoming.connection, incoming.argument);
      }
      if (messages[incoming.argument].kind == Message::Kind::request &&
          sessions_.keep_back(incoming.connection, incoming.argument)) {
        return;
      }
      on_message(incoming.connection, messages[incoming.argument]);
      return messages.release(incoming.argument);
    case sim::Incoming::Kind::connection_opened:
      return on_connection_opened(incoming.connection);
    case sim::Incoming::Kind::connection_refused:
    case sim::Incoming::Kind::connection_closed:
      return on_connection_closed(incoming.connection);
    case sim::Incoming::Kind::timer:
      return on_timer(incoming.argument);
    case sim::Incoming::Kind::resumed_work:
      return on_resumed(static_cast<NodeWork>(incoming.argument));
  }
}

void RedisNode::on_connection_opened(sim::ConnectionId connection) {
  if (link_.uses(connection)) return link_.on_opened();
  const bool is_full = clients_limit_ && client_count() >= *clients_limit_;
  if (is_full) return sessions_.refuse(connection);
  sessions_.add(connection);
}

void RedisNode::on_connection_closed(sim::ConnectionId connection) {
  if (link_.uses(connection)) return link_.on_closed();
  if (const auto* peer = sessions_.find(connection); peer != nullptr) sessions_.forget(*peer);
}

void RedisNode::on_resumed(NodeWork work) {
  switch (work) {
    case NodeWork::shutdown:
      return end_.begin_shutdown();
    case NodeWork::operator_command:
      return operator_commands_.run_next();
    case NodeWork::promote:
      return cluster_ != nullptr ? cluster_->force_takeover()
                                 : link_.carry_out_promotion(Promoter::operator_);
    case NodeWork::follow:
      return link_.carry_out_following();
    case NodeWork::read_link:
      return link_.read_deferred_messages();
    case NodeWork::open_link:
      return link_.open();
    case NodeWork::kept_back_request:
      return execute_kept_back();
  }
}

void RedisNode::on_timer(std::uint64_t cookie) {
  constexpr auto first_session = static_cast<std::uint64_t>(NodeTimer::first_session);
  if (cookie >= first_session) {
    return sessions_.on_timeout(static_cast<redis::SessionId>(cookie - first_session));
  }
  switch (static_cast<NodeTimer>(cookie)) {
    case NodeTimer::reconnect:
      return link_.open();
    case NodeTimer::acknowledge:
      return link_.send_periodic_ack();
    case NodeTimer::tick:
      return ticks_.on_due();
    case NodeTimer::link_silence:
      return link_.on_silence_over();
    case NodeTimer::shutdown:
      return end_.exit_cleanly();
    case NodeTimer::script_end:
      return busy_.on_script_end();
    case NodeTimer::first_session:
      return;  // handled above
  }
}

void RedisNode::on_message(sim::ConnectionId connection, const Message& message) {
  ClientSessions::Peer* const peer = sessions_.find(connection);
  if (peer == nullptr) return;  // closed by this end while the message waited
  switch (message.kind) {
    case Message::Kind::request:
      execute(*peer, message);
      sessions_.close_ended();
      return busy_.begin_requested_sleep();
    case Message::Kind::psync_request:
      return serve_replica(*peer, message);
    case Message::Kind::acknowledge:
      if (!peer->replica) return;
      return replicas_.on_acknowledged(*peer, message);
    case Message::Kind::reply:
    case Message::Kind::push:
    case Message::Kind::replication:
    case Message::Kind::full_resync:
    case Message::Kind::acknowledge_now:
    case Message::Kind::resource_read:
    case Message::Kind::resource_write:
    case Message::Kind::resource_reply:
    case Message::Kind::cluster_bus:
      assert(false && "a message that no peer of a Redis node sends");
  }
}

void RedisNode::execute_kept_back() {
  const auto kept = sessions_.take_kept_back();
  if (!kept) return;
  MessagePool& messages = context_.environment.messages;
  on_message(kept->connection, messages[kept->request]);
  messages.release(kept->request);
}

void RedisNode::serve_replica(ClientSessions::Peer& peer, const Message& request) {
  const bool has_data = server_.role() == redis::Role::master || link_.is_synchronised();
  if (has_data) return replicas_.serve(peer, request);
  context_.environment.network.close(peer.connection, context_.id);  // NOMASTERLINK
  sessions_.forget(peer);
}

// -- requests --

void RedisNode::execute(const ClientSessions::Peer& peer, const Message& request) {
  if (busy_.refuses(request.arguments[0])) return refuse_busy(peer, request);
  MessagePool& messages = context_.environment.messages;
  arguments_.clear();
  for (std::size_t i = 0; i < request.arguments.size(); ++i) {
    arguments_.push_back(request.arguments[i]);
  }
  const std::uint64_t dirty_before = server_.dirty();
  const sim::ConnectionId connection = peer.connection;
  const sim::Payload payload =
      sessions_.make_reply(request.number, request.label, request.on_behalf_of);
  redis::Reply& reply = messages[payload].reply;
  redis::ReplyBuilder builder(reply);
  const redis::ExecuteResult executed =
      context_.execute(peer.session, request.label, request.on_behalf_of, arguments_, builder);
  emit_executed(request, reply, server_.dirty() - dirty_before);
  context_.tell_result(peer.session, executed, reply);
  const bool was_refused = reply.is_error() && redis::is_refusal(reply.text);
  switch (executed) {
    case redis::ExecuteResult::replied:
      context_.send(connection, payload);
      break;
    case redis::ExecuteResult::blocked:
      messages.release(payload);
      sessions_.block(peer, request);
      break;
    case redis::ExecuteResult::silent:
      messages.release(payload);
      break;
  }
  context_.environment.listener.on_executed(*this, request.arguments[0], request.on_behalf_of);
  const bool wrote = server_.dirty() != dirty_before;
  if (!was_refused) {
    context_.environment.recorder.add_execution(request, wrote);
    context_.environment.recorder.note_heard(request.on_behalf_of);
  }
  if (executed == redis::ExecuteResult::blocked) {
    context_.environment.recorder.note_told(request.on_behalf_of);
  }
  if (wrote) changes_.tell(request.label, request.on_behalf_of);
  ticks_.plan();
  link_.apply_replica_of();
  if (cluster_ != nullptr) cluster_->after_request();
  context_.environment.recorder.milestone(scenario::Milestone::executed, actor(), request.label,
                                          request.on_behalf_of);
}

void RedisNode::refuse_busy(const ClientSessions::Peer& peer, const Message& request) {
  const sim::ConnectionId connection = peer.connection;
  const sim::Payload payload =
      sessions_.make_reply(request.number, request.label, request.on_behalf_of);
  redis::Reply& reply = context_.environment.messages[payload].reply;
  redis::ReplyBuilder builder(reply);
  builder.error(
      "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.");
  emit_executed(request, reply, 0);
  context_.send(connection, payload);
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
  context_.emit(trace_kind::command_executed, {{"label", request.label},
                                               {"command", request.arguments[0]},
                                               {"arguments", text.substr(0, arguments_length)},
                                               {"reply", text.substr(arguments_length)},
                                               {"on_behalf_of", by},
                                               {"writes", static_cast<std::int64_t>(writes)}});
}

// -- what the server tells --

void RedisNode::on_propagated(std::string_view bytes, std::int64_t offset_after) {
  context_.tell([&] { return redis::node_event::StreamWritten{std::string(bytes), offset_after}; });
  replicas_.send_stream(bytes, offset_after);
}

void RedisNode::on_evicted(std::string_view /*key*/) {
  context_.environment.listener.on_evicted(*this);
}

void RedisNode::on_saved(std::uint64_t keys) {
  context_.tell([] { return redis::node_event::DataSaved{}; });
  context_.emit(trace_kind::dataset_saved, {{"keys", static_cast<std::int64_t>(keys)}});
}

sim::TimeNs RedisNode::true_time_past(std::int64_t expire_at_ms) const {
  return wall_clock().true_time_of((expire_at_ms + 1) * sim::millisecond_ns);
}

}  // namespace lockstep::model
