// Fields of a hash that expire: HEXPIRE and its like, HTTL, HPERSIST, HGETEX and HGETDEL, as
// Redis 8.0 and Valkey 9.1 have them. The two differ in their errors, in the order in which they
// look at the words, and in what replicas get.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "redis/commands/collections/hash_fields.h"
#include "redis/commands/commands.h"
#include "redis/protocol/expire_option.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

/// Of commands without options.
std::optional<Words> read_plain_fields(Call& call) {
  if (!is_valkey(call)) return read_fields(call, 2, 1, {});
  return read_fields(call, 2, 1, {"ERR syntax error", valkey_count, valkey_count});
}

// HEXPIRE, HPEXPIRE, HEXPIREAT and HPEXPIREAT.

enum class Condition : std::uint8_t { none, nx, xx, gt, lt };

std::optional<Condition> condition_of(std::string_view word) {
  if (equals_ignoring_case(word, "nx")) return Condition::nx;
  if (equals_ignoring_case(word, "xx")) return Condition::xx;
  if (equals_ignoring_case(word, "gt")) return Condition::gt;
  if (equals_ignoring_case(word, "lt")) return Condition::lt;
  return std::nullopt;
}

bool allows(Condition condition, const std::optional<std::int64_t>& present, std::int64_t moment) {
  switch (condition) {
    case Condition::none:
      return true;
    case Condition::nx:
      return !present;
    case Condition::xx:
      return present.has_value();
    case Condition::gt:
      return present && moment > *present;
    case Condition::lt:
      break;
  }
  return !present || moment < *present;
}

struct FieldExpiry {
  std::int64_t moment = 0;
  Condition condition = Condition::none;
  std::string_view condition_word;  ///< as it was spelt; empty: none
  Words fields;
};

std::optional<FieldExpiry> read_as_redis(Call& call, ExpireForm form) {
  FieldExpiry request;
  const std::optional<std::int64_t> moment = read_field_moment_ms(call, form, call[2]);
  if (!moment) return std::nullopt;
  request.moment = *moment;
  std::size_t at = 3;
  if (const auto condition = condition_of(call[at])) {
    request.condition = *condition;
    request.condition_word = call[at++];
  }
  FieldRefusals refusals;
  refusals.count = "ERR Parameter `numFields` should be greater than 0";
  const std::optional<Words> fields = read_fields(call, at, 1, refusals);
  if (!fields) return std::nullopt;
  request.fields = *fields;
  return request;
}

std::optional<FieldExpiry> read_as_valkey(Call& call, ExpireForm form) {
  FieldExpiry request;
  const std::size_t at = find_fields_word(call, 3);
  for (std::size_t i = 3; i < at && at < call.size(); ++i) {
    const auto condition = condition_of(call[i]);
    if (!condition) {
      call.reply().error("ERR Unsupported option " + std::string(call[i]));
      return std::nullopt;
    }
    if (request.condition != Condition::none && request.condition != *condition) {
      call.reply().error("ERR NX and XX, GT or LT options at the same time are not compatible");
      return std::nullopt;
    }
    request.condition = *condition;
    request.condition_word = call[i];
  }
  const std::optional<Words> fields =
      read_fields(call, at, 1, {valkey_count, valkey_count, valkey_count});
  if (!fields) return std::nullopt;
  request.fields = *fields;
  const std::optional<std::int64_t> moment = read_field_moment_ms(call, form, call[2]);
  if (!moment) return std::nullopt;
  request.moment = *moment;
  return request;
}

void replicate_expiry(Call& call, const FieldExpiry& request, Words set) {
  const IntegerText moment(request.moment);
  const Words told = is_valkey(call) ? request.fields : set;
  const IntegerText count(static_cast<std::int64_t>(told.size()));
  const bool is_named_so = equals_ignoring_case(call[0], "hpexpireat");
  std::vector<std::string_view> words{is_named_so ? call[0] : "HPEXPIREAT", call[1], moment.view()};
  if (!request.condition_word.empty()) words.push_back(request.condition_word);
  words.insert(words.end(), {"FIELDS", count.view()});
  words.insert(words.end(), told.begin(), told.end());
  replicate_fields(call, words);
  tell_of_fields(call, "hexpire");
}

