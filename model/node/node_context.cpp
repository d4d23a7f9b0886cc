#include "model/node/node_context.h"

#include <string>

#include "model/messages.h"
#include "sim/network.h"

namespace lockstep::model {

std::uint64_t NodeContext::random_below(std::uint64_t bound) {
  return choices->choose({sim::Purpose::server_random, static_cast<std::uint32_t>(id)}, bound);
}

redis::ExecuteResult NodeContext::execute(redis::SessionId session, std::string_view label,
                                          sim::ActorId by, std::span<const std::string_view> words,
                                          redis::ReplyWriter& reply) {
  tell([&] {
    return redis::node_event::CommandSent{
        session, {words.begin(), words.end()}, std::string(label), by};
  });
  return server.execute(session, words, reply);
}

void NodeContext::tell_result(redis::SessionId session, redis::ExecuteResult executed,
                              const redis::Reply& reply) {
  switch (executed) {
    case redis::ExecuteResult::blocked:
      return tell([&] { return redis::node_event::CommandBlocked{session}; });
    case redis::ExecuteResult::replied:
      return tell([&] { return redis::node_event::CommandReplied{session, reply}; });
    case redis::ExecuteResult::silent:
      return;
  }
}

void NodeContext::send(sim::ConnectionId connection, sim::Payload payload) {
  const Message& message = environment.messages[payload];
  if (!environment.network.send(connection, id, payload, message.label, message.on_behalf_of)) {
    environment.messages.release(payload);
  }
}

}  // namespace lockstep::model
