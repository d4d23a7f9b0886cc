// The simulated server and a real one under a stepped clock, taken through the same steps.
//
// Freedoms of the real one that are put in order before a comparison: KEYS and PUBSUB CHANNELS,
// which it gives in the order of a hash table.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/redis/command_sequences.h"
#include "tests/redis/simulated_server.h"
#include "confirm/real_redis.h"

namespace lockstep::redis::test {

struct RealServer;

class ServerPair {
 public:
  /// Both servers empty, at the same time, with so many sessions.
  explicit ServerPair(std::size_t sessions);

  /// Fails the RapidCheck property where a reply or a message differs.
  void take(const Step& step);
  /// Compares what both hold now, and what they told their replicas.
  void compare_rest();
  /// SCRIPT LOAD on both.
  void load(const std::string& script);

 private:
  void compare_outputs(const Step& step, std::size_t session, std::vector<Reply> outputs);
  void compare_streams();
  void ask(std::vector<std::string> words);

  RealServer& real_;
  SimulatedServer simulated_;
  std::vector<SessionId> sessions_;
  std::vector<std::unique_ptr<lockstep::confirm::RedisConnection>> connections_;
};

/// A property: a random sequence leaves both servers equal, reply by reply.
void compare_servers(const SequenceKind& kind);

}  // namespace lockstep::redis::test
