// Where a real replica finds its master: a port of ours on the loopback that speaks the master's
// side of Redis's replication handshake.
//
// The replica is told REPLICAOF 127.0.0.1 and this port for good. It connects by itself whenever it
// has no link; its question (PSYNC) waits here until the simulation lets it through.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::confirm {

/// Every function throws std::runtime_error where a socket breaks or nothing comes for 10 s.
class MasterProxy {
 public:
  MasterProxy();
  MasterProxy(const MasterProxy&) = delete;
  MasterProxy& operator=(const MasterProxy&) = delete;
  ~MasterProxy();

  [[nodiscard]] const std::string& port() const { return port_; }

  /// Waits for the replica to connect and to ask for the stream; what it asks: the id of a history
  /// and the next offset, as in PSYNC.
  struct PsyncRequest {
    std::string replication_id;
    std::string offset;
  };
  [[nodiscard]] PsyncRequest wait_for_psync();
  /// Sends bytes to the replica whose question came last.
  void send(std::string_view bytes);
  /// Closes the link, if there is one.
  void close_link();

 private:
  [[nodiscard]] bool ask(PsyncRequest& question);
  [[nodiscard]] bool try_send(std::string_view bytes) const;
  [[nodiscard]] bool read_request(std::vector<std::string>& words);

  int listener_ = -1;
  int link_ = -1;
  std::string port_;
  std::string received_;
};

}  // namespace lockstep::confirm
