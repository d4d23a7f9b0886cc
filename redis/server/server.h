// One Redis server without its sockets: sessions, commands, pub/sub, scripts, replication.
//
// Passive and deterministic: it does something only when called, knows no time but the one it is
// given, and speaks through a listener. model/simulation puts it on a simulated host; serve/ will
// put it on real sockets. Reference: Redis 7.0.15 (measured), docs/fidelity.md lists the
// differences.
//
// Replication is as Redis does it: the master writes the *effects* of commands, with absolute
// expiries, into a stream of RESP bytes with offsets; a replica applies the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "redis/server/config.h"
#include "redis/server/server_listener.h"
#include "redis/server/server_types.h"

namespace lockstep::sim {
class Digest;
}

namespace lockstep::redis {

class ClusterView;
class Keyspace;
class ReplyWriter;
class ScriptEngine;
enum class Protocol : std::uint8_t;
struct StoredFiles;
struct Snapshot;

struct ServerOptions {
  Role role = Role::master;
  Config config{};
  /// The files of the server's disk; null: it has none, and stores nothing whatever it is told.
  StoredFiles* files = nullptr;
  /// What the offsets of this process count, until it learns another; no other process has it.
  std::uint64_t replication_id = 1;
  /// INFO's run_id, as a number; 0 where nobody asks for it.
  std::uint64_t run_id = 0;
  /// The cluster that the server is a node of; null: none. Does not own it.
  ClusterView* cluster = nullptr;
};

class Core;

class Server {
 public:
  Server(ScriptEngine& scripts, ServerListener& listener);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  /// A freshly started process with an empty dataset, no sessions and no known scripts. Keeps
  /// memory.
  void start(const ServerOptions& options);

  /// The host's wall clock. Must be set before each of the calls below; does not move during a
  /// call.
  void set_time_us(std::int64_t unix_time_us);

  /// Ids of closed sessions are given out again, the lowest first.
  SessionId open_session(const PeerAddresses& addresses = {});
  /// The session has asked for the replication stream: CLIENT LIST and KILL tell such from others.
  void mark_replica(SessionId session);
  /// Forgets the session's subscriptions, transaction and wait.
  void close_session(SessionId session);

  /// Executes one request and writes exactly one reply, in the session's protocol, unless it blocks
  /// or is silent: then none.
  /// REQUIRES: arguments is not empty, session is open and not blocked.
  ///
  /// SUBSCRIBE a b c owes three confirmations: those of a and b go out through on_push during the
  /// call, the last one is the reply. A connection whose pushes and replies are written into the
  /// same buffer as they come keeps Redis's order (also where EXEC has a message to oneself in the
  /// middle of its reply); one that sends pushes at once and then the reply, nearly so.
  ExecuteResult execute(SessionId session, std::span<const std::string_view> arguments,
                        ReplyWriter& reply);
  /// What the session speaks: pushes and replies for it are to be written by a writer for this.
  [[nodiscard]] Protocol protocol(SessionId session) const;
  /// How long a session that execute left blocked may wait, ms from now; 0: for ever. Its time is
  /// over once the clock is past that: one ms more than was asked.
  [[nodiscard]] std::int64_t block_timeout_ms(SessionId session) const;
  /// The wait of a blocked session is over: answers with what it has (through on_unblocked).
  void unblock(SessionId session);

  [[nodiscard]] const Config& config() const;
  /// Redis's cron: a master deletes expired keys that nobody touched, each DEL propagated by
  /// itself; nothing after DEBUG SET-ACTIVE-EXPIRE 0. Who wants that calls it now and then. A call
  /// looks at some thousand keys of each database, the next one at those behind them.
  void expire_cycle();
  /// Evicts a key of database 0, as maxmemory would; nothing where it is not there.
  void evict(std::string_view key);

