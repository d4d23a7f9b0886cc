// What an operator does to a Redis node, and what befalls one that runs on: a key evicted, a script
// that runs away, no room for more clients.
#include <algorithm>
#include <utility>

#include "model/node/redis_node.h"
#include "model/trace_vocabulary.h"
#include "redis/protocol/reply_builder.h"
#include "redis/server/command_table.h"
#include "redis/server/node_event.h"

namespace lockstep::model {

void RedisNode::delete_key(std::string_view key) {
  give_order({"operator's DEL", {"DEL", std::string(key)}});
}

void RedisNode::evict(std::string_view key) {
  give_order({"eviction", {"DEL", std::string(key)}, true});
}

void RedisNode::flush_all() { give_order({"operator's FLUSHALL", {"FLUSHALL"}}); }

void RedisNode::flush_scripts() { give_order({"operator's SCRIPT FLUSH", {"SCRIPT", "FLUSH"}}); }

void RedisNode::give_order(OperatorCommand order) {
  if (state() == sim::HostState::crashed) return;  // nobody answers the operator
  operator_commands_.push_back(std::move(order));
  run_or_defer(operator_work);
}

void RedisNode::run_operator_command() {
  const OperatorCommand order = std::move(operator_commands_.front());
  operator_commands_.erase(operator_commands_.begin());
  set_time();
  const redis::SessionId session = server_.open_session();
  tell([&] { return redis::node_event::SessionOpened{session}; });
  redis::Reply reply;
  redis::ReplyBuilder builder(reply);
  const std::vector<std::string_view> words(order.words.begin(), order.words.end());
  redis::ExecuteResult executed = redis::ExecuteResult::replied;
  if (order.is_eviction) {
    // Who does the same elsewhere can't have a key evicted, but what that writes to the stream.
    tell([&] {
      return redis::node_event::CommandSent{session, order.words, order.label, sim::no_actor};
    });
    builder.integer(server_.keyspace().stored(order.words[1]) != nullptr ? 1 : 0);
    server_.evict(order.words[1]);
  } else {
    executed = execute_in(session, order.label, sim::no_actor, words, builder);
  }
  tell_result(session, executed, reply);
  tell([&] { return redis::node_event::SessionClosed{session}; });
  server_.close_session(session);
  if (!order.is_eviction) {
    tell_data_changed(order.label, sim::no_actor);
  }
  plan_tick();
}

// -- a script that runs away --

void RedisNode::hang_in_script(sim::DurationNs for_ns) {
  if (state() == sim::HostState::crashed) return;
  const sim::TimeNs until_ns = now() + for_ns;
  if (until_ns <= busy_until_ns_) return;
  busy_until_ns_ = until_ns;
  const std::int64_t threshold_ms = server_.config().busy_reply_threshold_ms;
  const bool others_are_answered = threshold_ms > 0 && for_ns / sim::millisecond_ns > threshold_ms;
  cancel_timer(std::exchange(busy_end_, {}));
  if (others_are_answered) busy_end_ = start_timer(for_ns, busy_cookie);
  const sim::DurationNs silent_ns =
      others_are_answered ? threshold_ms * sim::millisecond_ns : for_ns;
  busy_pause_until_ns_ = now() + silent_ns;
  busy_pause_ = pause(silent_ns);
}

/// Other pauses of the process are not its matter.
void RedisNode::end_script_hang_at(sim::TimeNs until_ns) {
  if (until_ns >= busy_until_ns_ || state() == sim::HostState::crashed) return;
  busy_until_ns_ = until_ns;
  const bool others_are_answered = busy_end_ != sim::TimerId{};
  cancel_timer(std::exchange(busy_end_, {}));
  const sim::PauseId longer = busy_pause_;
  if (until_ns > now()) {
    if (others_are_answered) busy_end_ = start_timer(until_ns - now(), busy_cookie);
    busy_pause_until_ns_ = std::min(busy_pause_until_ns_, until_ns);
    if (busy_pause_until_ns_ > now()) busy_pause_ = pause(busy_pause_until_ns_ - now());
  }
  end_pause(longer);
}

bool RedisNode::is_refused_busy(std::string_view command) const {
  if (busy_end_ == sim::TimerId{}) return false;
  const redis::CommandSpec* const spec = redis::find_command(command);
  return spec == nullptr || !spec->is(redis::CommandFlag::allow_busy);
}

void RedisNode::refuse_busy(const Peer& peer, const Message& request) {
  const sim::ConnectionId connection = peer.connection;
  const sim::Payload payload = make_reply(request.number, request.label, request.on_behalf_of);
  redis::Reply& reply = environment_.messages[payload].reply;
  redis::ReplyBuilder builder(reply);
  builder.error(
      "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.");
  emit_executed(request, reply, 0);
  send(connection, payload);
}

// -- no room for more clients --

void RedisNode::refuse_connection(sim::ConnectionId connection) {
  const sim::Payload payload = make_reply(0, "connection", sim::no_actor);
  redis::ReplyBuilder builder(environment_.messages[payload].reply);
  builder.error("ERR max number of clients reached");
  send(connection, payload);
  environment_.network.close(connection, id_);
}

}  // namespace lockstep::model
