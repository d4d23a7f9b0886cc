// What a server reports outside of replies, and what it asks of the process around it.
#pragma once

#include <cstdint>
#include <string_view>

#include "redis/server/server_types.h"

namespace lockstep::redis {

struct Config;
struct Reply;

/// Called during execute and apply_stream. Must not call back into the server.
class ServerListener {
 public:
  /// A pub/sub message for a session, or a subscription's confirmation that is not the command's
  /// last (see execute). Messages for the same session go out in the order of the calls.
  virtual void on_push(SessionId session, const Reply& push) = 0;
  /// A blocked session (WAIT, BLPOP) has its reply.
  virtual void on_unblocked(SessionId session, const Reply& reply) = 0;
  /// The same, but the client wants no reply (CLIENT REPLY).
  virtual void on_unblocked_silently(SessionId /*session*/) {}
  /// Bytes were added to the replication stream and end at `offset_after`. Valid during the call.
  virtual void on_propagated(std::string_view bytes, std::int64_t offset_after) = 0;
  /// WAIT wants replicas to report their offsets now (REPLCONF GETACK).
  virtual void on_getack_wanted() = 0;
  /// A script's redis.log; the level is 0 (debug) to 3 (warning).
  virtual void on_script_log(std::int64_t /*level*/, std::string_view /*text*/) {}
  /// SCRIPT FLUSH: the server knows no script any more.
  virtual void on_scripts_flushed() {}
  /// REPLICAOF: the server is now a replica (or, with an empty host, a master; see promote). The
  /// caller that moves the bytes must connect it to the new master or cut it off from the old.
  virtual void on_replica_of(std::string_view /*host*/, std::int64_t /*port*/) {}
  /// A snapshot with this many keys is on the disk.
  virtual void on_saved(std::uint64_t /*keys*/) {}
  /// A random number in [0, bound) for RANDOMKEY, SPOP, eviction. Drawn only where Redis draws one,
  /// so that other commands consume no choices. REQUIRES: bound ≥ 1.
  virtual std::uint64_t random_below(std::uint64_t bound) = 0;
  /// A key was evicted because of maxmemory, before the command runs.
  virtual void on_evicted(std::string_view /*key*/) {}
  /// A key of this database was written or deleted.
  virtual void on_key_changed(std::uint8_t /*database*/, std::string_view /*key*/) {}
  /// The lexical order of a sorted set's members may have mattered: two members have the same
  /// score, or a lexical range was requested.
  virtual void on_lexical_order_used() {}
  /// Databases were replaced as a whole (SWAPDB, a snapshot of the master).
  virtual void on_databases_replaced() {}
  /// The server ends a session (QUIT, CLIENT KILL). Close its connection once everything written so
  /// far has been sent, including the reply to the current request, and then call close_session.
  /// Until then the session executes nothing more.
  virtual void on_closed(SessionId /*session*/) {}
  /// DEBUG SLEEP: the server does nothing for this long, from when this request's reply is due.
  virtual void on_sleep(std::int64_t /*us*/) {}
  /// SHUTDOWN: the process ends after this call. False if it will not.
  virtual bool on_shutdown() { return false; }
  /// CONFIG SET changed the configuration; Server::config already has it.
  virtual void on_config_changed(const Config& /*config*/) {}

 protected:
  ~ServerListener() = default;
};

}  // namespace lockstep::redis
