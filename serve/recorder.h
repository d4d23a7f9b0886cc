// Records what clients send to Redis servers: to simulated ones, or to real ones that they reach
// through this program.
//
// Each client has a port of its own for each server, so that it is known who has sent what. One
// thread and real time; simulated servers run in child processes that end with it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "serve/event_loop.h"
#include "serve/listening.h"
#include "serve/relay.h"
#include "serve/signals.h"

namespace lockstep::serve {

/// A server that runs already, as clients name it.
struct ServerAddress {
  std::string host;
  std::uint16_t port = 0;
};

/// A program that is started as the recording begins, or so much later.
struct RecordedProgram {
  std::vector<std::string> command;
  std::map<std::string, std::string> env;  ///< over this process's own
  std::int64_t start_ms = 0;
};

struct RecorderOptions {
  std::uint16_t port = 0;             ///< the first; those that follow are taken too; 0: free ones
  std::size_t clients = 1;            ///< ≥ 1
  std::size_t simulated_servers = 1;  ///< where there are no `servers`
  std::vector<ServerAddress> servers;
};

class Recorder {
 public:
  /// Of the client, of the server, both counted from 0.
  using Listener = std::function<void(std::size_t, std::size_t, const Exchange&)>;

  /// Listens. Throws StartError where it cannot.
  explicit Recorder(const RecorderOptions& options);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();

  [[nodiscard]] std::size_t server_count() const { return servers_.size(); }
  [[nodiscard]] std::uint16_t port_of(std::size_t client, std::size_t server) const;

  /// Records until SIGTERM or SIGINT, or until all programs have ended, where there are some.
  /// Throws StartError where a program can't be started.
  void run(const std::vector<RecordedProgram>& programs, const Listener& listener);
  /// How many connections carried something else than RESP, TLS for one: they are recorded up to
  /// there.
  [[nodiscard]] std::size_t unreadable_connections() const { return unreadable_connections_; }

 private:
  struct Door;
  struct Passage {
    std::size_t client;
    std::size_t server;
    std::unique_ptr<Relay> relay;
    bool is_readable = true;  ///< as it was counted
  };

  void start_simulated_server();
  void open(const Door& door);
  void finish_round(const Listener& listener);
  [[nodiscard]] std::int64_t now_us() const;

  EventLoop loop_;
  TerminationSignals signals_{loop_};
  std::vector<ServerAddress> servers_;
  std::vector<int> children_;  // simulated servers
  std::vector<std::unique_ptr<Door>> doors_;
  std::vector<Passage> passages_;
  std::int64_t began_us_ = 0;
  std::size_t unreadable_connections_ = 0;
};

}  // namespace lockstep::serve
