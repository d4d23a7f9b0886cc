#include "redis/pubsub/pubsub.h"

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

}  // namespace

/// The pushes that are made over and over.
struct PubSub::PushMemory {
  Reply message;
  Reply pmessage;  ///< by pattern
  std::vector<Reply> held;
};

PubSub::PubSub() : memory_(std::make_unique<PushMemory>()) {}

PubSub::~PubSub() = default;

void PubSub::push(Reply& message, const Subscriptions::Sessions& listeners,
                  const Sessions& sessions, ServerListener& listener) {
  for (const SessionId each : listeners) {
    const Session& session = sessions.at(each);
    if (!sessions.hears_pushes(session)) continue;
    const bool is_resp2 = session.protocol == Protocol::resp2;
    message.kind = is_resp2 ? Reply::Kind::array : Reply::Kind::push;
    if (held_session_ == each) {
      memory_->held.push_back(message);
    } else {
      listener.on_push(each, message);
    }
  }
}

void PubSub::push_held(ServerListener& listener) {
  const SessionId session = *held_session_;
  held_session_.reset();
  for (const Reply& each : memory_->held) listener.on_push(session, each);
  memory_->held.clear();
}

Subscriptions& PubSub::subscriptions(Kind kind) {
  switch (kind) {
    case Kind::channel:
      return channels_;
    case Kind::pattern:
      return patterns_;
    case Kind::shard_channel:
      break;
  }
  return shard_channels_;
}

const SubscribedNames& PubSub::names_of(const Session& session, Kind kind) {
  switch (kind) {
    case Kind::channel:
      return session.channels;
    case Kind::pattern:
      return session.patterns;
    case Kind::shard_channel:
      break;
  }
  return session.shard_channels;
}

namespace {

SubscribedNames& names_in(Session& session, PubSub::Kind kind) {
  return const_cast<SubscribedNames&>(PubSub::names_of(session, kind));
}

}  // namespace

bool PubSub::subscribe(Session& session, Kind kind, std::string_view name) {
  if (!names_in(session, kind).add(name)) return false;
  subscriptions(kind).add(name, session.id);
  return true;
}

bool PubSub::unsubscribe(Session& session, Kind kind, std::string_view name) {
  if (!names_in(session, kind).remove(name)) return false;
  subscriptions(kind).remove(name, session.id);
  return true;
}

void PubSub::unsubscribe_from_all(Session& session) {
  for (const Kind kind : {Kind::channel, Kind::pattern, Kind::shard_channel}) {
    SubscribedNames& names = names_in(session, kind);
    for (const std::string& name : names) subscriptions(kind).remove(name, session.id);
    names.clear();
  }
}

std::int64_t PubSub::push_to_channel(const Subscriptions& channels, std::string_view kind,
                                     std::string_view channel, std::string_view message,
                                     const Sessions& sessions, ServerListener& listener) {
  const auto* const listeners = channels.find(channel);
  if (listeners == nullptr) return 0;
  memory_->message.elements.resize(3);
  set_bulk(memory_->message.elements[0], kind);
  set_bulk(memory_->message.elements[1], channel);
  set_bulk(memory_->message.elements[2], message);
  push(memory_->message, *listeners, sessions, listener);
  return static_cast<std::int64_t>(listeners->size());
}

std::int64_t PubSub::publish_to_shard(std::string_view channel, std::string_view message,
                                      const Sessions& sessions, ServerListener& listener) {
  return push_to_channel(shard_channels_, "smessage", channel, message, sessions, listener);
}

std::int64_t PubSub::publish(std::string_view channel, std::string_view message,
                             const Sessions& sessions, ServerListener& listener) {
  std::int64_t receivers =
      push_to_channel(channels_, "message", channel, message, sessions, listener);
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
