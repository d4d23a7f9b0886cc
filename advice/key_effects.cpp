#include "advice/key_effects.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "lua/source/token_classes.h"

namespace lockstep::advice {
namespace {

using lua::is_one_of;

constexpr std::array<std::string_view, 5> hash_writes = {"hset", "hsetnx", "hmset", "hincrby",
                                                         "hincrbyfloat"};
constexpr std::array<std::string_view, 5> counts = {"incr", "incrby", "incrbyfloat", "decr",
                                                    "decrby"};
constexpr std::array<std::string_view, 9> collections = {
    "rpush", "lpush", "rpushx", "lpushx", "sadd", "zadd", "zincrby", "linsert", "lset"};
constexpr std::array<std::string_view, 4> leases = {"expire", "pexpire", "expireat", "pexpireat"};
constexpr std::array<std::string_view, 3> removals = {"del", "unlink", "getdel"};
constexpr std::array<std::string_view, 6> lease_words = {"px",   "ex",      "pxat",
                                                         "exat", "keepttl", "get"};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return result;
}

/// What the words behind key and value of SET (behind the key, of GETEX) say.
struct SetWords {
  bool is_guarded = false;
  bool has_lease = false;  ///< or a word that can't be read, which may be one
  bool is_persisting = false;
};

SetWords set_words(const Values& values, const CommandCall& call, std::size_t first) {
  SetWords result;
  for (std::size_t i = first; i < call.words.size(); ++i) {
    const Value& value = values[call.words[i]];
    if (value.kind != Value::Kind::literal) {
      result.has_lease = true;
      continue;
    }
    const std::string word = lower(value.text);
    if (word == "nx") result.is_guarded = true;
    if (word == "persist") result.is_persisting = true;
    if (word != "get" && is_one_of(word, lease_words)) result.has_lease = true;
  }
  return result;
}

}  // namespace

std::optional<CommandCall> command_call(const Values& values, const std::vector<ValueNumber>& words,
                                        const lua::Place& place) {
  if (words.empty()) return std::nullopt;
  const Value& name = values[words[0]];
  if (name.kind != Value::Kind::literal || name.is_number) return std::nullopt;
  CommandCall call;
  call.name = lower(name.text);
  call.spec = redis::find_command(call.name);
  call.words.assign(words.begin() + 1, words.end());
  call.place = place;
  return call;
}

std::vector<std::size_t> key_indices(const CommandCall& call) {
  std::vector<std::size_t> indices;
  if (call.spec == nullptr || call.spec->keys.first <= 0) return indices;
  const redis::KeyPositions keys = call.spec->keys;
  const auto count = static_cast<std::ptrdiff_t>(call.words.size());
  const std::ptrdiff_t last = keys.last >= 0 ? std::ptrdiff_t{keys.last} : count + 1 + keys.last;
  const std::ptrdiff_t step = std::max<std::ptrdiff_t>(keys.step, 1);
  for (auto at = std::ptrdiff_t{keys.first}; at <= last && at <= count; at += step) {
    indices.push_back(static_cast<std::size_t>(at - 1));
  }
  return indices;
}

bool is_guarded(const Values& values, const CommandCall& call) {
  return call.name == "setnx" || call.name == "hsetnx" ||
         (call.name == "set" && set_words(values, call, 2).is_guarded);
}

KeyEffect effect_of(const Values& values, const CommandCall& call) {
  const std::string_view name = call.name;
  if (name == "set") {
    const SetWords words = set_words(values, call, 2);
    if (words.has_lease) return KeyEffect::leased;
    return words.is_guarded ? KeyEffect::create : KeyEffect::overwrite;
  }
  if (name == "setnx") return KeyEffect::create;
  if (name == "getset") return KeyEffect::overwrite;
  if (name == "setex" || name == "psetex") return KeyEffect::leased;
  if (name == "getex") {
    const SetWords words = set_words(values, call, 1);
    if (words.is_persisting) return KeyEffect::persist;
    return words.has_lease ? KeyEffect::lease : KeyEffect::read;
  }
  if (name == "persist") return KeyEffect::persist;
  if (is_one_of(name, leases)) return KeyEffect::lease;
  if (is_one_of(name, removals)) return KeyEffect::removal;
  if (is_one_of(name, hash_writes)) return KeyEffect::hash_write;
  if (is_one_of(name, counts)) return KeyEffect::count;
  if (is_one_of(name, collections)) return KeyEffect::collect;
  const bool is_read = call.spec != nullptr && call.spec->is(redis::CommandFlag::read_only);
  return is_read ? KeyEffect::read : KeyEffect::none;
}

bool is_of_collections(std::string_view name) {
  if (is_one_of(name, collections)) return true;
  constexpr std::array<std::string_view, 28> others = {
      "lpop",           "rpop",        "llen",
      "lrem",           "lrange",      "lindex",
      "ltrim",          "lpos",        "lmove",
      "rpoplpush",      "scard",       "smembers",
      "srem",           "spop",        "sismember",
      "smismember",     "srandmember", "zcard",
      "zrem",           "zrange",      "zscore",
      "zrank",          "zcount",      "zrangebyscore",
      "zrevrange",      "zpopmin",     "zremrangebyscore",
      "zremrangebyrank"};
  return is_one_of(name, others);
}

void apply_effect(KeyEffect effect, const CommandCall& call, KeyState& key) {
  const Mark mark{call.place, call.name};
  switch (effect) {
    case KeyEffect::none:
      break;
    case KeyEffect::read:
      key.read = mark;
      break;
    case KeyEffect::overwrite:
    case KeyEffect::create:
      key.unleased = mark;
      key.has_lease = false;
      key.exists = true;
      break;
    case KeyEffect::hash_write:
    case KeyEffect::count:
    case KeyEffect::collect:
      // What is there keeps the TTL that it has.
      if (!key.has_lease && key.exists != std::optional(true) && !key.unleased) {
        key.unleased = mark;
      }
      key.exists = true;
      break;
    case KeyEffect::leased:
      key.unleased.reset();
      key.has_lease = true;
      break;
    case KeyEffect::lease:
      if (key.exists == std::optional(false)) break;  // nothing to give it to
      key.has_lease = key.exists == std::optional(true);
      key.unleased.reset();
      break;
    case KeyEffect::persist:
      key.unleased = mark;
      key.has_lease = false;
      break;
    case KeyEffect::removal:
      key.unleased.reset();
      key.has_lease = false;
      key.exists = false;
      break;
  }
}

}  // namespace lockstep::advice