void expire_fields(Call& call, ExpireForm form) {
  Call::Typed<HashValue> found;
  if (!is_valkey(call)) {
    found = call.lookup_as<HashValue>(call[1]);
    if (found.wrong_type) return;
  }
  const auto request = is_valkey(call) ? read_as_valkey(call, form) : read_as_redis(call, form);
  if (!request) return;
  if (is_valkey(call)) {
    found = call.lookup_as<HashValue>(call[1]);
    if (found.wrong_type) return;
  }
  constexpr std::int64_t no_field = -2;
  constexpr std::int64_t refused = 0;
  constexpr std::int64_t set = 1;
  constexpr std::int64_t deleted = 2;
  const bool deletes = deletes_fields_at_once(call, request->moment);
  std::vector<std::string_view> done;
  call.reply().array(request->fields.size());
  for (const std::string_view field : request->fields) {
    const bool is_there = found.value != nullptr && found.value->find(field) != nullptr &&
                          !(is_valkey(call) && is_over(call, *found.value, field)) &&
                          !(deletes && std::find(done.begin(), done.end(), field) != done.end());
    if (!is_there) {
      call.reply().integer(no_field);
    } else if (!allows(request->condition, found.value->expiry_of(field), request->moment)) {
      call.reply().integer(refused);
    } else {
      done.push_back(field);
      if (!deletes) found.value->set_expiry(field, request->moment);
      call.reply().integer(deletes ? deleted : set);
    }
  }
  if (done.empty()) return;
  if (deletes) return delete_fields(call, *found.value, done);
  replicate_expiry(call, *request, done);
}

// HTTL, HPTTL, HEXPIRETIME and HPEXPIRETIME.

enum class Answer : std::uint8_t { time_left, moment };

void reply_field_expiries(Call& call, Answer answer, bool in_seconds) {
  constexpr std::int64_t no_field = -2;
  constexpr std::int64_t no_expiry = -1;
  const bool reads_first = is_valkey(call);
  constexpr std::string_view syntax = "ERR syntax error";
  const FieldRefusals refusals =
      reads_first ? FieldRefusals{syntax, syntax, syntax} : FieldRefusals{};
  std::optional<Words> fields;
  if (reads_first) fields = read_fields(call, 2, 1, refusals);
  if (reads_first && !fields) return;
  const auto found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  if (!reads_first) fields = read_fields(call, 2, 1, refusals);
  if (!fields) return;
  call.reply().array(fields->size());
  for (const std::string_view field : *fields) {
    if (found.value == nullptr || seen(call, *found.value, field) == nullptr) {
      call.reply().integer(no_field);
      continue;
    }
    const std::optional<std::int64_t> moment = found.value->expiry_of(field);
    if (!moment) {
      call.reply().integer(no_expiry);
      continue;
    }
    // Redis 8.0 tells of a listpack's field as gone at its very moment, though it is still there.
    if (!reads_first && !found.value->is_table() && *moment <= call.now_ms()) {
      call.reply().integer(no_field);
      continue;
    }
    std::int64_t number = *moment;
    if (answer == Answer::time_left) number = std::max<std::int64_t>(0, number - call.now_ms());
    constexpr std::int64_t ms_per_s = 1000;
    const std::int64_t up_from_ms = is_valkey(call) ? 500 : 1;
    if (in_seconds) number = number / ms_per_s + (number % ms_per_s >= up_from_ms ? 1 : 0);
    call.reply().integer(number);
  }
}

// HGETEX.

struct FieldsAndTime {
  Words fields;
  std::optional<ExpireForm> form;
  std::string_view amount;
  std::optional<std::int64_t> moment;
  bool persists = false;
};

/// Redis reads the time where it stands, Valkey last.
std::optional<FieldsAndTime> read_getex(Call& call) {
  FieldsAndTime request;
  constexpr std::string_view syntax = "ERR syntax error";
  const std::size_t fields_at = is_valkey(call) ? find_fields_word(call, 2) : call.size();
  std::size_t at = 2;
  request.form = field_expire_form(call[at]);
  if (request.form) {
    if (at + 1 >= fields_at) {
      call.reply().error(syntax);
      return std::nullopt;
    }
    request.amount = call[at + 1];
    if (!is_valkey(call)) {
      request.moment = read_field_moment_ms(call, *request.form, request.amount);
      if (!request.moment) return std::nullopt;
    }
    at += 2;
  } else if (equals_ignoring_case(call[at], "persist")) {
    request.persists = true;
    ++at;
  }
  const bool has_word = fields_at < call.size();
  const FieldRefusals refusals =
      is_valkey(call) ? FieldRefusals{has_word ? syntax : valkey_count, valkey_count, valkey_count}
                      : FieldRefusals{};
  const std::optional<Words> fields = read_fields(call, at, 1, refusals);
  if (!fields) return std::nullopt;
  request.fields = *fields;
  return request;
}

