#include "redis/commands/collections/hash_fields.h"

#include <array>
#include <vector>

#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"

namespace lockstep::redis {
namespace {

bool deletes_when_named(Call& call) {
  return call.server().version().version == ServerVersion::redis_8_0 &&
         call.server().role() == Role::master;
}

}  // namespace

bool is_expiring_over(Call& call, const HashValue& hash, std::string_view field) {
  if (call.origin() == Origin::master) return false;
  const auto moment_ms = hash.expiry_of(field);
  return moment_ms && call.now_ms() > *moment_ms;
}

bool is_over_to_be_set(Call& call, const HashValue& hash, std::string_view field) {
  if (!is_valkey(call) || !hash.has_expiries() || call.origin() == Origin::master) return false;
  const auto moment_ms = hash.expiry_of(field);
  return moment_ms && call.now_ms() >= *moment_ms;
}

HashValue* delete_over(Call& call, HashValue& hash, std::span<const std::string_view> fields) {
  if (!deletes_when_named(call)) return &hash;
  Server& server = call.server();
  const std::uint8_t database = call.session().database;
  for (const std::string_view field : fields) {
    if (!is_over(call, hash, field)) continue;
    hash.erase(field);
    const bool is_last = hash.size() == 0;
    if (is_last) call.keys().erase(call.keys().find(call[1]));
    server.drop_field(database, call[1], field);
    if (is_last) return nullptr;
  }
  return &hash;
}

HashValue* without_over_to_write(Call& call, HashValue* hash, std::string_view field) {
  const std::array<std::string_view, 1> fields{field};
  hash = without_over(call, hash, fields);
  if (hash != nullptr && is_over(call, *hash, field)) hash->erase(field);
  return hash;
}

bool is_valkey(Call& call) { return call.server().version().server == "valkey"; }

std::optional<Words> read_fields(Call& call, std::size_t at, std::size_t words_each,
                                 const FieldRefusals& refusals) {
  const auto refuse = [&](std::string_view why) {
    call.reply().error(why);
    return std::nullopt;
  };
  if (at + 1 >= call.size() || !equals_ignoring_case(call[at], "fields")) {
    return refuse(refusals.no_word);
  }
  const std::optional<std::int64_t> count = parse_integer(call[at + 1]);
  if (!count && is_valkey(call)) return refuse(not_an_integer);
  if (!count || *count <= 0) return refuse(refusals.count);
  const Words fields = call.words().subspan(at + 2);
  if (static_cast<std::uint64_t>(*count) != fields.size() / words_each ||
      fields.size() % words_each != 0) {
    return refuse(refusals.mismatch);
  }
  return fields;
}

std::size_t find_fields_word(Call& call, std::size_t from) {
  while (from < call.size() && !equals_ignoring_case(call[from], "fields")) ++from;
  return from;
}

std::optional<std::int64_t> read_field_moment_ms(Call& call, ExpireForm form,
                                                 std::string_view amount) {
  constexpr std::int64_t redis_ms_max = 70'368'744'177'663;
  const std::optional<std::int64_t> number = parse_integer(amount);
  if (!number) {
    call.reply().error(not_an_integer);
    return std::nullopt;
  }
  if (*number < 0 && !is_valkey(call)) {
    call.reply().error("ERR invalid expire time, must be >= 0");
    return std::nullopt;
  }
  std::optional<std::int64_t> moment;
  if (*number >= 0) moment = expire_moment_ms(form, *number, call.now_ms());
  if (moment && !is_valkey(call) && *moment > redis_ms_max) moment.reset();
  if (!moment) call.reply_invalid_expire_time();
  return moment;
}

std::optional<ExpireForm> field_expire_form(std::string_view word) {
  if (equals_ignoring_case(word, "ex")) return ExpireForm::seconds;
  if (equals_ignoring_case(word, "px")) return ExpireForm::milliseconds;
  if (equals_ignoring_case(word, "exat")) return ExpireForm::unix_seconds;
  if (equals_ignoring_case(word, "pxat")) return ExpireForm::unix_milliseconds;
  return std::nullopt;
}

void tell_of_fields(Call& call, std::string_view event) {
  if (!call.server().notifies()) return;
  call.server().notify(KeyspaceEvent::hash, event, call.session().database, call[1]);
}

void erase_if_empty(Call& call, const HashValue& hash) {
  if (hash.size() > 0) return;
  call.keys().erase(call.keys().find(call[1]));
  if (call.server().notifies()) {
    call.server().notify(KeyspaceEvent::generic, "del", call.session().database, call[1]);
  }
}

void replicate_fields(Call& call, Words words) {
  call.server().signal_modified_key(call.session().database, call[1], 1);
  call.server().propagate(call.session().database, words);
}

void delete_fields(Call& call, HashValue& hash, Words fields) {
  if (fields.empty()) return;
  for (const std::string_view field : fields) hash.erase(field);
  if (is_valkey(call)) {
    std::vector<std::string_view> words{"HDEL", call[1]};
    words.insert(words.end(), fields.begin(), fields.end());
    replicate_fields(call, words);
  } else {
    for (const std::string_view field : fields) {
      replicate_fields(call, std::array<std::string_view, 3>{"HDEL", call[1], field});
    }
  }
  tell_of_fields(call, is_valkey(call) ? "hexpired" : "hdel");
  erase_if_empty(call, hash);
}

bool deletes_fields_at_once(Call& call, std::int64_t moment) {
  return moment <= call.now_ms() && call.origin() != Origin::master &&
         call.server().role() == Role::master;
}

}  // namespace lockstep::redis
