// Opening and closing sessions.
#include <cassert>

#include "redis/protocol/reply_builder.h"
#include "redis/protocol/resp_writer.h"
#include "redis/server/server.h"

namespace lockstep::redis {

SessionId Server::open_session(const PeerAddresses& addresses) {
  ++statistics_.connections;
  return sessions_.open(addresses, now_ms_).id;
}

void Server::discard_transaction(Session& session) {
  session.transaction = TransactionState::none;
  session.queued_count = 0;
  sessions_.unwatch(session);
}

void Server::reset_session(Session& session) {
  discard_transaction(session);
  pubsub_.unsubscribe_from_all(session);
  remove_monitor(session.id);
  session.protocol = Protocol::resp2;
  if (session.replies != ReplyMode::skip) session.replies = ReplyMode::on;  // as Redis: SKIP stays
  session.database = 0;
  session.is_read_only = false;
  session.name.clear();
}

void Server::end_session(Session& session) {
  session.is_ending = true;
  pubsub_.unsubscribe_from_all(session);
  remove_monitor(session.id);
  if (session.wait) static_cast<void>(end_blocking(session));
  listener_.on_closed(session.id);
}

void Server::close_session(SessionId id) {
  Session& closing = sessions_.at(id);
  assert(closing.is_open);
  if (closing.wait) static_cast<void>(end_blocking(closing));
  reset_session(closing);
  closing.is_open = false;
  closing.is_ending = false;
  closing.replies = ReplyMode::on;
  closing.last_offset = 0;
}

// A silent session hears confirmations of SUBSCRIBE and its like, messages, and the OK of CLIENT
// REPLY ON.
ExecuteResult Server::execute_without_reply(Session& caller,
                                            std::span<const std::string_view> words,
                                            ReplyWriter& reply) {
  const bool is_skipped = caller.replies == ReplyMode::skip;
  const CommandSpec* const spec = resolve(words).spec;
  const bool hears_pushes = sessions_.hears_pushes(caller);
  Reply withheld;
  ReplyBuilder builder(withheld, caller.protocol);
  builder.set_error_counts(&statistics_.errors);
  builder.set_number_format(version_->number_format);
  const ExecuteResult executed = execute_replying(caller, words, builder);
  pubsub_.release(caller.id, listener_);
  const bool is_confirmation = hears_pushes && spec != nullptr &&
                               spec->is(CommandFlag::replies_with_push) &&
                               caller.transaction == TransactionState::none && !withheld.is_error();
  const bool is_audible = caller.replies == ReplyMode::on || is_confirmation;
  if (is_skipped && caller.replies == ReplyMode::skip) caller.replies = ReplyMode::on;
  if (caller.replies == ReplyMode::skip_next) caller.replies = ReplyMode::skip;
  if (executed == ExecuteResult::blocked) {
    caller.wait->is_silent = true;
    return executed;
  }
  if (!is_audible) return ExecuteResult::silent;
  reply.set_error_counts(nullptr);
  write_reply(withheld, reply);
  return ExecuteResult::replied;
}

void Server::push_confirmation(Session& session, std::string_view word, PubSub::Kind kind,
                               std::string_view name) {
  if (!sessions_.hears_pushes(session)) return;
  Reply confirmation;
  ReplyBuilder builder(confirmation, session.protocol);
  builder.push(3);
  builder.bulk(word);
  builder.bulk(name);
  builder.integer(PubSub::subscription_count(session, kind));
  listener_.on_push(session.id, confirmation);
}

std::vector<std::pair<std::string, std::uint32_t>> Server::subscriptions() const {
  std::vector<std::pair<std::string, std::uint32_t>> channels;
  for (const auto& [name, sessions] : pubsub_.channels().topics()) {
    channels.emplace_back(name, static_cast<std::uint32_t>(sessions.size()));
  }
  return channels;
}

}  // namespace lockstep::redis