void set_read_fields(Call& call, HashValue& hash, const FieldsAndTime& request, Words present) {
  if (deletes_fields_at_once(call, *request.moment)) return delete_fields(call, hash, present);
  for (const std::string_view field : present) hash.set_expiry(field, *request.moment);
  replicate_expiry(
      call, {*request.moment, Condition::none, {}, is_valkey(call) ? present : request.fields},
      request.fields);
}

void persist_read_fields(Call& call, HashValue& hash, Words fields, Words present) {
  std::vector<std::string_view> told;
  for (const std::string_view field : present) {
    if (hash.clear_expiry(field)) told.push_back(field);
  }
  if (told.empty()) return;
  if (!is_valkey(call)) told.assign(fields.begin(), fields.end());
  const IntegerText count(static_cast<std::int64_t>(told.size()));
  std::vector<std::string_view> words{"HPERSIST", call[1], "FIELDS", count.view()};
  words.insert(words.end(), told.begin(), told.end());
  replicate_fields(call, words);
  tell_of_fields(call, "hpersist");
}

}  // namespace

void hexpire(Call& call) { expire_fields(call, ExpireForm::seconds); }
void hpexpire(Call& call) { expire_fields(call, ExpireForm::milliseconds); }
void hexpireat(Call& call) { expire_fields(call, ExpireForm::unix_seconds); }
void hpexpireat(Call& call) { expire_fields(call, ExpireForm::unix_milliseconds); }

void httl(Call& call) { reply_field_expiries(call, Answer::time_left, true); }
void hpttl(Call& call) { reply_field_expiries(call, Answer::time_left, false); }
void hexpiretime(Call& call) { reply_field_expiries(call, Answer::moment, true); }
void hpexpiretime(Call& call) { reply_field_expiries(call, Answer::moment, false); }

void hpersist(Call& call) {
  constexpr std::int64_t no_field = -2;
  constexpr std::int64_t no_expiry = -1;
  std::optional<Words> fields;
  if (is_valkey(call) && !(fields = read_plain_fields(call))) return;
  const auto found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  if (!fields && !(fields = read_plain_fields(call))) return;
  bool has_changed = false;
  call.reply().array(fields->size());
  for (const std::string_view field : *fields) {
    if (found.value == nullptr || seen(call, *found.value, field) == nullptr) {
      call.reply().integer(no_field);
    } else if (!found.value->clear_expiry(field)) {
      call.reply().integer(no_expiry);
    } else {
      has_changed = true;
      call.reply().integer(1);
    }
  }
  if (!has_changed) return;
  replicate_fields(call, call.words());
  tell_of_fields(call, "hpersist");
}

void hgetex(Call& call) {
  std::optional<FieldsAndTime> request;
  if (is_valkey(call) && !(request = read_getex(call))) return;
  const auto found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  if (!request && !(request = read_getex(call))) return;
  if (request->form && !request->moment) {
    request->moment = read_field_moment_ms(call, *request->form, request->amount);
    if (!request->moment) return;
  }
  HashValue* const hash = without_over(call, found.value, request->fields);
  std::vector<std::string_view> present;
  call.reply().array(request->fields.size());
  for (const std::string_view field : request->fields) {
    const std::string* const value = hash == nullptr ? nullptr : seen(call, *hash, field);
    call.reply_bulk_or_null(value);
    if (value != nullptr) present.push_back(field);
  }
  if (present.empty()) return;
  if (request->moment) set_read_fields(call, *hash, *request, present);
  if (request->persists) persist_read_fields(call, *hash, request->fields, present);
}

void hgetdel(Call& call) {
  std::optional<Words> fields;
  if (is_valkey(call) && !(fields = read_plain_fields(call))) return;
  const auto found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  if (!fields && !(fields = read_plain_fields(call))) return;
  HashValue* const hash = without_over(call, found.value, *fields);
  bool has_deleted = false;
  call.reply().array(fields->size());
  for (const std::string_view field : *fields) {
    const std::string* const value = hash == nullptr ? nullptr : seen(call, *hash, field);
    call.reply_bulk_or_null(value);
    if (value == nullptr) continue;
    hash->erase(field);
    has_deleted = true;
  }
  if (!has_deleted) return;
  std::vector<std::string_view> words(call.words().begin(), call.words().end());
  if (!is_valkey(call)) {
    words.assign({"HDEL", call[1]});
    words.insert(words.end(), fields->begin(), fields->end());
  }
  replicate_fields(call, words);
  tell_of_fields(call, "hdel");
  erase_if_empty(call, *hash);
}

}  // namespace lockstep::redis::commands
