#include "redis/server/pubsub.h"

#include <algorithm>
#include <string>
#include <vector>

#include "redis/protocol/glob.h"
#include "redis/server/server_listener.h"

namespace lockstep::redis {
namespace {

void set_bulk(Reply& reply, std::string_view text) {
  reply.kind = Reply::Kind::bulk;
  reply.text.assign(text);
}

void push(Reply& message, const Subscriptions::Sessions& listeners, const Sessions& sessions,
          ServerListener& listener) {
  for (const SessionId each : listeners) {
    const bool is_resp2 = sessions.at(each).protocol == Protocol::resp2;
    message.kind = is_resp2 ? Reply::Kind::array : Reply::Kind::push;
    listener.on_push(each, message);
  }
}

}  // namespace

bool PubSub::subscribe(Session& session, Kind kind, std::string_view name) {
  const bool is_channel = kind == Kind::channel;
  std::vector<std::string>& names = is_channel ? session.channels : session.patterns;
  if (std::find(names.begin(), names.end(), name) != names.end()) return false;
  names.emplace_back(name);
  (is_channel ? channels_ : patterns_).add(name, session.id);
  return true;
}

bool PubSub::unsubscribe(Session& session, Kind kind, std::string_view name) {
  const bool is_channel = kind == Kind::channel;
  std::vector<std::string>& names = is_channel ? session.channels : session.patterns;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return false;
  (is_channel ? channels_ : patterns_).remove(name, session.id);
  names.erase(found);
  return true;
}

void PubSub::unsubscribe_from_all(Session& session) {
  for (const std::string& name : session.channels) channels_.remove(name, session.id);
  for (const std::string& name : session.patterns) patterns_.remove(name, session.id);
  session.channels.clear();
  session.patterns.clear();
}

std::int64_t PubSub::publish(std::string_view channel, std::string_view message,
                             const Sessions& sessions, ServerListener& listener) {
  std::int64_t receivers = 0;
  if (const auto* listeners = channels_.find(channel); listeners != nullptr) {
    message_.elements.resize(3);
    set_bulk(message_.elements[0], "message");
    set_bulk(message_.elements[1], channel);
    set_bulk(message_.elements[2], message);
    push(message_, *listeners, sessions, listener);
    receivers += static_cast<std::int64_t>(listeners->size());
  }
  for (const auto& [pattern, listeners] : patterns_.topics()) {
    if (!glob_matches(pattern, channel)) continue;
    pmessage_.elements.resize(4);
    set_bulk(pmessage_.elements[0], "pmessage");
    set_bulk(pmessage_.elements[1], pattern);
    set_bulk(pmessage_.elements[2], channel);
    set_bulk(pmessage_.elements[3], message);
    push(pmessage_, listeners, sessions, listener);
    receivers += static_cast<std::int64_t>(listeners.size());
  }
  return receivers;
}

}  // namespace lockstep::redis
