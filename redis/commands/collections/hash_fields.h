// Fields of a hash that expire, as the commands on hashes see them.
//
// One whose time is over is not there for whoever asks. Redis 8.0 deletes it when a command names
// it, and tells replicas; Valkey leaves that to the active expire cycle. A replica deletes nothing
// itself, and what a master says is done to what is there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "redis/protocol/expire_option.h"
#include "redis/server/command_call.h"
#include "redis/values/hash_value.h"

namespace lockstep::redis {

/// Whether a field's time is over, for whoever calls.
[[nodiscard]] bool is_expiring_over(Call& call, const HashValue& hash, std::string_view field);
[[nodiscard]] inline bool is_over(Call& call, const HashValue& hash, std::string_view field) {
  return hash.has_expiries() && is_expiring_over(call, hash, field);
}
/// Whether Valkey takes a field that is set for a new one: from its very moment on, a millisecond
/// before it is over for whoever reads it.
[[nodiscard]] bool is_over_to_be_set(Call& call, const HashValue& hash, std::string_view field);
/// A field's value; null where there is none, or its time is over.
[[nodiscard]] inline const std::string* seen(Call& call, const HashValue& hash,
                                             std::string_view field) {
  return is_over(call, hash, field) ? nullptr : hash.find(field);
}

/// Deletes those of the named fields of the call's key whose time is over, where this version does
/// so. The hash again, or null where the key is gone with its last field.
[[nodiscard]] HashValue* delete_over(Call& call, HashValue& hash,
                                     std::span<const std::string_view> fields);
[[nodiscard]] inline HashValue* without_over(Call& call, HashValue* hash,
                                             std::span<const std::string_view> fields) {
  const bool may_be_over = hash != nullptr && hash->has_expiries();
  return may_be_over ? delete_over(call, *hash, fields) : hash;
}
/// The same for one field that is written next: it is gone then in each version.
[[nodiscard]] HashValue* without_over_to_write(Call& call, HashValue* hash, std::string_view field);

using Words = std::span<const std::string_view>;

/// Valkey and Redis differ in their errors, in the order in which they look at words, and in what
/// replicas get.
[[nodiscard]] bool is_valkey(Call& call);

/// Valkey's refusal of a wrong number of fields.
inline constexpr std::string_view valkey_count =
    "ERR numfields should be greater than 0 and match the provided number of fields";

/// What is said of a FIELDS clause that is none: here as Redis does.
struct FieldRefusals {
  std::string_view no_word =
      "ERR Mandatory argument FIELDS is missing or not at the right position";
  std::string_view count = "ERR Number of fields must be a positive integer";
  std::string_view mismatch = "ERR The `numfields` parameter must match the number of arguments";
};

/// Reads `FIELDS n field…`, each field with so many words, from a word to the last. Where that is
/// not what stands there, replies so and returns nothing.
[[nodiscard]] std::optional<Words> read_fields(Call& call, std::size_t at, std::size_t words_each,
                                               const FieldRefusals& refusals);
/// Where FIELDS stands from a word on, as Valkey looks for it; size() where nowhere.
[[nodiscard]] std::size_t find_fields_word(Call& call, std::size_t from);

/// EX, PX, EXAT or PXAT.
[[nodiscard]] std::optional<ExpireForm> field_expire_form(std::string_view word);
/// The moment, or nothing after a reply.
[[nodiscard]] std::optional<std::int64_t> read_field_moment_ms(Call& call, ExpireForm form,
                                                               std::string_view amount);
/// Whether what is said to expire now goes at once: what a master says is stored.
[[nodiscard]] bool deletes_fields_at_once(Call& call, std::int64_t moment_ms);

/// Tells listeners of an event of the call's key.
void tell_of_fields(Call& call, std::string_view event);
/// Replicas get these words, once more for each call.
void replicate_fields(Call& call, Words words);
/// With its last field a key goes.
void erase_if_empty(Call& call, const HashValue& hash);
/// Deletes fields that are there, and tells replicas: Redis of each, Valkey of all at once.
void delete_fields(Call& call, HashValue& hash, Words fields);

}  // namespace lockstep::redis
