// A real redis-server for comparisons: Debian's, on a Unix socket in a directory of its own,
// without persistence, its wall clock stepped by the test, expired keys deleted only when touched.
//
// The server is stopped by its own process id when the object goes, and by the kernel when the test
// dies. Not covered: TCP, persistence, Sentinel, Cluster.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/redis_connection.h"
#include "tests/support/step_clock.h"
#include "tests/support/temporary_directory.h"

namespace lockstep::test {

struct RealRedisOptions {
  std::int64_t clock_offset_us = 0;    ///< added to what the clock says
  std::vector<std::string> arguments;  ///< more of redis-server's own, as on its command line
};

class RealRedis {
 public:
  /// Starts the server and waits until it answers. Throws std::runtime_error where redis-server is
  /// missing, too old (before 7.0) or does not start; the text says what to do.
  explicit RealRedis(const StepClock& clock, const RealRedisOptions& options = {});
  RealRedis(const RealRedis&) = delete;
  RealRedis& operator=(const RealRedis&) = delete;
  ~RealRedis();

  [[nodiscard]] const std::string& socket_path() const { return socket_path_; }
  /// "7.0.15"
  [[nodiscard]] const std::string& version() const { return version_; }

 private:
  void start(const StepClock& clock, const RealRedisOptions& options);
  void wait_until_it_answers();
  void prepare();
  void stop();

  TemporaryDirectory directory_;
  std::string socket_path_;
  std::string version_;
  pid_t process_ = -1;
};

/// The replication stream of a real server, as a replica that connects now gets it.
class StreamCapture {
 public:
  explicit StreamCapture(const RealRedis& server);

  /// Bytes since the last call, up to and with a message that this call publishes through
  /// `connection`: PUBLISH end-of-stream ''.
  std::string take(RedisConnection& connection);

 private:
  RedisConnection connection_;
  std::string bytes_;
};

}  // namespace lockstep::test
