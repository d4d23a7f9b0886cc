// One Redis server without its sockets: sessions, commands, pub/sub, scripts, replication.
//
// Passive and deterministic: it does something only when called, knows no time but the one it is
// given, and speaks through a listener. model/simulation puts it on a simulated host; serve/ will put
// it on real sockets. Reference: Redis 7.0.15 (measured), docs/fidelity.md lists the differences.
//
// Replication is as Redis does it: the master writes the *effects* of commands, with absolute
// expiries, into a stream of RESP bytes with offsets; a replica applies the bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "model/redis/keyspace.h"
#include "model/redis/reply.h"
#include "model/redis/script_engine.h"

namespace lockstep::redis {

enum class SessionId : std::uint32_t {};
enum class Role : std::uint8_t { master, replica };

struct ServerOptions {
  Role role = Role::master;
  /// Scripts slower than this make other sessions answer BUSY; instructions, not time. 0: never.
  std::uint64_t script_instructions_max = 0;
};

/// What the server says of its own accord. Called during execute/apply; must not call back into it.
class ServerListener {
 public:
  /// A pub/sub message (or confirmation) for a session.
  virtual void on_push(SessionId session, const Reply& push) = 0;
  /// A blocked session (WAIT) has its reply.
  virtual void on_unblocked(SessionId session, const Reply& reply) = 0;
  /// Bytes were added to the replication stream: they end at offset `offset_after`. Valid during the call.
  virtual void on_propagated(std::string_view bytes, std::int64_t offset_after) = 0;
  /// WAIT wants replicas to report their offsets now (REPLCONF GETACK).
  virtual void on_acknowledgements_wanted() = 0;

 protected:
  ~ServerListener() = default;
};

enum class Executed : std::uint8_t {
  replied,  ///< the reply is complete
  blocked,  ///< the reply comes through on_unblocked (WAIT)
};

class Server {
 public:
  Server(ScriptEngine& scripts, ServerListener& listener);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  /// A freshly started process with an empty dataset, no sessions and no known scripts. Keeps memory.
  void start(const ServerOptions& options);

  /// The host's wall clock. Must be set before each of the calls below; does not move during a call.
  void set_time_us(std::int64_t unix_time_us);

  SessionId open_session();
  void close_session(SessionId session);

  /// Executes one request. REQUIRES: arguments is not empty, session is open.
  Executed execute(SessionId session, std::span<const std::string_view> arguments,
                   ReplyWriter& reply);
  /// How long a session that execute left blocked may wait, ms from now; 0: for ever.
  [[nodiscard]] std::int64_t block_timeout_ms(SessionId session) const;
  /// The wait of a blocked session is over: answers with what it has (through on_unblocked).
  void unblock(SessionId session);

  // Replication.
  [[nodiscard]] Role role() const;
  /// Bytes written to (master) or applied from (replica) the stream so far.
  [[nodiscard]] std::int64_t replication_offset() const;
  /// Replica: applies bytes of its master's stream that follow its offset.
  void apply_stream(std::string_view bytes);
  /// Master: a replica has everything up to `offset`. Replicas count from 0 in the order added.
  void acknowledge(std::uint32_t replica, std::int64_t offset);
  /// REPLICAOF NO ONE: keeps the data, accepts writes.
  void promote();
  /// Takes over another server's data, role and offset as a full synchronisation would.
  void load_from(const Server& master);

  /// For observers: the data as it is, expired keys included.
  [[nodiscard]] const Keyspace& keyspace() const;
  /// The time set last, ms.
  [[nodiscard]] std::int64_t now_ms() const;
  /// Channels and how many sessions subscribe to each, sorted; for observers.
  [[nodiscard]] std::vector<std::pair<std::string, std::uint32_t>> subscriptions() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace lockstep::redis
