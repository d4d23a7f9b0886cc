#include <optional>

#include "redis/commands/collections/hash_fields.h"
#include "redis/commands/commands.h"
#include "redis/protocol/integers.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

using Hash = Call::Typed<HashValue>;

/// The hash to write into: a new one where the key is absent. Null where the key is no hash; the
/// reply is given then.
HashValue* hash_to_write(Call& call) {
  const Hash found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type || found.value != nullptr) return found.value;
  return &std::get<HashValue>(call.keys().create<HashValue>(call[1]).value);
}

void set_fields(Call& call, HashValue& hash, std::int64_t& fields_new) {
  for (std::size_t i = 2; i < call.size(); i += 2) {
    if (hash.has_expiries()) {
      if (is_over_to_be_set(call, hash, call[i])) ++fields_new;
      hash.clear_expiry(call[i]);
    }
    if (hash.set(call[i], call[i + 1])) ++fields_new;
  }
  call.changed(call[1], (call.size() - 2) / 2);
}

/// Valkey replicates what a number became where fields of its hash expire.
void changed_number(Call& call, const HashValue& hash, std::string_view text, bool had_expiries) {
  if (!had_expiries || call.server().version().server != "valkey") return call.changed(call[1]);
  const auto moment_ms = hash.expiry_of(call[2]);
  if (!moment_ms) return call.changed_as(call[1], {"HSET", call[1], call[2], text});
  const IntegerText moment_text(*moment_ms);
  call.changed_as(call[1],
                  {"HSETEX", call[1], "PXAT", moment_text.view(), "FIELDS", "1", call[2], text});
}

enum class Part : std::uint8_t { fields, values, both };

void reply_contents(Call& call, Part part) {
  const Hash found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  ReplyWriter& reply = call.reply();
  std::size_t size = found.value == nullptr ? 0 : found.value->size();
  const bool may_hide = found.value != nullptr && found.value->has_expiries();
  if (may_hide) {
    for (const auto& [field, moment_ms] : found.value->expiries()) {
      if (is_over(call, *found.value, field)) --size;
    }
  }
  if (part == Part::both) {
    reply.map(size);
  } else {
    reply.array(size);
  }
  if (size == 0) return;
  for (const auto& [field, value] : found.value->fields()) {
    if (may_hide && is_over(call, *found.value, field)) continue;
    if (part != Part::values) reply.bulk(field);
    if (part != Part::fields) reply.bulk(value);
  }
}

}  // namespace

void hset(Call& call) {
  if (call.size() % 2 != 0) return call.reply_wrong_arity();
  HashValue* const hash = hash_to_write(call);
  if (hash == nullptr) return;
  std::int64_t fields_new = 0;
  set_fields(call, *hash, fields_new);
  call.reply().integer(fields_new);
}

void hmset(Call& call) {
  if (call.size() % 2 != 0) return call.reply_wrong_arity();
  HashValue* const hash = hash_to_write(call);
  if (hash == nullptr) return;
  std::int64_t fields_new = 0;
  set_fields(call, *hash, fields_new);
  call.reply().status("OK");
}

void hsetnx(Call& call) {
  const Hash found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  const bool had_expiries = found.value != nullptr && found.value->has_expiries();
  HashValue* const present = without_over_to_write(call, found.value, call[2]);
  if (present != nullptr && present->find(call[2]) != nullptr) {
    return call.reply().integer(0);
  }
  HashValue& hash = present != nullptr
                        ? *present
                        : std::get<HashValue>(call.keys().create<HashValue>(call[1]).value);
  hash.add(call[2], call[3]);
  if (had_expiries && call.server().version().server == "valkey") {
    call.changed_as(call[1], {"HSET", call[1], call[2], call[3]});
  } else {
    call.changed(call[1]);
  }
  call.reply().integer(1);
}

void hget(Call& call) {
  const Hash found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  HashValue* const hash = without_over(call, found.value, call.words().subspan(2));
  call.reply_bulk_or_null(hash == nullptr ? nullptr : seen(call, *hash, call[2]));
}

void hmget(Call& call) {
  const Hash found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  const HashValue* const hash = without_over(call, found.value, call.words().subspan(2));
  call.reply().array(call.size() - 2);
  for (const std::string_view field : call.words().subspan(2)) {
    call.reply_bulk_or_null(hash == nullptr ? nullptr : seen(call, *hash, field));
  }
}

void hgetall(Call& call) { reply_contents(call, Part::both); }
void hkeys(Call& call) { reply_contents(call, Part::fields); }
void hvals(Call& call) { reply_contents(call, Part::values); }

void hdel(Call& call) {
  const Keyspace::Position position = call.find(call[1]);
  if (position == call.keys().end()) return call.reply().integer(0);
  auto* const hash = std::get_if<HashValue>(&position->second.value);
  if (hash == nullptr) return call.reply_wrong_type();
  std::uint64_t deleted = 0;
  const bool leaves_over = hash->has_expiries() && call.server().version().server == "valkey";
  for (const std::string_view field : call.words().subspan(2)) {
    if (leaves_over && is_over(call, *hash, field)) continue;
    if (hash->erase(field)) ++deleted;
  }
  if (deleted > 0 && hash->size() == 0) call.keys().erase(position);
  if (deleted > 0) call.changed(call[1], deleted);
  call.reply().integer(static_cast<std::int64_t>(deleted));
}

void hexists(Call& call) {
  const Hash found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  const HashValue* const hash = without_over(call, found.value, call.words().subspan(2));
  call.reply().integer(hash != nullptr && seen(call, *hash, call[2]) != nullptr ? 1 : 0);
}

void hincrby(Call& call) {
  const std::optional<std::int64_t> increment = call.integer(3);
  if (!increment) return;
  HashValue* hash = hash_to_write(call);
  if (hash == nullptr) return;
  const bool had_expiries = hash->has_expiries();
  hash = without_over_to_write(call, hash, call[2]);
  if (hash == nullptr) hash = hash_to_write(call);
  std::string* const present = hash->find(call[2]);
  const std::optional<std::int64_t> before = present == nullptr ? 0 : parse_integer(*present);
  if (!before) return call.reply().error("ERR hash value is not an integer");
  const std::optional<std::int64_t> after = checked_add(*before, *increment);
  if (!after) return call.reply().error("ERR increment or decrement would overflow");
  const IntegerText text(*after);
  if (present != nullptr) {
    present->assign(text.view());
  } else {
    hash->add(call[2], text.view());
  }
  changed_number(call, *hash, text.view(), had_expiries);
  call.reply().integer(*after);
}

void hlen(Call& call) {
  const Hash found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  call.reply().integer(found.value == nullptr ? 0 : static_cast<std::int64_t>(found.value->size()));
}

void hstrlen(Call& call) {
  const Hash found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  const HashValue* const hash = without_over(call, found.value, call.words().subspan(2));
  const std::string* const value = hash == nullptr ? nullptr : seen(call, *hash, call[2]);
  call.reply().integer(value == nullptr ? 0 : static_cast<std::int64_t>(value->size()));
}

}  // namespace lockstep::redis::commands
