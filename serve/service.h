// A simulated Redis on real sockets: a master, its replicas, and the loop that serves them.
//
// One thread, one process, real or stepped wall clock. Sockets, signals and clocks are in this room
// only; no simulation runs here. The servers are those of redis/; docs/fidelity.md says how they
// differ from Redis, docs/serve.md describes serving.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lua/interpreter/state.h"
#include "redis/scripting/script_engine.h"
#include "serve/event_loop.h"
#include "serve/limits.h"
#include "serve/node.h"
#include "serve/replication.h"
#include "serve/script_watch.h"
#include "serve/signals.h"
#include "serve/wall_clock.h"

namespace lockstep::serve {

struct ServiceOptions {
  std::optional<std::uint16_t> port;  ///< 0: any; replicas get those that follow
  std::string address = "127.0.0.1";
  std::string unix_path;   ///< replicas get PATH.1, PATH.2, …
  std::string clock_path;  ///< empty: the machine's clock
  std::uint16_t replicas = 0;
  redis::ServerVersion version = redis::default_version;
  Limits limits;
};

class Service {
 public:
  /// Listens. REQUIRES: a port or a path. Throws StartError where it cannot.
  explicit Service(const ServiceOptions& options);

  /// "listening on 127.0.0.1:7000, replicas on 7001 7002"
  [[nodiscard]] std::string where() const;
  /// The master's, or 0.
  [[nodiscard]] std::uint16_t port() const { return nodes_.front()->port(); }

  /// Serves until SIGTERM, SIGINT or a client's SHUTDOWN; then sends what is still unsent and
  /// returns.
  void run();

 private:
  void listen(std::size_t index);
  void serve_round();
  void tick();
  [[nodiscard]] int poll_timeout_ms() const;
  void finish();

  ServiceOptions options_;
  WallClock clock_;
  EventLoop loop_;
  TerminationSignals signals_{
      loop_};  // from the start: one that comes before run() ends it at once
  Replication replication_;
  /// What runs a node's scripts: one node may do so while another's script runs.
  struct Scripting {
    lua::State lua;
    redis::ScriptEngine engine{lua};
    std::optional<ScriptWatch> watch;
  };
  std::vector<std::unique_ptr<Scripting>> scripting_;  // by node
  std::vector<std::unique_ptr<Node>> nodes_;           // the first is the master
  std::int64_t next_tick_ms_ = 0;
  std::int64_t ticks_ = 0;
};

}  // namespace lockstep::serve
