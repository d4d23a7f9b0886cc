// A real server for comparisons, started at the simulated one's time, and a connection to it.
#pragma once

#include "confirm/real_redis.h"
#include "confirm/redis_connection.h"
#include "confirm/step_clock.h"
#include "confirm/temporary_directory.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {

struct RealServer {
  explicit RealServer(const confirm::RealProgram& program = {})
      : redis(clock, options_of(program)) {}

  [[nodiscard]] static confirm::RealRedisOptions options_of(const confirm::RealProgram& program) {
    confirm::RealRedisOptions options;
    options.program = program;
    return options;
  }

  confirm::TemporaryDirectory directory;
  confirm::StepClock clock{directory.path(), SimulatedServer::start_us};
  confirm::RealRedis redis;
  confirm::RedisConnection connection{redis.socket_path()};
};

}  // namespace lockstep::redis::test
