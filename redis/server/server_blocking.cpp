// Blocked sessions: who waits for keys, who is served from them and when, and the end of any wait.
//
// A key that sessions are blocked on becomes ready when it is created. The sessions are served
// after the request that did it, transaction or script as a whole, and its effects were handed out:
// the keys in the order in which they became ready, for each key the sessions in the order in which
// they blocked. What a served session pops is an effect of its own.
#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include "redis/protocol/reply_builder.h"
#include "redis/server/server.h"

namespace lockstep::redis {
namespace {

bool holds(const Entry& entry, AwaitedType type) {
  return type == AwaitedType::list ? std::holds_alternative<ListValue>(entry.value)
                                   : std::holds_alternative<SortedSetValue>(entry.value);
}

}  // namespace

void Server::block_for_keys(Call& call, AwaitedType type, std::span<const std::string_view> keys,
                            std::int64_t timeout_ms, ServeBlocked code) {
  Session& session = call.session();
  BlockedOnKeys wait{type, code, &call.spec(), {}, {}, blocking_keys_.next_ticket()};
  for (const std::string_view word : call.words()) wait.words.push(word);
  for (const std::string_view key : keys) {
    wait.keys.emplace_back(key);
    blocking_keys_.add(session.database, key, wait.ticket, session.id);
  }
  session.wait = BlockingState{std::move(wait), timeout_ms};
}

std::int64_t Server::block_timeout_ms(SessionId session) const {
  const auto& wait = sessions_.at(session).wait;
  assert(wait);
  return wait->timeout_ms;
}

BlockingState Server::end_blocking(Session& session) {
  assert(session.wait);
  BlockingState ended = std::move(*session.wait);
  session.wait.reset();
  if (const auto* const wait = std::get_if<BlockedOnKeys>(&ended.reason)) {
    for (const std::string& key : wait->keys) {
      blocking_keys_.remove(session.database, key, wait->ticket);
    }
  }
  return ended;
}

namespace {

const CommandSpec& blocked_command(const Session& session, const BlockingState& ended) {
  const auto* const wait = std::get_if<BlockedOnKeys>(&ended.reason);
  return wait == nullptr ? *session.last_command : *wait->spec;
}

}  // namespace

void Server::unblock(Session& session) {
  const BlockingState ended = end_blocking(session);
  Reply reply;
  if (const auto* const wait = std::get_if<BlockedOnReplicas>(&ended.reason)) {
    ReplyBuilder builder(reply, session.protocol);
    reply_to_wait(*wait, builder);
  } else {
    const bool is_resp2 = session.protocol == Protocol::resp2;
    reply.kind = is_resp2 ? Reply::Kind::null_array : Reply::Kind::null;
  }
  count_end_of_wait(blocked_command(session, ended), WaitOutcome::answered);
  answer(session, ended, reply);
}

void Server::answer(const Session& session, const BlockingState& ended, const Reply& reply) {
  if (ended.is_silent) return listener_.on_unblocked_silently(session.id);
  listener_.on_unblocked(session.id, reply);
}

void Server::unblock_with_error(Session& session, std::string_view text) {
  const BlockingState ended = end_blocking(session);
  statistics_.errors.count(text);
  count_end_of_wait(blocked_command(session, ended), version_->rejects_what_is_unblocked
                                                         ? WaitOutcome::rejected
                                                         : WaitOutcome::failed);
  Reply reply;
  reply.kind = Reply::Kind::error;
  reply.text = text;
  answer(session, ended, reply);
}

void Server::mark_ready(std::uint8_t database, std::string_view key) {
  const Entry* const entry = databases_[database].stored(key);
  if (entry == nullptr) return;
  if (holds(*entry, AwaitedType::list) || holds(*entry, AwaitedType::sorted_set)) {
    blocking_keys_.mark_ready(database, key);
  }
}

void Server::signal_keys_as_ready(std::uint8_t database) {
  if (blocking_keys_.empty()) return;
  for (const std::string& key : blocking_keys_.keys(database)) mark_ready(database, key);
}

void Server::handle_clients_blocked_on_keys() {
  while (blocking_keys_.any_ready()) {
    const BlockingKeys::ReadyKey ready = blocking_keys_.take_ready();
    serve_clients_blocked_on_key(ready.database, ready.key);
  }
}

void Server::serve_clients_blocked_on_key(std::uint8_t database, std::string_view key) {
  BlockingKeys::Ticket last = 0;
  while (const auto next = blocking_keys_.next(database, key, last)) {
    last = next->first;
    Keyspace& keys = databases_[database];
    const Keyspace::Position position = find(keys, database, Origin::client, key);
    if (position == keys.end()) break;
    Session& waiting = sessions_.at(next->second);
    if (holds(position->second, std::get<BlockedOnKeys>(waiting.wait->reason).type))
      serve(waiting, key);
  }
  propagate_pending_commands();  // where the key had expired
}

void Server::serve(Session& session, std::string_view key) {
  const BlockingState ended = end_blocking(session);
  const auto& wait = std::get<BlockedOnKeys>(ended.reason);
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < wait.words.size(); ++i) words.push_back(wait.words[i]);
  Reply reply;
  ReplyBuilder builder(reply, session.protocol);
  builder.set_error_counts(&statistics_.errors);
  builder.set_number_format(version_->number_format);
  Call call(*this, session, *wait.spec, Origin::client, words, builder);
  const std::int64_t errors_before = statistics_.errors.total();
  if (!version_->calls_blocked_anew) {
    wait.serve(call, key);
  } else if (lacks_memory_for(session, *wait.spec, words)) {
    refuse(session, wait.spec, out_of_memory, builder);
    return answer(session, ended, reply);
  } else {
    wait.spec->code(call);
    // What it found may have been evicted just now: it goes on waiting, for as long as before.
    if (session.wait) {
      session.wait->is_silent = ended.is_silent;
      return propagate_pending_commands();
    }
  }
  count_end_of_wait(*wait.spec, statistics_.errors.total() > errors_before ? WaitOutcome::failed
                                                                           : WaitOutcome::answered);
  propagate_pending_commands();
  answer(session, ended, reply);
}

}  // namespace lockstep::redis
