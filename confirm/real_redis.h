// A real server for comparisons (the system's redis-server, or another), on a Unix socket in a
// directory of its own, its wall clock stepped by us, expired keys deleted only when touched.
//
// Without persistence unless its arguments enable it; then its saved data is in its directory when
// it starts again. The destructor stops the server by its process id; the kernel stops it if this
// program dies. Not covered: clients over TCP, Sentinel, Cluster.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "confirm/real_program.h"
#include "confirm/redis_connection.h"
#include "confirm/step_clock.h"
#include "confirm/temporary_directory.h"

namespace lockstep::confirm {

struct RealRedisOptions {
  RealProgram program{};               ///< the system's redis-server
  std::int64_t clock_offset_us = 0;    ///< added to what the clock says
  std::vector<std::string> arguments;  ///< more of redis-server's own, as on its command line
};

/// There is no redis-server, or one that is too old or does not start; the text says what to do.
class RedisUnusable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How a process is stopped.
enum class Stop : std::uint8_t {
  kill,       ///< at once, as kill -9: nothing is saved
  terminate,  ///< asked to (SIGTERM): it saves what it is configured to save
};

class RealRedis {
 public:
  /// Starts the server and waits until it answers. Throws RedisUnusable. The clock must outlive
  /// it.
  explicit RealRedis(const StepClock& clock, const RealRedisOptions& options = {});
  RealRedis(const RealRedis&) = delete;
  RealRedis& operator=(const RealRedis&) = delete;
  ~RealRedis();

  /// Stops the process and waits until it is gone. Does nothing if none runs.
  void stop(Stop how);
  /// Starts it again in the same directory, as the constructor did, with these arguments too, and
  /// waits until it has loaded what is there. REQUIRES: it was stopped.
  void start(const std::vector<std::string>& more_arguments = {});

  [[nodiscard]] const std::string& socket_path() const { return socket_path_; }
  /// "redis-server 7.0.15", "valkey-server 8.0.1"
  [[nodiscard]] const std::string& version() const { return version_; }

 private:
  void launch(const std::vector<std::string>& more_arguments);
  void wait_until_it_answers();
  void prepare();

  const StepClock& clock_;
  RealRedisOptions options_;
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

}  // namespace lockstep::confirm
