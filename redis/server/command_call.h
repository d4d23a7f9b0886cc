// One call of a command: its words, the reply it owes, the data it may touch, the effects it
// leaves.
//
// The code of a command (commands.h) works with nothing else. Looking up an expired key deletes it,
// as Redis does, or ignores it on a replica. A command must report its changes (changed,
// changed_as) for replicas, watchers and observers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "redis/protocol/reply_writer.h"
#include "redis/server/command_table.h"
#include "redis/server/session.h"
#include "redis/values/keyspace.h"

namespace lockstep::redis {

class Server;

/// Where a command comes from.
enum class Origin : std::uint8_t {
  client,
  transaction,  ///< EXEC
  script,
  master,  ///< the replication stream: expired keys count as alive
};

class Call {
 public:
  Call(Server& server, Session& session, const CommandSpec& spec, Origin origin,
       std::span<const std::string_view> words, ReplyWriter& reply);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  [[nodiscard]] std::size_t size() const { return words_.size(); }
  /// The words of the request; [0] is the command's name as the caller spelt it.
  [[nodiscard]] std::string_view operator[](std::size_t index) const { return words_[index]; }
  [[nodiscard]] std::span<const std::string_view> words() const { return words_; }
  [[nodiscard]] const CommandSpec& spec() const { return spec_; }
  [[nodiscard]] Origin origin() const { return origin_; }
  /// Whether a blocking command may leave its session waiting: transactions and scripts go on.
  [[nodiscard]] bool may_block() const { return origin_ == Origin::client; }
  [[nodiscard]] ReplyWriter& reply() { return reply_; }
  [[nodiscard]] Server& server() { return server_; }
  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] Keyspace& keys() { return keyspace_; }
  [[nodiscard]] std::int64_t now_ms() const;

  // Looking up.

  /// The key's position, or keys().end(); deletes what is expired.
  [[nodiscard]] Keyspace::Position find(std::string_view key);
  /// The key's entry, or null.
  [[nodiscard]] Entry* lookup(std::string_view key);
  /// What is to be deleted sooner or later, and is not listed.
  [[nodiscard]] bool is_expired(const Entry& entry) const;

  template <class Value>
  struct Typed {
    Entry* entry = nullptr;   ///< nullptr if there is no such key
    Value* value = nullptr;   ///< nullptr if there is no such key
    bool wrong_type = false;  ///< the key holds something else: the reply is given
  };
  template <class Value>
  [[nodiscard]] Typed<Value> lookup_as(std::string_view key);

  /// Creates an empty value at a key that was not found. Sessions blocked on the key will be
  /// served.
  template <class Value>
  [[nodiscard]] Value& create(std::string_view key) {
    Value& value = std::get<Value>(keyspace_.create<Value>(key).value);
    appeared(key);
    return value;
  }
  /// A key of the session's database came to hold a value in some other way than create.
  void appeared(std::string_view key);

  // Words that are numbers.

  /// The integer at an index. If it is not one, replies with the error and returns nothing.
  [[nodiscard]] std::optional<std::int64_t> integer(std::size_t index);

  // Replies used by many.

  /// 7.0's refusal, in the words of the server's version.
  void refuse(std::string_view text);
  void reply_bulk_or_null(const std::string* text);
  void reply_wrong_type();
  void reply_syntax_error() { reply_.error("ERR syntax error"); }
  /// A subcommand HELP: these lines, between Redis's own first and last ones.
  void reply_help(std::span<const std::string_view> lines);
  void reply_wrong_arity();
  void reply_wrong_subcommand_arity();
  void reply_invalid_expire_time();

  // Effects.

  /// The command changed a key's value or expiry: replicas get the command as it was called.
  void changed(std::string_view key, std::uint64_t times = 1);
  /// The same, but replicas get these words in place of the command. REQUIRES: at most once a call.
  void changed_as(std::string_view key, std::initializer_list<std::string_view> words,
                  std::uint64_t times = 1);
  void changed_as(std::string_view key, std::span<const std::string_view> words,
                  std::uint64_t times = 1);
  /// Redis reports a change to watchers and subscribers, though there was none (LTRIM of nothing).
  void touched(std::string_view key);
  /// Replicas get the command though it changed nothing (PUBLISH).
  void force_propagation() { is_propagation_forced_ = true; }

 private:
  friend class Server;
  void notify(std::string_view key, std::string_view effect);

  Server& server_;
  Session& session_;
  Keyspace& keyspace_;
  const CommandSpec& spec_;
  std::span<const std::string_view> words_;
  ReplyWriter& reply_;
  Origin origin_;
  bool is_propagation_forced_ = false;
  unsigned changes_ = 0;  // reported so far
};

template <class Value>
Call::Typed<Value> Call::lookup_as(std::string_view key) {
  Entry* const entry = lookup(key);
  if (entry == nullptr) return {};
  Value* const value = std::get_if<Value>(&entry->value);
  if (value != nullptr) return {entry, value, false};
  reply_wrong_type();
  return {entry, nullptr, true};
}

}  // namespace lockstep::redis
