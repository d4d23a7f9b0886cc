// A stand-in for a real replica's master: a loopback port of this program that speaks the master's
// side of Redis's replication handshake.
//
// The replica gets REPLICAOF 127.0.0.1 and this port once. It reconnects by itself; its PSYNC waits
// here until the simulation lets it through.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::confirm {

/// Every function throws std::runtime_error if a socket breaks or nothing arrives for 10 s.
class MasterProxy {
 public:
  MasterProxy();
  MasterProxy(const MasterProxy&) = delete;
  MasterProxy& operator=(const MasterProxy&) = delete;
  ~MasterProxy();

  [[nodiscard]] const std::string& port() const { return port_; }

  /// Waits for the replica to connect and to send PSYNC. Returns its replication id and next
  /// offset.
  struct PsyncRequest {
    std::string replication_id;
    std::string offset;
  };
  [[nodiscard]] PsyncRequest wait_for_psync();
  /// Sends bytes to the replica that sent PSYNC last.
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
