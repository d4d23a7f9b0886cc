#include <vector>

#include "redis/commands/commands.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {

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
  call.server().discard_transaction(call.session());
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
    if (!queued.spec->is(CommandFlag::read_only | CommandFlag::admin)) {
      call.server().begin_frame(session.database);
    }
    call.server().run(*queued.spec, Origin::transaction, session, words, call.reply());
  }
}

}  // namespace

void exec(Call& call) {
  Session& session = call.session();
  Server& server = call.server();
  if (session.transaction == TransactionState::none) {
    return call.reply().error("ERR EXEC without MULTI");
  }
  if (session.transaction == TransactionState::broken) {
    call.reply().error("EXECABORT Transaction discarded because of previous errors.");
  } else if (session.watched_key_changed || server.watched_key_expired(session)) {
    call.reply().null_array();
  } else {
    server.sessions().unwatch(session);
    run_queued(call);
    server.end_frame(session.database);
  }
  server.discard_transaction(session);
}

void watch(Call& call) {
  if (call.session().transaction != TransactionState::none) {
    return call.reply().error("ERR WATCH inside MULTI is not allowed");
  }
  for (const std::string_view key : call.words().subspan(1)) {
    call.server().watch(call.session(), key);
  }
  call.reply().status("OK");
}

void unwatch(Call& call) {
  call.server().sessions().unwatch(call.session());
  call.reply().status("OK");
}

}  // namespace lockstep::redis::commands
