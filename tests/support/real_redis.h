// Real Redis servers for tests: those of confirm/, under the name that tests call them by.
#pragma once

#include "confirm/real_redis.h"

namespace lockstep::test {
using confirm::RealRedis;
using confirm::RealRedisOptions;
using confirm::RedisConnection;
using confirm::StepClock;
using confirm::StreamCapture;
using confirm::TemporaryDirectory;
}  // namespace lockstep::test