  // Replication.
  [[nodiscard]] Role role() const;
  /// Bytes written to (master) or applied from (replica) the stream so far.
  [[nodiscard]] std::int64_t replication_offset() const;
  /// Replica: where the bytes that it expects next begin: past those of a request that is not
  /// whole.
  [[nodiscard]] std::int64_t received_offset() const;
  /// Replica: applies bytes of its master's stream that follow its offset.
  /// They may come in pieces: a request, or MULTI … EXEC as a whole, is applied when its last byte
  /// is there, and only then counts in the offset. REQUIRES: role() is replica.
  void apply_stream(std::string_view bytes);
  /// The name of what its offsets count.
  [[nodiscard]] std::uint64_t replication_id() const;
  /// The stream's bytes after `offset` of that history, where this server still has them (PSYNC's
  /// CONTINUE); else the asker needs a snapshot. Valid until the next call.
  [[nodiscard]] std::optional<std::string_view> stream_since(std::uint64_t replication_id,
                                                             std::int64_t offset) const;
  /// A replica has connected and gets the stream from here on; its number. `host` and `port` are
  /// what ROLE says of it.
  std::uint32_t attach_replica(std::string_view host, std::int64_t port);
  [[nodiscard]] std::span<const Replica> replicas() const;
  /// The dataset as it is, for a replica that needs all of it. The stream goes on with a SELECT.
  void take_snapshot(Snapshot& snapshot);
  /// Replica: takes over a master's snapshot. REQUIRES: it has a position.
  void load(const Snapshot& snapshot);
  /// Replica: its master, from which it goes on, calls the history by another name since.
  void adopt_replication_id(std::uint64_t id);
  /// What ROLE and INFO call the master, where no REPLICAOF did.
  void set_master_address(std::string_view host, std::int64_t port);
  /// Replica: its master goes on from replication_offset(). After load() that is so anyway.
  void mark_link_up();
  /// Replica: its link to the master broke; the stream goes on from replication_offset().
  void mark_link_down();
  /// Master: a replica has everything up to `offset`. Replicas count from 0 in the order added. One
  /// that never acknowledged does not count for WAIT; Redis counts a new one as being at 0, which
  /// acknowledge(replica, 0) says.
  void acknowledge(std::uint32_t replica, std::int64_t offset);
  /// Master: a replica's link broke; its acknowledgements no longer count.
  void drop_replica(std::uint32_t replica);
  /// REPLICAOF NO ONE: keeps the data, accepts writes, forgets the replicas' acknowledgements.
  void promote();
  /// REPLICAOF another: keeps the data until a synchronisation replaces it; blocked sessions get an
  /// error and are closed.
  void demote();
  /// Takes over another server's data, role and offset as a full synchronisation would. Keeps its
  /// own sessions and known scripts, which Redis does not replicate.
  void load_from(const Server& master);

  // Cluster.

  /// Another node's PUBLISH.
  void publish_from_cluster(std::string_view channel, std::string_view message);
  /// The view says something else than before: who is blocked on keys that are another's now, or
  /// that nobody serves, gets an error.
  void on_cluster_changed();

  // Persistence.

  /// Reads what is on the disk. Call once, after start and set_time_us and before anything else.
  LoadedData restore();
  /// When tick() will have something to do, if nothing happens until then; INT64_MAX: never.
  [[nodiscard]] std::int64_t next_tick_ms() const;
  /// Does what is due: syncs the append-only file, saves a snapshot.
  void tick();
  /// The process is about to end well, as after SIGTERM: stores what it is configured to store.
  void shut_down(SaveAtShutdown save);

  /// For observers: the data of database 0 as it is, expired keys included.
  [[nodiscard]] const Keyspace& keyspace() const;
  /// The same of one of the databases 0 to 15.
  [[nodiscard]] const Keyspace& keyspace(std::size_t database) const;
  /// Counts changes of the data since start, whoever made them: as Redis's `dirty` (each key or
  /// field written), and one for each expired key that was deleted. Where it has not moved, nothing
  /// has changed; PUBLISH does not move it.
  [[nodiscard]] std::uint64_t dirty() const;
  /// The time set last, ms.
  [[nodiscard]] std::int64_t now_ms() const;
  /// Channels and how many sessions subscribe to each, sorted; for observers.
  [[nodiscard]] std::vector<std::pair<std::string, std::uint32_t>> subscriptions() const;
  /// All that its answers to come depend on, at this reading of its clock (core_digest.cpp).
  /// `owner` tells its sessions' names from other servers'; `configured`: how it was started.
  void digest_into(sim::Digest& digest, std::uint64_t owner, const Config& configured,
                   std::int64_t now_ms) const;

 private:
  std::unique_ptr<Core> core_;
};

}  // namespace lockstep::redis
