// The simulated server and a real one, both with a disk, that are killed or asked to end, and
// started again.
//
// Compared are the replies before and after, and what is left. Expired keys that the append-only
// file brings back are touched on both sides first: the real server deletes some of them as soon as
// it runs.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "confirm/real_redis.h"
#include "redis/persistence/stored_files.h"
#include "redis/server/server.h"
#include "tests/redis/comparison/command_sequences.h"
#include "tests/redis/comparison/compared_client.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {

/// Settings of both servers: {"appendonly", "yes"}.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// How a server may be configured to store its data: nothing, snapshots, the append-only file, each
/// with a name for tests.
struct PersistenceSetup {
  std::string_view name;
  Settings settings;
};
[[nodiscard]] const std::vector<PersistenceSetup>& persistence_setups();

class RestartPair {
 public:
  RestartPair(const PersistenceSetup& kind, std::size_t sessions,
              const confirm::RealProgram& program = {});

  /// Throws Difference. Steps of blocked sessions are passed over.
  void take(const Step& step);
  /// Both processes end, and both start again after `down_ms`. All sessions are new then.
  void restart(confirm::Stop how, std::int64_t down_ms);
  /// Compares what both hold. Throws Difference.
  void compare_rest();
  /// The reply of both to one request. Throws Difference.
  void ask(std::vector<std::string> words) { take({0, 0, std::move(words)}); }
  void advance_ms(std::int64_t ms);

  [[nodiscard]] SimulatedServer& simulated() { return *simulated_; }
  [[nodiscard]] const confirm::RealRedis& real() const { return real_; }
  [[nodiscard]] const ComparedCounts& counts() const { return counts_; }

 private:
  void connect();
  void touch_all_keys();

  confirm::TemporaryDirectory directory_;
  confirm::StepClock clock_{directory_.path(), SimulatedServer::start_us};
  confirm::RealRedis real_;
  StoredFiles files_;
  ServerOptions options_;
  std::unique_ptr<SimulatedServer> simulated_;
  std::size_t sessions_;
  std::vector<ComparedClient> clients_;
  ComparedCounts counts_;
  CompactEncodings compact_encodings_ = CompactEncodings::kept;
};

}  // namespace lockstep::redis::test
