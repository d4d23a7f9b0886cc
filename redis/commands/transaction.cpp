#include <vector>

#include "redis/commands/commands.h"
#include "redis/server/core.h"
#include "redis/server/transactions.h"

namespace lockstep::redis {

void queue_command(Session& session, const CommandSpec& spec,
                   std::span<const std::string_view> words) {
  // EXEC will not run it, nor look whether it writes.
  if (session.transaction == TransactionState::broken || session.watched_key_changed) return;
  if (session.queued_count == session.queue.size()) session.queue.emplace_back();
  QueuedCommand& queued = session.queue[session.queued_count++];
  queued.spec = &spec;
  queued.words.clear();
  for (const std::string_view word : words) queued.words.push(word);
}

void discard_transaction(Core& core, Session& session) {
  session.transaction = TransactionState::none;
  session.queued_count = 0;
  core.unwatch(session);
}

namespace commands {

void multi(Call& call) {
  Session& session = call.session();
  if (session.transaction != TransactionState::none) {
    return call.reply().error("ERR MULTI calls can not be nested");
  }
  session.transaction = TransactionState::queueing;
  call.reply().status("OK");
}

void discard(Call& call) {
  if (call.session().transaction == TransactionState::none) {
    return call.reply().error("ERR DISCARD without MULTI");
  }
  discard_transaction(call.core(), call.session());
  call.reply().status("OK");
}

namespace {

void run_queued(Call& call) {
  Session& session = call.session();
  std::vector<std::string_view> words;
  call.reply().array(session.queued_count);
  for (std::size_t i = 0; i < session.queued_count; ++i) {
    const QueuedCommand& queued = session.queue[i];
    words.clear();
    for (std::size_t word = 0; word < queued.words.size(); ++word) {
      words.push_back(queued.words[word]);
    }
    call.core().run(*queued.spec, Origin::transaction, session, words, call.reply());
  }
}

}  // namespace

void exec(Call& call) {
  Session& session = call.session();
  Core& core = call.core();
  if (session.transaction == TransactionState::none) {
    return call.reply().error("ERR EXEC without MULTI");
  }
  if (session.transaction == TransactionState::broken) {
    call.reply().error("EXECABORT Transaction discarded because of previous errors.");
  } else if (session.watched_key_changed || core.watched_key_expired(session)) {
    call.reply().null_array();
  } else {
    core.unwatch(session);
    run_queued(call);
  }
  discard_transaction(core, session);
}

void watch(Call& call) {
  if (call.session().transaction != TransactionState::none) {
    return call.reply().error("ERR WATCH inside MULTI is not allowed");
  }
  for (const std::string_view key : call.words().subspan(1)) {
    call.core().watch(call.session(), key);
  }
  call.reply().status("OK");
}

void unwatch(Call& call) {
  call.core().unwatch(call.session());
  call.reply().status("OK");
}

}  // namespace commands
}  // namespace lockstep::redis
