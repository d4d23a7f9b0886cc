// HSETEX: sets fields of a hash together with when they expire, as Redis 8.0 and Valkey 9.1 have
// it.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "redis/commands/collections/hash_fields.h"
#include "redis/commands/commands.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

struct FieldsToSet {
  Words pairs;
  std::optional<ExpireForm> form;
  std::string_view amount;
  std::size_t amount_at = 0;
  std::optional<std::int64_t> moment;
  bool keeps_expiry = false;
  bool only_if_present = false;  // FXX
  bool only_if_absent = false;   // FNX
  bool only_if_key = false;      // XX, of Valkey
  bool only_if_no_key = false;   // NX
};

std::optional<FieldsToSet> read_setex(Call& call) {
  FieldsToSet request;
  const auto refuse = [&](std::string_view why) {
    call.reply().error(is_valkey(call) ? "ERR syntax error" : why);
    return std::nullopt;
  };
  constexpr std::string_view one_time =
      "ERR Only one of EX, PX, EXAT, PXAT or KEEPTTL arguments can be specified";
  const std::size_t fields_at = is_valkey(call) ? find_fields_word(call, 2) : call.size();
  std::size_t at = 2;
  for (; at < call.size() && !equals_ignoring_case(call[at], "fields"); ++at) {
    const std::string_view word = call[at];
    const bool is_keep = equals_ignoring_case(word, "keepttl");
    if (const auto form = field_expire_form(word); form || is_keep) {
      if (request.form || request.keeps_expiry) return refuse(one_time);
      request.form = form;
      request.keeps_expiry = is_keep;
      if (is_keep) continue;
      if (at + 1 >= fields_at) return refuse("ERR syntax error");
      request.amount_at = ++at;
      request.amount = call[at];
      if (is_valkey(call)) continue;
      request.moment = read_field_moment_ms(call, *form, request.amount);
      if (!request.moment) return std::nullopt;
    } else if (equals_ignoring_case(word, "fnx") || equals_ignoring_case(word, "fxx")) {
      if (request.only_if_present || request.only_if_absent) {
        return refuse("ERR Only one of FXX or FNX arguments can be specified");
      }
      request.only_if_absent = equals_ignoring_case(word, "fnx");
      request.only_if_present = !request.only_if_absent;
    } else if (is_valkey(call) && equals_ignoring_case(word, "nx") && !request.only_if_key) {
      request.only_if_no_key = true;
    } else if (is_valkey(call) && equals_ignoring_case(word, "xx") && !request.only_if_no_key) {
      request.only_if_key = true;
    } else {
      return refuse("ERR unknown argument: " + std::string(word));
    }
  }
  constexpr std::size_t words_each = 2;
  const std::string arity = "ERR wrong number of arguments for 'hsetex' command";
  const FieldRefusals refusals = is_valkey(call)
                                     ? FieldRefusals{valkey_count, valkey_count, valkey_count}
                                     : FieldRefusals{arity, "ERR invalid number of fields", arity};
  const std::optional<Words> pairs = read_fields(call, at, words_each, refusals);
  if (!pairs) return std::nullopt;
  request.pairs = *pairs;
  return request;
}

/// Redis's replicas get the request with the absolute moment, Valkey's without its conditions.
void replicate_setex(Call& call, const FieldsToSet& request) {
  const IntegerText moment(request.moment.value_or(0));
  std::vector<std::string_view> words(call.words().begin(), call.words().end());
  if (request.form && !(request.form == ExpireForm::unix_milliseconds && !is_valkey(call))) {
    words[request.amount_at - 1] = "PXAT";
    words[request.amount_at] = moment.view();
  }
  if (is_valkey(call)) {
    std::erase_if(words, [&](const std::string_view& word) {
      const auto index = static_cast<std::size_t>(&word - words.data());
      if (index < 2 || index >= find_fields_word(call, 2)) return false;
      return equals_ignoring_case(word, "fnx") || equals_ignoring_case(word, "fxx") ||
             equals_ignoring_case(word, "nx") || equals_ignoring_case(word, "xx");
    });
  }
  replicate_fields(call, words);
}

/// Whether the fields are there, or not, as the request wants. Deletes those that are over, as far
/// as it looks; then the hash may be gone.
bool is_as_wanted(Call& call, HashValue*& hash, const FieldsToSet& request) {
  if (request.only_if_key && hash == nullptr) return false;
  if (request.only_if_no_key && hash != nullptr) return false;
  if (!request.only_if_present && !request.only_if_absent) return true;
  for (std::size_t i = 0; i < request.pairs.size(); i += 2) {
    hash = without_over(call, hash, request.pairs.subspan(i, 1));
    const bool is_there = hash != nullptr && seen(call, *hash, request.pairs[i]) != nullptr;
    if (is_there != request.only_if_present) return false;
  }
  return true;
}

/// Fields that are set and are over at once. Valkey tells of those only that were there before.
void set_and_delete(Call& call, HashValue* hash, const FieldsToSet& request) {
  std::vector<std::string_view> fields;
  for (std::size_t i = 0; i < request.pairs.size(); i += 2) {
    const bool was_there = hash != nullptr && hash->find(request.pairs[i]) != nullptr;
    const bool is_told = was_there || !is_valkey(call);
    const bool is_new = std::find(fields.begin(), fields.end(), request.pairs[i]) == fields.end();
    if (is_told && is_new) fields.push_back(request.pairs[i]);
  }
  if (hash == nullptr) {
    HashValue& made = std::get<HashValue>(call.keys().create<HashValue>(call[1]).value);
    delete_fields(call, made, fields);
    if (fields.empty()) erase_if_empty(call, made);
    return;
  }
  delete_fields(call, *hash, fields);
}

void set_pairs(Call& call, HashValue& hash, const FieldsToSet& request) {
  for (std::size_t i = 0; i < request.pairs.size(); i += 2) {
    const std::string_view field = request.pairs[i];
    const bool is_over = request.keeps_expiry && is_over_to_be_set(call, hash, field);
    if (is_over) replicate_fields(call, std::array{std::string_view("HDEL"), call[1], field});
    if (is_over || !request.keeps_expiry) hash.clear_expiry(field);
    hash.set(field, request.pairs[i + 1]);
    if (request.moment) hash.set_expiry(field, *request.moment);
  }
  replicate_setex(call, request);
  tell_of_fields(call, "hset");
  if (request.moment) tell_of_fields(call, "hexpire");
}

}  // namespace

void hsetex(Call& call) {
  std::optional<FieldsToSet> request = read_setex(call);
  if (!request) return;
  const auto found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  if (request->form && !request->moment) {
    request->moment = read_field_moment_ms(call, *request->form, request->amount);
    if (!request->moment) return;
  }
  HashValue* hash = found.value;
  if (!is_as_wanted(call, hash, *request)) return call.reply().integer(0);
  call.reply().integer(1);
  if (request->moment && deletes_fields_at_once(call, *request->moment)) {
    return set_and_delete(call, hash, *request);
  }
  if (hash == nullptr) {
    hash = &std::get<HashValue>(call.keys().create<HashValue>(call[1]).value);
  }
  set_pairs(call, *hash, *request);
}

}  // namespace lockstep::redis::commands
