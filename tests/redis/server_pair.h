// The simulated server and a real one under a stepped clock, taken through the same steps.
//
// Compared are the bytes of every reply and message of every connection, the replication stream,
// and at the end the data of all databases. What Redis leaves open is put in order before
// (freedoms.h). Not covered: replicas and restarts (replica_pair.h).
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "confirm/real_redis.h"
#include "tests/redis/command_sequences.h"
#include "tests/redis/freedoms.h"
#include "tests/redis/resp_message.h"
#include "tests/redis/simulated_server.h"

namespace lockstep::redis::test {

/// The servers differ; the text says where, with both sides' words.
class Difference : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One real server for many sequences; each begins with an empty one.
struct RealServer {
  lockstep::confirm::TemporaryDirectory directory;
  lockstep::confirm::StepClock clock{directory.path(), SimulatedServer::start_us};
  lockstep::confirm::RealRedis redis{clock};
  lockstep::confirm::RedisConnection control{redis.socket_path()};
  lockstep::confirm::StreamCapture stream{redis};
};

/// What was compared.
struct ComparedCounts {
  std::size_t commands = 0;
  std::size_t scripts = 0;  ///< EVAL and its like, of the commands
  std::size_t messages = 0;
  std::size_t stream_bytes = 0;
};

class ServerPair {
 public:
  /// Both servers empty, at the same time, with so many sessions.
  ServerPair(RealServer& real, std::size_t sessions);

  /// Throws Difference where a reply or a message differs. Passes over a step of a session that is
  /// blocked.
  void take(const Step& step);
  /// Compares what both hold now, and what they told their replicas.
  void compare_rest();
  /// SCRIPT LOAD on both.
  void load(std::string_view script);

  [[nodiscard]] const ComparedCounts& counts() const { return counts_; }

 private:
  /// One client, connected to both.
  struct Client {
    SessionId session;
    std::unique_ptr<lockstep::confirm::RedisConnection> connection;
    RespMessageReader real;
    RespMessageReader simulated;
    std::vector<std::string> queued;  ///< all words between MULTI and EXEC
  };
  void add_client();
  void run_simulated(Client& client, std::span<const std::string_view> words);
  /// Compares what the simulated server said to all clients with what the real one says.
  void compare_messages(const std::vector<std::string>& words);
  RespMessage real_message(Client& client, const RespMessage& simulated);
  void settle();
  void make_equal_again(const std::vector<std::string>& words);
  void compare_streams();
  void compare_data();
  void ask(const std::vector<std::vector<std::string>>& requests);

  RealServer& real_;
  SimulatedServer simulated_;
  std::vector<Client> clients_;
  ComparedCounts counts_;
  SmallForms small_forms_ = SmallForms::kept;
  bool has_random_data_ = false;
};

/// Takes both servers through a sequence. Throws Difference.
ComparedCounts compare_servers(RealServer& real, const SequenceKind& kind,
                               const Sequence& sequence);

}  // namespace lockstep::redis::test
