// One simulated Redis node as a real process: its clock, its connections, its links to others.
//
// Passive: it does what the replayer (replayer.h) tells it, and answers with what the real server
// did. After each step it is settled: the server has processed everything sent to it and has sent
// everything that it owes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "confirm/confirmation.h"
#include "confirm/master_proxy.h"
#include "confirm/real_redis.h"
#include "confirm/redis_connection.h"
#include "confirm/step_clock.h"
#include "confirm/stream_link.h"
#include "confirm/temporary_directory.h"
#include "redis/server/server.h"

namespace lockstep::confirm {

class RealNode {
 public:
  /// Starts the process. Throws as RealRedis does.
  RealNode(std::string name, std::int64_t wall_us, const Settings& settings,
           const RealProgram& program);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& version() const { return process_.version(); }
  void set_wall_us(std::int64_t wall_us) { clock_.set_us(wall_us); }

  // The process.
  void stop(Stop how);
  /// Whether some of its data may not be synced, so that a power failure would lose it.
  [[nodiscard]] bool has_unsynced_data() const;
  /// False if it does not save its data within some seconds.
  [[nodiscard]] bool wait_until_saved();
  /// After stop(): starts it again in the same directory. A replica knows its master from the
  /// start.
  void restart(redis::Role role);
  /// Waits until the server has processed everything sent to it, and collects what it wrote to its
  /// replicas.
  void settle();

  // Clients.
  /// A client's connection, with the command whose reply is due.
  struct Client {
    std::unique_ptr<RedisConnection> connection;
    std::vector<std::string> words;  ///< the last command
    std::string description;         ///< "a/1's acquire: EVALSHA …"
    bool is_blocked = false;
    StreamLink* link = nullptr;  ///< set once it sent PSYNC: it is a replica's

    /// As a replica: it has everything up to here.
    /// `synced`: what is on the replica's disk, where it says so.
    void acknowledge(std::int64_t offset, std::optional<std::int64_t> synced = std::nullopt) const;
  };
  void open(redis::SessionId session);
  void close(redis::SessionId session);
  /// REQUIRES: it was opened, and not closed.
  [[nodiscard]] Client& client(redis::SessionId session);
  [[nodiscard]] std::map<redis::SessionId, Client>& clients() { return clients_; }

  /// Keeps back what may write until it ends, as it would itself while it waits for replicas.
  void pause_writes();

  // As a replica.
  /// REPLICAOF the port of this program that stands in for the master.
  void follow();
  /// REPLICAOF NO ONE.
  void promote();
  void close_link();
  /// The replica's PSYNC.
  [[nodiscard]] MasterProxy::PsyncRequest wait_for_psync();
  /// Gives the replica bytes and waits until it has applied them and is at `offset`.
  void give(std::string_view bytes, std::int64_t offset);

  // As a master.
  /// The real master's answer to PSYNC.
  struct PsyncReply {
    std::string bytes;  ///< the answer, with the snapshot if there is one
    bool is_continued = false;
    std::int64_t offset = 0;  ///< where its stream continues
    std::string stream;       ///< what came of it already
  };
  [[nodiscard]] PsyncReply send_psync(redis::SessionId session,
                                      const MasterProxy::PsyncRequest& question);

 private:
  redis::Reply role();

  std::string name_;
  bool appends_unsynced_ = false;
  TemporaryDirectory directory_;
  StepClock clock_;
  RealRedis process_;
  std::optional<RedisConnection> control_;
  std::map<redis::SessionId, Client> clients_;
  std::optional<MasterProxy> port_;  // of this program, for this node as a replica
};

}  // namespace lockstep::confirm
