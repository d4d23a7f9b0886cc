// A server that runs the server-side scripts of a lock, and shows what they left behind.
//
// Scripts are read from the folder that tools/mutate-scripts may replace by one of mutants.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "redis/protocol/reply.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::test {

class ScriptServer {
 public:
  /// Listens to the channels from the start, parted by blanks. `lock` is a folder of scripts/.
  ScriptServer(std::string lock, std::string_view channels);

  /// What `scripts/LOCK/script.lua` replies, as redis-cli prints it.
  std::string run(std::string_view script, const std::vector<std::string>& keys,
                  const std::vector<std::string>& arguments);
  /// Executes commands that set the stage; words are parted by blanks.
  void command(std::string_view line) { static_cast<void>(server_.run(line)); }
  void advance_ms(std::int64_t ms) { server_.advance_ms(ms); }

  /// Every key that has not expired: "L {a=1 b=2} 10000ms, latch "1" 500ms"; "-" where a key has no
  /// TTL. A list is "[a b]", a sorted set "<a:10 b:20>".
  [[nodiscard]] std::string data();
  /// What was published on the channel since the last call, with blanks between.
  [[nodiscard]] std::string messages();
  /// The same with channels: "channel:a free, channel:b free".
  [[nodiscard]] std::string published();

 private:
  std::string lock_;
  redis::test::SimulatedServer server_;
  redis::SessionId listener_;
};

}  // namespace lockstep::test
