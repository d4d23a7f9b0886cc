// A master and its replica, simulated and real, taken through the same steps: reads and writes on
// both ends, promotion, and the old master's return as a replica, which loses what it wrote
// meanwhile.
//
// The first half of a sequence's sessions are connected to the first server, the others to the
// second. Besides requests there are the steps
//   CLOCK-AHEAD us           the second server's clock is so much ahead of the first's from now on
//   REPLICAOF NO ONE         in a session of the server that is promoted
//   REPLICAOF 127.0.0.1 0    in a session of the server that follows the other; 0 stands for its
//   port
// Real replicas apply what masters send when it arrives: they are given the time for it before
// anything is asked of them. Compared are replies, messages, the length of the stream, and in the
// end the data of both servers. Not covered: WAIT, ROLE and INFO, which depend on real time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "confirm/real_redis.h"
#include "tests/redis/comparison/command_sequences.h"
#include "tests/redis/comparison/compared_client.h"

namespace lockstep::redis::test {

/// One real server of a pair, with a clock of its own and connections for the comparison's own use.
struct RealNode {
  explicit RealNode(const confirm::RealProgram& program);

  std::uint16_t port;
  confirm::TemporaryDirectory directory;
  confirm::StepClock clock;
  confirm::RealRedis redis;
  confirm::RedisConnection control;
  confirm::RedisConnection listener;  ///< subscribed to what marks the end of a stream
};

/// The real servers for many sequences.
class RealReplicas {
 public:
  explicit RealReplicas(const confirm::RealProgram& program = {})
      : version_(program.version.value_or(default_version)),
        nodes_{RealNode(program), RealNode(program)} {}
  /// Empty, the second a replica of the first, with equal clocks.
  void reset();
  [[nodiscard]] RealNode& node(std::size_t index) { return nodes_[index]; }
  /// Of the simulated servers that they are compared with.
  [[nodiscard]] ServerVersion version() const { return version_; }
  /// Waits until a server has all data of its master.
  void wait_until_linked(std::size_t replica);
  [[nodiscard]] std::int64_t offset(std::size_t index);

 private:
  ServerVersion version_;
  std::array<RealNode, 2> nodes_;
};

class ReplicaPair {
 public:
  ReplicaPair(RealReplicas& real, std::size_t sessions);

  /// Throws Difference.
  void take(const Step& step);
  void compare_rest();
  void load(std::string_view script);

  [[nodiscard]] const ComparedCounts& counts() const { return counts_; }

 private:
  [[nodiscard]] std::size_t node_of(std::size_t session) const {
    return session < clients_.size() / 2 ? 0 : 1;
  }
  void advance(std::int64_t advance_us);
  void change_role(std::size_t node, const std::vector<std::string>& words);
  void send(ComparedClient& client, const std::vector<std::string>& words);
  void compare_messages(const std::vector<std::string>& words);
  /// Hands on what the simulated master has written.
  void move_stream();
  /// Waits until the real replica has got everything.
  void settle();
  void follow(std::size_t follower);
  void compare_offsets();

  RealReplicas& real_;
  std::array<SimulatedServer, 2> simulated_;
  std::array<SessionId, 2> listeners_{};
  std::vector<ComparedClient> clients_;
  std::vector<ComparedClient> operators_;  // one for each server
  std::size_t master_ = 0;
  bool is_linked_ = true;
  std::int64_t second_ahead_us_ = 0;
  std::array<std::int64_t, 2> first_offsets_{};  // real, simulated
  CompactEncodings compact_encodings_ = CompactEncodings::kept;
  ComparedCounts counts_;
};

/// Takes both pairs through a sequence. Throws Difference.
ComparedCounts compare_replicas(RealReplicas& real, const SequenceKind& kind,
                                const Sequence& sequence);

}  // namespace lockstep::redis::test
