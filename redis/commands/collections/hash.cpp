#include <optional>

#include "redis/commands/commands.h"
#include "redis/protocol/integers.h"

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
    if (hash.set(call[i], call[i + 1])) ++fields_new;
  }
  call.changed(call[1], (call.size() - 2) / 2);
}

enum class Part : std::uint8_t { fields, values, both };

void reply_contents(Call& call, Part part) {
  const Hash found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  ReplyWriter& reply = call.reply();
  const std::size_t size = found.value == nullptr ? 0 : found.value->size();
  if (part == Part::both) {
    reply.map(size);
  } else {
    reply.array(size);
  }
  if (size == 0) return;
  for (const auto& [field, value] : found.value->fields()) {
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
  if (found.value != nullptr && found.value->find(call[2]) != nullptr) {
    return call.reply().integer(0);
  }
  HashValue& hash = found.value != nullptr
                        ? *found.value
                        : std::get<HashValue>(call.keys().create<HashValue>(call[1]).value);
  hash.add(call[2], call[3]);
  call.changed(call[1]);
  call.reply().integer(1);
}

void hget(Call& call) {
  const Hash found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  call.reply_bulk_or_null(found.value == nullptr ? nullptr : found.value->find(call[2]));
}

void hmget(Call& call) {
  const Hash found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  call.reply().array(call.size() - 2);
  for (const std::string_view field : call.words().subspan(2)) {
    call.reply_bulk_or_null(found.value == nullptr ? nullptr : found.value->find(field));
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
  for (const std::string_view field : call.words().subspan(2)) {
    if (hash->erase(field)) ++deleted;
  }
  if (hash->size() == 0) call.keys().erase(position);
  if (deleted > 0) call.changed(call[1], deleted);
  call.reply().integer(static_cast<std::int64_t>(deleted));
}

void hexists(Call& call) {
  const Hash found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  call.reply().integer(found.value != nullptr && found.value->find(call[2]) != nullptr ? 1 : 0);
}

void hincrby(Call& call) {
  const std::optional<std::int64_t> increment = call.integer(3);
  if (!increment) return;
  HashValue* const hash = hash_to_write(call);
  if (hash == nullptr) return;
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
  call.changed(call[1]);
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
  const std::string* const value = found.value == nullptr ? nullptr : found.value->find(call[2]);
  call.reply().integer(value == nullptr ? 0 : static_cast<std::int64_t>(value->size()));
}

}  // namespace lockstep::redis::commands
