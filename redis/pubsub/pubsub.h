// Pub/sub: subscriptions to channels and patterns, and the delivery of messages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "redis/pubsub/subscriptions.h"
#include "redis/server/sessions.h"

namespace lockstep::redis {

class ServerListener;
struct Reply;

class PubSub {
 public:
  enum class Kind : std::uint8_t { channel, pattern, shard_channel };

  PubSub();
  PubSub(const PubSub&) = delete;
  PubSub& operator=(const PubSub&) = delete;
  ~PubSub();

  [[nodiscard]] const Subscriptions& channels() const { return channels_; }
  [[nodiscard]] const Subscriptions& patterns() const { return patterns_; }
  [[nodiscard]] const Subscriptions& shard_channels() const { return shard_channels_; }
  [[nodiscard]] static const SubscribedNames& names_of(const Session& session, Kind kind);
  /// As confirmations count: channels and patterns together, those of shards apart.
  [[nodiscard]] static std::int64_t subscription_count(const Session& session, Kind kind) {
    return static_cast<std::int64_t>(kind == Kind::shard_channel
                                         ? session.shard_channels.size()
                                         : session.channels.size() + session.patterns.size());
  }

  /// False if the session listens already.
  bool subscribe(Session& session, Kind kind, std::string_view name);
  /// False if the session did not listen.
  bool unsubscribe(Session& session, Kind kind, std::string_view name);
  void unsubscribe_from_all(Session& session);
  /// Hands a message to all listening sessions. Returns how many, counting each subscription.
  std::int64_t publish(std::string_view channel, std::string_view message, const Sessions& sessions,
                       ServerListener& listener);
  /// SPUBLISH: the same for those who listen to a shard's channel.
  std::int64_t publish_to_shard(std::string_view channel, std::string_view message,
                                const Sessions& sessions, ServerListener& listener);

  /// From here on, messages to this session wait for release: it publishes, and hears of it after
  /// its reply.
  void hold(SessionId session) {
    if (!held_session_) held_session_ = session;  // else it is asked while a script runs
  }
  void release(SessionId session, ServerListener& listener) {
    if (held_session_ == session) push_held(listener);
  }

  // server_digest.cpp
  void digest_into(sim::Digest& digest, std::uint64_t owner) const;

 private:
  struct PushMemory;

  void push_held(ServerListener& listener);
  [[nodiscard]] Subscriptions& subscriptions(Kind kind);
  std::int64_t push_to_channel(const Subscriptions& channels, std::string_view kind,
                               std::string_view channel, std::string_view message,
                               const Sessions& sessions, ServerListener& listener);
  void push(Reply& message, const Subscriptions::Sessions& listeners, const Sessions& sessions,
            ServerListener& listener);

  Subscriptions channels_;
  Subscriptions patterns_;
  Subscriptions shard_channels_;
  std::unique_ptr<PushMemory> memory_;
  std::optional<SessionId> held_session_;  // within one request only
};

}  // namespace lockstep::redis
