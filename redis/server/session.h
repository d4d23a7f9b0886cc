// The state of one connection: its protocol, database, name, subscriptions, open transaction and
// wait.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "redis/protocol/arguments.h"
#include "redis/protocol/reply_writer.h"
#include "redis/pubsub/subscribed_names.h"
#include "redis/server/blocking_keys.h"
#include "redis/server/command_table.h"
#include "redis/server/server_types.h"

namespace lockstep::redis {

/// A command that MULTI holds back until EXEC.
struct QueuedCommand {
  const CommandSpec* spec = nullptr;
  Arguments words;
};

/// A key whose change makes EXEC refuse.
struct WatchedKey {
  std::uint8_t database;
  std::string key;
  /// It was expired when WATCH came, so that its deletion is no change.
  bool was_expired;
};

/// A WAIT or WAITAOF that has not got its acknowledgements yet.
struct BlockedOnReplicas {
  std::int64_t replicas_wanted;
  std::int64_t offset;
  bool is_for_disks = false;    ///< WAITAOF
  bool wants_own_disk = false;  ///< … and this server is to have it on its disk, too
};

/// A command that may write, and came while writes are paused: it has not run.
struct Postponed {};

enum class AwaitedType : std::uint8_t { list, sorted_set };

/// Serves a blocked call from a key that now holds a value of the awaited type: does what the
/// command does without waiting, and writes its reply.
using ServeBlocked = void (*)(Call& call, std::string_view key);

/// A blocking pop or move whose keys hold nothing yet.
struct BlockedOnKeys {
  AwaitedType type;
  ServeBlocked serve;
  const CommandSpec* spec;
  Arguments words;
  std::vector<std::string> keys;
  BlockingKeys::Ticket ticket;
};

/// Why a session is blocked, and for how long at most (0: for ever).
struct BlockingState {
  std::variant<BlockedOnReplicas, BlockedOnKeys, Postponed> reason;
  std::int64_t timeout_ms;
  bool is_silent = false;  ///< CLIENT REPLY OFF or SKIP: the reply is not sent
};

enum class TransactionState : std::uint8_t {
  none,
  queueing,
  broken,  ///< a command was refused while queueing: EXEC answers EXECABORT
};

/// CLIENT REPLY: whether replies are sent.
enum class ReplyMode : std::uint8_t {
  on,
  off,
  skip_next,  ///< SKIP is running: the reply after its own
  skip,       ///< to the command that comes next
};

struct Session {
  SessionId id{};
  bool is_open = false;
  bool is_ending = false;  ///< QUIT or CLIENT KILL: it executes nothing more
  Protocol protocol = Protocol::resp2;
  ReplyMode replies = ReplyMode::on;
  std::uint64_t client_number = 0;  ///< CLIENT ID
  std::string address;              ///< of the peer, "127.0.0.1:50000"
  std::string local_address;
  std::int64_t opened_at_ms = 0;
  std::int64_t active_at_ms = 0;              ///< when its last request came
  const CommandSpec* last_command = nullptr;  ///< nullptr also if it was unknown
  bool is_replica = false;                    ///< it asked for the replication stream
  bool is_no_evict = false;                   ///< CLIENT NO-EVICT, which has no effect
  bool is_read_only = false;                  ///< READONLY: a cluster's replica serves it too
  std::uint8_t database = 0;
  std::string name;

  TransactionState transaction = TransactionState::none;
  std::vector<QueuedCommand> queue;  ///< the first queued_count; the others are memory
  std::size_t queued_count = 0;
  std::vector<WatchedKey> watched;
  bool watched_key_changed = false;

  SubscribedNames channels;
  SubscribedNames patterns;
  SubscribedNames shard_channels;  ///< SSUBSCRIBE

  std::int64_t last_offset = 0;  ///< of the stream, after the session's last command
  std::optional<BlockingState> wait;

  [[nodiscard]] bool is_postponed() const {
    return wait && std::holds_alternative<Postponed>(wait->reason);
  }
  [[nodiscard]] bool is_subscribed() const {
    return !channels.empty() || !patterns.empty() || !shard_channels.empty();
  }
  /// MULTI: holds a command back until EXEC.
  void queue_command(const CommandSpec& spec, std::span<const std::string_view> arguments);
};

}  // namespace lockstep::redis
