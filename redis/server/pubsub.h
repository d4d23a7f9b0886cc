// Pub/sub: subscriptions to channels and patterns, and the delivery of messages.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "redis/server/sessions.h"
#include "redis/server/subscriptions.h"

namespace lockstep::redis {

class ServerListener;

class PubSub {
 public:
  enum class Kind : std::uint8_t { channel, pattern };

  PubSub();
  PubSub(const PubSub&) = delete;
  PubSub& operator=(const PubSub&) = delete;
  ~PubSub();

  [[nodiscard]] const Subscriptions& channels() const { return channels_; }
  [[nodiscard]] const Subscriptions& patterns() const { return patterns_; }

  /// False if the session listens already.
  bool subscribe(Session& session, Kind kind, std::string_view name);
  /// False if the session did not listen.
  bool unsubscribe(Session& session, Kind kind, std::string_view name);
  void unsubscribe_from_all(Session& session);
  /// Hands a message to all listening sessions. Returns how many, counting each subscription.
  std::int64_t publish(std::string_view channel, std::string_view message, const Sessions& sessions,
                       ServerListener& listener);

  // server_digest.cpp
  void digest_into(sim::Digest& digest, std::uint64_t owner) const;

 private:
  struct PushMemory;

  Subscriptions channels_;
  Subscriptions patterns_;
  std::unique_ptr<PushMemory> memory_;
};

}  // namespace lockstep::redis
