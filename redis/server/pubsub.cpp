#include "redis/server/pubsub.h"

#include <algorithm>
#include <string>
#include <vector>

#include "redis/protocol/glob.h"
#include "redis/protocol/reply.h"
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

/// The pushes that are made over and over.
struct PubSub::PushMemory {
  Reply message;
  Reply pmessage;  ///< by pattern
};

PubSub::PubSub() : memory_(std::make_unique<PushMemory>()) {}

PubSub::~PubSub() = default;

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
    memory_->message.elements.resize(3);
    set_bulk(memory_->message.elements[0], "message");
    set_bulk(memory_->message.elements[1], channel);
    set_bulk(memory_->message.elements[2], message);
    push(memory_->message, *listeners, sessions, listener);
    receivers += static_cast<std::int64_t>(listeners->size());
  }
  for (const auto& [pattern, listeners] : patterns_.topics()) {
    if (!glob_matches(pattern, channel)) continue;
    memory_->pmessage.elements.resize(4);
    set_bulk(memory_->pmessage.elements[0], "pmessage");
    set_bulk(memory_->pmessage.elements[1], pattern);
    set_bulk(memory_->pmessage.elements[2], channel);
    set_bulk(memory_->pmessage.elements[3], message);
    push(memory_->pmessage, listeners, sessions, listener);
    receivers += static_cast<std::int64_t>(listeners.size());
  }
  return receivers;
}

}  // namespace lockstep::redis
