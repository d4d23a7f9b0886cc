#include "redis/pubsub/keyspace_events.h"

#include <algorithm>
#include <array>
#include <string>

#include "redis/commands/command_keys.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/command_call.h"
#include "redis/server/server.h"

namespace lockstep::redis {
namespace {

using enum KeyspaceEvent;

/// What a command's change of a key is called.
struct NamedEvent {
  std::string_view command;
  KeyspaceEvent kind;
  std::string_view name;
};

/// Of commands with one event. Where the key goes with its last element, "del" follows.
constexpr std::array<NamedEvent, 45> events{{
    {"append", string, "append"},
    {"decr", string, "incrby"},
    {"decrby", string, "incrby"},
    {"getset", string, "set"},
    {"incr", string, "incrby"},
    {"incrby", string, "incrby"},
    {"incrbyfloat", string, "incrbyfloat"},
    {"mset", string, "set"},
    {"msetnx", string, "set"},
    {"msetex", string, "set"},
    {"psetex", string, "set"},
    {"set", string, "set"},
    {"setex", string, "set"},
    {"setnx", string, "set"},
    {"setrange", string, "setrange"},
    {"hdel", hash, "hdel"},
    {"hincrby", hash, "hincrby"},
    {"hincrbyfloat", hash, "hincrbyfloat"},
    {"hmset", hash, "hset"},
    {"hset", hash, "hset"},
    {"hsetnx", hash, "hset"},
    {"blpop", list, "lpop"},
    {"brpop", list, "rpop"},
    {"linsert", list, "linsert"},
    {"lpop", list, "lpop"},
    {"lpush", list, "lpush"},
    {"lpushx", list, "lpush"},
    {"lrem", list, "lrem"},
    {"lset", list, "lset"},
    {"ltrim", list, "ltrim"},
    {"rpop", list, "rpop"},
    {"rpush", list, "rpush"},
    {"rpushx", list, "rpush"},
    {"sadd", set, "sadd"},
    {"spop", set, "spop"},
    {"srem", set, "srem"},
    {"bzpopmax", sorted_set, "zpopmax"},
    {"bzpopmin", sorted_set, "zpopmin"},
    {"zincrby", sorted_set, "zincr"},
    {"zpopmax", sorted_set, "zpopmax"},
    {"zpopmin", sorted_set, "zpopmin"},
    {"zrem", sorted_set, "zrem"},
    {"zremrangebylex", sorted_set, "zremrangebylex"},
    {"zremrangebyrank", sorted_set, "zremrangebyrank"},
    {"zremrangebyscore", sorted_set, "zremrangebyscore"},
}};

/// What one word of a request is, whatever its case.
bool has_word(const Call& call, std::size_t from, std::string_view wanted) {
  for (std::size_t i = from; i < call.size(); ++i) {
    if (equals_ignoring_case(call[i], wanted)) return true;
  }
  return false;
}

class Notification {
 public:
  Notification(Call& call, std::string_view key, std::string_view effect, unsigned changes_before)
      : call_(call), key_(key), effect_(effect), changes_before_(changes_before) {}

  void send() {
    const std::string_view command = call_.spec().name;
    if (command == "rename" || command == "renamenx") {
      return tell(generic, changes_before_ == 0 ? "rename_from" : "rename_to", key_);
    }
    if (is_move_of_item(command)) return tell_of_moved_item();
    if (command == "smove") {
      tell(set, changes_before_ == 0 ? "srem" : "sadd", key_);
    } else if (is_store(command)) {
      const bool is_of_sets = command.front() == 's';
      if (!is_gone()) return tell(is_of_sets ? set : sorted_set, command, key_);
    } else if (command == "zadd") {
      tell(sorted_set, has_word(call_, 2, "incr") ? "zincr" : "zadd", key_);
    } else if (command.ends_with("mpop")) {  // LMPOP, BZMPOP: as what they do to this key
      std::string name;
      for (const char letter : effect_) name += lower_case(letter);
      tell(name.front() == 'z' ? sorted_set : list, name, key_);
    } else {
      const auto found = std::find_if(events.begin(), events.end(), [&](const NamedEvent& each) {
        return each.command == command;
      });
      if (found == events.end()) return tell_of_key(command);
      tell(found->kind, found->name, key_);
      if (sets_expiry(command)) tell(generic, "expire", key_);
    }
    if (is_gone()) tell(generic, "del", key_);
  }

