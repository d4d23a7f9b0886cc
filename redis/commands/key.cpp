#include <string>
#include <vector>

#include "redis/commands/commands.h"
#include "redis/protocol/glob.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/server.h"
#include "redis/values/value_text.h"

namespace lockstep::redis::commands {

void exists(Call& call) {
  std::int64_t count = 0;
  for (const std::string_view key : call.words().subspan(1)) {
    if (call.lookup(key) != nullptr) ++count;
  }
  call.reply().integer(count);
}

void del(Call& call) {
  std::int64_t deleted = 0;
  for (const std::string_view key : call.words().subspan(1)) {
    const Keyspace::Position position = call.find(key);
    if (position == call.keys().end()) continue;
    call.keys().erase(position);
    call.changed(key);
    ++deleted;
  }
  call.reply().integer(deleted);
}

void type(Call& call) {
  const Entry* const entry = call.lookup(call[1]);
  if (entry == nullptr) {
    call.reply().status("none");
  } else {
    call.reply().status(type_name(entry->value));
  }
}

void touch(Call& call) { exists(call); }

// Redis draws until it comes to a key that is not expired, and deletes those that it comes by. Here
// the living are known first; without any, all are deleted, as by Redis.
namespace {

/// A key of a large database, without looking at all of them: one of some neighbours in the order
/// of SCAN. None where it met expired ones only.
std::optional<std::string> random_key_of_many(Call& call) {
  constexpr std::uint64_t cursor_end = std::uint64_t{1} << 48U;
  constexpr std::size_t neighbours = 16;
  const ScanOrder& order = call.keys().scan_order();
  std::vector<std::string> keys =
      order.part(call.server().random_below(cursor_end), neighbours).keys;
  if (keys.empty()) keys = order.part(0, neighbours).keys;
  std::erase_if(keys,
                [&](const std::string& key) { return call.is_expired(*call.keys().stored(key)); });
  if (keys.empty()) return std::nullopt;
  return std::move(keys[call.server().random_below(keys.size())]);
}

}  // namespace

void randomkey(Call& call) {
  constexpr std::size_t few_keys = 1000;
  if (call.keys().entries().size() > few_keys) {
    if (const auto key = random_key_of_many(call)) return call.reply().bulk(*key);
  }
  std::vector<std::string_view> living;
  for (const auto& [key, entry] : call.keys().entries()) {
    if (!call.is_expired(entry)) living.push_back(key);
  }
  if (!living.empty()) return call.reply().bulk(living[call.server().random_below(living.size())]);
  std::vector<std::string> expired;
  for (const auto& [key, entry] : call.keys().entries()) expired.push_back(key);
  for (const std::string& key : expired) static_cast<void>(call.lookup(key));
  call.reply().null_bulk();
}

void keys(Call& call) {
  const bool wants_all = call[1] == "*";
  std::vector<std::string_view> matching;
  for (const auto& [key, entry] : call.keys().entries()) {
    if (call.is_expired(entry)) continue;
    if (wants_all || glob_matches(call[1], key)) matching.push_back(key);
  }
  call.reply().array(matching.size());
  for (const std::string_view key : matching) call.reply().bulk(key);
}

void dbsize(Call& call) {
  call.reply().integer(static_cast<std::int64_t>(call.keys().entries().size()));
}

namespace {

/// FLUSHALL [ASYNC|SYNC]: whether the option is one; replies where not.
bool has_valid_flush_option(Call& call) {
  if (call.size() == 1) return true;
  const bool has_sync = !call.server().version().has_old_refusals;
  if (call.size() == 2 && (equals_ignoring_case(call[1], "async") ||
                           (has_sync && equals_ignoring_case(call[1], "sync")))) {
    return true;
  }
  call.reply_syntax_error();
  return false;
}

}  // namespace

void flushdb(Call& call) {
  if (!has_valid_flush_option(call)) return;
  const std::uint64_t count = call.server().flush(call.session().database);
  if (count > 0 || !call.server().version().counts_empty_changes) call.force_propagation();
  call.reply().status("OK");
}

void flushall(Call& call) {
  if (!has_valid_flush_option(call)) return;
  for (std::size_t i = 0; i < database_count; ++i) {
    call.server().flush(static_cast<std::uint8_t>(i));
  }
  if (!call.server().config().save.empty())
    call.server().save();  // or a restart would bring all back
  call.force_propagation();
  call.reply().status("OK");
}

}  // namespace lockstep::redis::commands
