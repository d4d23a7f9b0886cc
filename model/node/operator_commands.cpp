#include "model/node/operator_commands.h"

#include <utility>

#include "redis/protocol/reply_builder.h"
#include "sim/digest.h"

namespace lockstep::model {

void OperatorCommands::delete_key(std::string_view key) {
  give({"operator's DEL", {"DEL", std::string(key)}});
}

void OperatorCommands::evict(std::string_view key) {
  give({"eviction", {"DEL", std::string(key)}, true});
}

void OperatorCommands::flush_all() { give({"operator's FLUSHALL", {"FLUSHALL"}}); }

void OperatorCommands::flush_scripts() { give({"operator's SCRIPT FLUSH", {"SCRIPT", "FLUSH"}}); }

void OperatorCommands::give(Command command) {
  if (context_.is_crashed()) return;  // nobody answers the operator
  waiting_.push_back(std::move(command));
  context_.run_or_defer(NodeWork::operator_command);
}

void OperatorCommands::run_next() {
  const Command command = std::move(waiting_.front());
  waiting_.erase(waiting_.begin());
  context_.set_time();
  redis::Server& server = context_.server;
  const redis::SessionId session = server.open_session();
  context_.tell([&] { return redis::node_event::SessionOpened{session}; });
  redis::Reply reply;
  redis::ReplyBuilder builder(reply);
  const std::vector<std::string_view> words(command.words.begin(), command.words.end());
  redis::ExecuteResult executed = redis::ExecuteResult::replied;
  if (command.is_eviction) {
    // An eviction can't be repeated elsewhere, but what it writes to the stream can.
    context_.tell([&] {
      return redis::node_event::CommandSent{session, command.words, command.label, sim::no_actor};
    });
    builder.integer(server.evict(command.words[1]) ? 1 : 0);
  } else {
    executed = context_.execute(session, command.label, sim::no_actor, words, builder);
  }
  context_.tell_result(session, executed, reply);
  context_.tell([&] { return redis::node_event::SessionClosed{session}; });
  server.close_session(session);
  if (!command.is_eviction) changes_.tell(command.label, sim::no_actor);
  ticks_.plan();
}

void OperatorCommands::digest_into(sim::Digest& digest) const {
  digest.add(waiting_.size());
  for (const Command& command : waiting_) {
    digest.add(std::string_view(command.label));
    digest.add(command.words.size());
    for (const std::string& word : command.words) digest.add(std::string_view(word));
    digest.add(command.is_eviction);
  }
}

}  // namespace lockstep::model
