// A lock library's connection: EVALSHA of the plain lock's scripts, with many requests in flight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::bench {

class LockClient {
 public:
  /// Connects and loads the scripts. Each client has a lock of its own name.
  LockClient(std::uint16_t port, std::size_t number, std::size_t in_flight);
  LockClient(const LockClient&) = delete;
  LockClient& operator=(const LockClient&) = delete;
  ~LockClient();

  [[nodiscard]] int socket() const { return socket_; }
  /// Fills the pipeline.
  void begin() { send(in_flight_); }
  /// Reads what is there and sends as many requests as replies came; how many that were.
  std::size_t take_replies();
  /// Reads until no reply is missing.
  void end();
  /// The replies of one round of the lock's life, one after another.
  [[nodiscard]] std::string round();

 private:
  void send(std::size_t requests);
  std::size_t read_lines(std::string* out);
  std::string load(const std::string& body);

  int socket_;
  std::size_t in_flight_;
  std::size_t unanswered_ = 0;
  std::size_t next_ = 0;  // of requests_
  std::vector<std::string> requests_;
  std::string out_;
};

}  // namespace lockstep::bench
