// What a server reports of its own accord, and what it asks of the process around it.
#pragma once

#include <cstdint>
#include <string_view>

#include "redis/server/server_types.h"

namespace lockstep::redis {

struct Config;
struct Reply;

/// What the server says of its own accord. Called during execute/apply; must not call back into it.
class ServerListener {
 public:
  /// A pub/sub message for a session, or a confirmation of SUBSCRIBE and its like that is not the
  /// command's last (see execute). Messages for the same session go out in the order of the calls.
  virtual void on_push(SessionId session, const Reply& push) = 0;
  /// A blocked session (WAIT, BLPOP) has its reply.
  virtual void on_unblocked(SessionId session, const Reply& reply) = 0;
  /// The same where the client wants no reply (CLIENT REPLY).
  virtual void on_unblocked_silently(SessionId /*session*/) {}
  /// Bytes were added to the replication stream: they end at offset `offset_after`. Valid during
  /// the call.
  virtual void on_propagated(std::string_view bytes, std::int64_t offset_after) = 0;
  /// WAIT wants replicas to report their offsets now (REPLCONF GETACK).
  virtual void on_getack_wanted() = 0;
  /// A script's redis.log; the level is 0 (debug) to 3 (warning).
  virtual void on_script_log(std::int64_t /*level*/, std::string_view /*text*/) {}
  /// REPLICAOF: the server is now a replica (or, with an empty host, a master; see promote). Who
  /// moves the bytes must connect it to its new master or cut it off from the old.
  virtual void on_replica_of(std::string_view /*host*/, std::int64_t /*port*/) {}
  /// A snapshot of so many keys is on the disk.
  virtual void on_saved(std::uint64_t /*keys*/) {}
  /// A random number the server draws, in [0, bound): RANDOMKEY, SPOP, eviction. Asked only by what
  /// is random in Redis, so that other commands use up nothing. REQUIRES: bound ≥ 1.
  virtual std::uint64_t random_below(std::uint64_t bound) = 0;
  /// A key went because of maxmemory, ahead of the command being executed.
  virtual void on_evicted(std::string_view /*key*/) {}
  /// A key of this database was written or deleted, by whomever.
  virtual void on_key_changed(std::uint8_t /*database*/, std::string_view /*key*/) {}
  /// The order of the texts of a sorted set's members may have decided something: two of them got
  /// the same score, or a range of texts was asked for.
  virtual void on_lexical_order_used() {}
  /// Databases were replaced as a whole (SWAPDB, a snapshot of the master).
  virtual void on_databases_replaced() {}
  /// The server ends a session (QUIT, CLIENT KILL). Its connection is to be closed when what was
  /// written to it so far has been sent, the reply to the request under way included; then
  /// close_session, as ever. Until then the session executes nothing more.
  virtual void on_closed(SessionId /*session*/) {}
  /// DEBUG SLEEP: the server does nothing for so long, from when this request's reply is due.
  virtual void on_sleep(std::int64_t /*us*/) {}
  /// SHUTDOWN: whoever runs the process ends it after this call. False where nobody will.
  virtual bool on_shutdown() { return false; }
  /// CONFIG SET changed something; Server::config has it too.
  virtual void on_config_changed(const Config& /*config*/) {}

 protected:
  ~ServerListener() = default;
};

}  // namespace lockstep::redis
