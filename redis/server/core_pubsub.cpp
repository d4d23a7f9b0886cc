// Subscriptions and messages.
#include <algorithm>

#include "redis/protocol/glob.h"
#include "redis/protocol/reply_builder.h"
#include "redis/server/core.h"

namespace lockstep::redis {
namespace {

void set_bulk(Reply& reply, std::string_view text) {
  reply.kind = Reply::Kind::bulk;
  reply.text.assign(text);
}

}  // namespace

bool Core::subscribe(Session& session, Kind kind, std::string_view name) {
  const bool is_channel = kind == Kind::channel;
  std::vector<std::string>& names = is_channel ? session.channels : session.patterns;
  if (std::find(names.begin(), names.end(), name) != names.end()) return false;
  names.emplace_back(name);
  (is_channel ? channels_ : patterns_).add(name, session.id);
  return true;
}

bool Core::unsubscribe(Session& session, Kind kind, std::string_view name) {
  const bool is_channel = kind == Kind::channel;
  std::vector<std::string>& names = is_channel ? session.channels : session.patterns;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return false;
  (is_channel ? channels_ : patterns_).remove(name, session.id);
  names.erase(found);
  return true;
}

std::int64_t Core::publish(std::string_view channel, std::string_view message) {
  std::int64_t receivers = 0;
  if (const auto* listeners = channels_.find(channel); listeners != nullptr) {
    message_.elements.resize(3);
    set_bulk(message_.elements[0], "message");
    set_bulk(message_.elements[1], channel);
    set_bulk(message_.elements[2], message);
    push_message(*listeners, message_);
    receivers += static_cast<std::int64_t>(listeners->size());
  }
  for (const auto& [pattern, listeners] : patterns_.topics()) {
    if (!glob_matches(pattern, channel)) continue;
    pmessage_.elements.resize(4);
    set_bulk(pmessage_.elements[0], "pmessage");
    set_bulk(pmessage_.elements[1], pattern);
    set_bulk(pmessage_.elements[2], channel);
    set_bulk(pmessage_.elements[3], message);
    push_message(listeners, pmessage_);
    receivers += static_cast<std::int64_t>(listeners.size());
  }
  return receivers;
}

void Core::push_message(const Subscriptions::Sessions& listeners, Reply& message) {
  for (const SessionId listener : listeners) {
    const bool is_resp2 = session(listener).protocol == Protocol::resp2;
    message.kind = is_resp2 ? Reply::Kind::array : Reply::Kind::push;
    listener_.on_push(listener, message);
  }
}

void Core::push_confirmation(Session& session, std::string_view kind, std::string_view name) {
  Reply confirmation;
  ReplyBuilder builder(confirmation, session.protocol);
  builder.push(3);
  builder.bulk(kind);
  builder.bulk(name);
  builder.integer(static_cast<std::int64_t>(session.channels.size() + session.patterns.size()));
  listener_.on_push(session.id, confirmation);
}

}  // namespace lockstep::redis
