// Opening and closing sessions.
#include <algorithm>
#include <cassert>

#include "redis/protocol/reply_builder.h"
#include "redis/protocol/resp.h"
#include "redis/server/core.h"
#include "redis/server/transactions.h"

namespace lockstep::redis {

Session& Core::session(SessionId id) {
  assert(static_cast<std::size_t>(id) < sessions_.size());
  return sessions_[static_cast<std::size_t>(id)];
}

const Session& Core::session(SessionId id) const {
  assert(static_cast<std::size_t>(id) < sessions_.size());
  return sessions_[static_cast<std::size_t>(id)];
}

std::vector<Session*> Core::clients() {
  std::vector<Session*> open;
  for (Session& each : sessions_) {
    if (each.is_open && !each.is_ending) open.push_back(&each);
  }
  std::sort(open.begin(), open.end(),
            [](const Session* a, const Session* b) { return a->client_number < b->client_number; });
  return open;
}

SessionId Core::open_session(const PeerAddresses& addresses) {
  const auto closed = std::find_if(sessions_.begin(), sessions_.end(),
                                   [](const Session& each) { return !each.is_open; });
  const auto index = static_cast<std::size_t>(closed - sessions_.begin());
  if (closed == sessions_.end()) sessions_.emplace_back();
  Session& opened = sessions_[index];
  opened.id = static_cast<SessionId>(index);
  opened.is_open = true;
  opened.client_number = ++clients_seen_;
  ++statistics_.connections;
  opened.address.assign(addresses.peer);
  opened.local_address.assign(addresses.local);
  opened.opened_at_ms = now_ms_;
  opened.active_at_ms = now_ms_;
  opened.last_command = nullptr;
  opened.is_replica = false;
  opened.is_no_evict = false;
  return opened.id;
}

void Core::forget_subscriptions(Session& session) {
  for (const std::string& name : session.channels) channels_.remove(name, session.id);
  for (const std::string& name : session.patterns) patterns_.remove(name, session.id);
  session.channels.clear();
  session.patterns.clear();
}

void Core::reset_session(Session& session) {
  discard_transaction(*this, session);
  forget_subscriptions(session);
  session.protocol = Protocol::resp2;
  if (session.replies != ReplyMode::skip) session.replies = ReplyMode::on;  // as Redis: SKIP stays
  session.database = 0;
  session.is_read_only = false;
  session.name.clear();
}

void Core::end_session(Session& session) {
  session.is_ending = true;
  forget_subscriptions(session);
  if (session.wait) static_cast<void>(end_blocking(session));
  listener_.on_closed(session.id);
}

void Core::close_session(SessionId id) {
  Session& closing = session(id);
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
ExecuteResult Core::execute_without_reply(Session& caller, std::span<const std::string_view> words,
                                          ReplyWriter& reply) {
  const bool is_skipped = caller.replies == ReplyMode::skip;
  const CommandSpec* const spec = resolve(words).spec;
  Reply withheld;
  ReplyBuilder builder(withheld, caller.protocol);
  builder.set_error_counts(&statistics_.errors);
  const ExecuteResult executed = execute_replying(caller, words, builder);
  const bool is_confirmation = spec != nullptr && spec->is(CommandFlag::replies_with_push) &&
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

}  // namespace lockstep::redis