 private:
  void tell(KeyspaceEvent kind, std::string_view name, std::string_view key) {
    call_.server().notify(kind, name, call_.session().database, key);
  }
  [[nodiscard]] bool is_gone() const { return call_.keys().stored(key_) == nullptr; }
  [[nodiscard]] bool has_expiry() const {
    const Entry* const entry = call_.keys().stored(key_);
    return entry != nullptr && entry->expire_at_ms.has_value();
  }

  static bool is_store(std::string_view command) {
    return command.ends_with("store") && command != "restore";
  }
  static bool is_move_of_item(std::string_view command) {
    return command == "lmove" || command == "blmove" || command == "rpoplpush" ||
           command == "brpoplpush";
  }

  [[nodiscard]] bool sets_expiry(std::string_view command) const {
    if (command == "setex" || command == "psetex") return true;
    if (command == "msetex") {
      const auto keys = static_cast<std::size_t>(parse_integer(call_[1]).value_or(0));
      return has_expiry() && !has_word(call_, 2 + 2 * keys, "keepttl");
    }
    return command == "set" && has_expiry() && !has_word(call_, 3, "keepttl");
  }

  /// Commands on keys of any type: DEL, EXPIRE, GETEX and their like.
  void tell_of_key(std::string_view command) {
    if (is_gone()) {
      const bool expired = call_.server().version().names_expired_at_once &&
                           (command.find("expire") != command.npos || command == "getex");
      return expired ? tell(KeyspaceEvent::expired, "expired", key_) : tell(generic, "del", key_);
    }
    const bool persists = command == "persist" || !has_expiry();
    tell(generic, persists ? "persist" : "expire", key_);
  }

  void tell_of_moved_item() {
    const bool has_ends = call_.spec().name.ends_with("lmove");
    const bool takes_left = has_ends && equals_ignoring_case(call_[3], "left");
    const bool puts_left = !has_ends || equals_ignoring_case(call_[4], "left");
    tell(list, puts_left ? "lpush" : "rpush", call_[2]);
    tell(list, takes_left ? "lpop" : "rpop", call_[1]);
    if (call_.keys().stored(call_[1]) == nullptr) tell(generic, "del", call_[1]);
  }

  Call& call_;
  std::string_view key_;
  std::string_view effect_;
  unsigned changes_before_;
};

}  // namespace

void notify_change(Call& call, std::string_view key, std::string_view effect,
                   unsigned changes_before) {
  const std::string_view command = call.spec().name;
  if (command == "move" || command == "copy") return;  // they tell of two databases themselves
  Notification(call, key, effect, changes_before).send();
}

void Server::notify(KeyspaceEvent kind, std::string_view event, std::uint8_t database,
                    std::string_view key) {
  const KeyspaceEvents& wanted = config_.keyspace_events;
  if (!wanted.has(kind)) return;
  const auto tell = [&](std::string_view channel, std::string_view name, std::string_view text) {
    event_channel_.assign(channel).append(std::to_string(database)).append("__:").append(name);
    pubsub_.publish(event_channel_, text, sessions_, listener_);
  };
  if (wanted.has(KeyspaceEvent::keyspace)) tell("__keyspace@", key, event);
  if (wanted.has(KeyspaceEvent::keyevent)) tell("__keyevent@", event, key);
}

/// REQUIRES: that events of class `created` are wanted.
void Server::note_absent_keys(Call& call) {
  absent_keys_.clear();
  if (!call.spec().is(CommandFlag::write)) return;
  for_each_key(key_words(call.spec(), call.words()), call.words(), [&](std::string_view key) {
    const Entry* const entry = call.keys().stored(key);
    const bool is_absent = entry == nullptr || entry->expired_at(now_ms_);
    const bool is_renamed = call.spec().name.starts_with("rename") && key == call[2];
    if (is_absent || is_renamed) absent_keys_.emplace_back(key);
  });
}

void Server::notify_if_created(std::uint8_t database, std::string_view key) {
  if (databases_[database].stored(key) == nullptr) return;
  if (std::erase(absent_keys_, key) == 0) return;  // MSET may name it twice
  notify(KeyspaceEvent::created, "new", database, key);
}

}  // namespace lockstep::redis
