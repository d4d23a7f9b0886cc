// The simulated server and a real one under a stepped clock, taken through the same steps.
//
// Compared are the bytes of every reply and message of every connection, the replication stream,
// and at the end the data of all databases. What Redis leaves open is put in order before
// (reply_normalization.h). Not covered: replicas and restarts (replica_pair.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "confirm/real_redis.h"
#include "tests/redis/comparison/command_sequences.h"
#include "tests/redis/comparison/compared_client.h"
#include "tests/redis/comparison/real_server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {

/// One real server for many sequences; each begins with an empty one.
struct StreamedServer : RealServer {
  explicit StreamedServer(const confirm::RealProgram& program = {})
      : RealServer(program), version(program.version.value_or(default_version)) {}

  ServerVersion version;  ///< of the simulated server that it is compared with
  confirm::StreamCapture stream{redis};
};

class ServerPair {
 public:
  /// Both servers empty, at the same time, with so many sessions.
  ServerPair(StreamedServer& real, std::size_t sessions);

  /// Throws Difference where a reply or a message differs. Passes over a step of a session that is
  /// blocked.
  void take(const Step& step);
  /// Compares what both hold now, and what they told their replicas.
  void compare_rest();
  /// SCRIPT LOAD on both.
  void load(std::string_view script);

  [[nodiscard]] const ComparedCounts& counts() const { return counts_; }

 private:
  void compare_messages(const std::vector<std::string>& words);
  /// Returns when the real server has done all that it was sent.
  void settle();
  void make_equal_again(const std::vector<std::string>& words);
  void compare_streams();

  StreamedServer& real_;
  SimulatedServer simulated_;
  std::vector<ComparedClient> clients_;
  ComparedCounts counts_;
  CompactEncodings compact_encodings_ = CompactEncodings::kept;
  bool has_random_data_ = false;
  bool has_any_order_ = false;  ///< of deletions
};

/// Takes both servers through a sequence. Throws Difference.
ComparedCounts compare_servers(StreamedServer& real, const SequenceKind& kind,
                               const Sequence& sequence);

}  // namespace lockstep::redis::test
