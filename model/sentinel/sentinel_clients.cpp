#include "model/sentinel/sentinel_clients.h"

#include <algorithm>
#include <initializer_list>

#include "redis/protocol/glob.h"
#include "redis/protocol/letter_case.h"
#include "redis/protocol/reply_builder.h"

namespace lockstep::model {
namespace {

void write_confirmation(redis::ReplyWriter& reply, std::string_view kind, std::string_view name,
                        std::size_t count) {
  reply.push(3);
  reply.bulk(kind);
  reply.bulk(name);
  reply.integer(static_cast<std::int64_t>(count));
}

redis::Reply array_of(std::initializer_list<std::string_view> words) {
  redis::Reply reply;
  redis::ReplyBuilder builder(reply);
  builder.push(words.size());
  for (const std::string_view word : words) builder.bulk(word);
  return reply;
}

void change(std::vector<std::string>& names, std::string_view name, bool is_added) {
  const auto known = std::find(names.begin(), names.end(), name);
  if (is_added && known == names.end()) names.emplace_back(name);
  if (!is_added && known != names.end()) names.erase(known);
}

}  // namespace

void SentinelClients::remove(sim::ConnectionId connection) {
  std::erase_if(clients_,
                [&](const ConnectedClient& caller) { return caller.connection == connection; });
}

void SentinelClients::change_subscriptions(sim::ConnectionId connection,
                                           const redis::Arguments& words,
                                           redis::ReplyWriter& reply) {
  const auto caller =
      std::find_if(clients_.begin(), clients_.end(),
                   [&](const ConnectedClient& each) { return each.connection == connection; });
  if (caller == clients_.end() || words.size() < 2) {
    return reply.error("ERR wrong number of arguments for command");
  }
  std::string kind(words[0]);
  std::transform(kind.begin(), kind.end(), kind.begin(), redis::lower_case);
  const bool is_added = kind.find("un") == std::string::npos;
  std::vector<std::string>& names = kind[0] == 'p' ? caller->patterns : caller->channels;
  for (std::size_t i = 1; i < words.size(); ++i) {
    change(names, words[i], is_added);
    const std::size_t count = caller->channels.size() + caller->patterns.size();
    if (i + 1 == words.size()) {
      write_confirmation(reply, kind, words[i], count);
      break;
    }
    redis::Reply confirmation;
    redis::ReplyBuilder builder(confirmation);
    write_confirmation(builder, kind, words[i], count);
    push(connection, confirmation);
  }
}

bool SentinelClients::is_anybody_listening() const {
  return std::any_of(clients_.begin(), clients_.end(), [](const ConnectedClient& caller) {
    return !caller.channels.empty() || !caller.patterns.empty();
  });
}

// A push may strike down this process: what it has is forgotten only when it starts again.
void SentinelClients::publish(std::string_view channel, std::string_view text) {
  for (const ConnectedClient& caller : clients_) {
    if (std::find(caller.channels.begin(), caller.channels.end(), channel) !=
        caller.channels.end()) {
      push(caller.connection, array_of({"message", channel, text}));
    }
    for (const std::string& pattern : caller.patterns) {
      if (!redis::glob_matches(pattern, channel)) continue;
      push(caller.connection, array_of({"pmessage", pattern, channel, text}));
    }
  }
}

void SentinelClients::push(sim::ConnectionId connection, const redis::Reply& message) {
  const sim::Payload payload = messages_.make();
  Message& pushed = messages_[payload];
  pushed.kind = Message::Kind::push;
  pushed.label = "message";
  pushed.reply = message;
  if (!network_.send(connection, id_, payload, pushed.label, sim::no_actor)) {
    messages_.release(payload);
  }
}

}  // namespace lockstep::model
