#include <array>
#include <optional>
#include <string>
#include <vector>

#include "redis/commands/commands.h"
#include "redis/protocol/expire_option.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

/// EXPIRE key time [NX | XX] [GT | LT]: when to leave the expiry as it is.
struct Conditions {
  bool only_without = false;  // NX
  bool only_with = false;     // XX
  bool only_later = false;    // GT
  bool only_earlier = false;  // LT

  /// A key without expiry counts as expiring never, that is, later than any moment.
  [[nodiscard]] bool allow(const std::optional<std::int64_t>& present, std::int64_t moment) const {
    if (only_without && present) return false;
    if (only_with && !present) return false;
    if (only_later && (!present || moment <= *present)) return false;
    return !(only_earlier && present && moment >= *present);
  }
};

std::optional<Conditions> read_conditions(Call& call) {
  Conditions conditions;
  for (const std::string_view word : call.words().subspan(3)) {
    if (equals_ignoring_case(word, "nx")) {
      conditions.only_without = true;
    } else if (equals_ignoring_case(word, "xx")) {
      conditions.only_with = true;
    } else if (equals_ignoring_case(word, "gt")) {
      conditions.only_later = true;
    } else if (equals_ignoring_case(word, "lt")) {
      conditions.only_earlier = true;
    } else {
      call.reply().error("ERR Unsupported option " + std::string(word));
      return std::nullopt;
    }
  }
  if (conditions.only_without &&
      (conditions.only_with || conditions.only_later || conditions.only_earlier)) {
    call.reply().error("ERR NX and XX, GT or LT options at the same time are not compatible");
    return std::nullopt;
  }
  if (conditions.only_later && conditions.only_earlier) {
    call.reply().error("ERR GT and LT options at the same time are not compatible");
    return std::nullopt;
  }
  return conditions;
}

/// Replicas get PEXPIREAT with the absolute moment; the words after the time stay as they were.
void set_expiry(Call& call, Entry& entry, ExpireForm form, std::int64_t moment) {
  entry.expire_at_ms = moment;
  if (form == ExpireForm::unix_milliseconds ||
      call.server().version().replicates_relative_expiries) {
    return call.changed(call[1]);
  }
  const IntegerText text(moment);
  if (call.size() == 3) return call.changed_as(call[1], {"PEXPIREAT", call[1], text.view()});
  std::vector<std::string_view> words(call.words().begin(), call.words().end());
  words[0] = "PEXPIREAT";
  words[2] = text.view();
  call.changed_as(call[1], words);
}

void expire_in_form(Call& call, ExpireForm form) {
  std::optional<Conditions> conditions = Conditions{};
  if (call.size() > 3) conditions = read_conditions(call);
  if (!conditions) return;
  const std::optional<std::int64_t> amount = call.integer(2);
  if (!amount) return;
  std::optional<std::int64_t> moment = expire_moment_ms(form, *amount, call.now_ms());
  if (!moment && call.server().version().wraps_around) {
    moment = wrapped_expire_moment_ms(form, *amount, call.now_ms());
  }
  if (!moment) return call.reply_invalid_expire_time();
  const Keyspace::Position position = call.find(call[1]);
  if (position == call.keys().end()) return call.reply().integer(0);
  if (!conditions->allow(position->second.expire_at_ms, *moment)) return call.reply().integer(0);
  // What a master or the append-only file says is stored, and found to be expired later.
  const bool deletes = call.origin() != Origin::master && call.server().role() == Role::master;
  if (*moment <= call.now_ms() && deletes) {
    call.keys().erase(position);
    call.changed_as(call[1], {call.server().config().lazy_free_expire ? "UNLINK" : "DEL", call[1]});
  } else {
    set_expiry(call, position->second, form, *moment);
  }
  call.reply().integer(1);
}

enum class Answer : std::uint8_t { time_left, moment };

void reply_expiry(Call& call, Answer answer, bool in_seconds) {
  const Entry* const entry = call.lookup(call[1]);
  if (entry == nullptr) return call.reply().integer(-2);
  if (!entry->expire_at_ms) return call.reply().integer(-1);
  std::int64_t number_ms = *entry->expire_at_ms;
  if (answer == Answer::time_left) {
    // 6.0 lets expiries wrap around, and the difference with them.
    number_ms = static_cast<std::int64_t>(static_cast<std::uint64_t>(number_ms) -
                                          static_cast<std::uint64_t>(call.now_ms()));
    if (number_ms < 0) number_ms = 0;
  }
  if (in_seconds && number_ms > 0) {  // rounded; the last moments of time fit no signed sum
    number_ms = static_cast<std::int64_t>((static_cast<std::uint64_t>(number_ms) + 500) / 1000);
  } else if (in_seconds) {
    number_ms = (number_ms + 500) / 1000;
  }
  call.reply().integer(number_ms);
}

}  // namespace

void expire(Call& call) { expire_in_form(call, ExpireForm::seconds); }
void pexpire(Call& call) { expire_in_form(call, ExpireForm::milliseconds); }
void expireat(Call& call) { expire_in_form(call, ExpireForm::unix_seconds); }
void pexpireat(Call& call) { expire_in_form(call, ExpireForm::unix_milliseconds); }

void ttl(Call& call) { reply_expiry(call, Answer::time_left, true); }
void pttl(Call& call) { reply_expiry(call, Answer::time_left, false); }
void expiretime(Call& call) { reply_expiry(call, Answer::moment, true); }
void pexpiretime(Call& call) { reply_expiry(call, Answer::moment, false); }

void persist(Call& call) {
  Entry* const entry = call.lookup(call[1]);
  if (entry == nullptr || !entry->expire_at_ms) return call.reply().integer(0);
  entry->expire_at_ms.reset();
  call.changed(call[1]);
  call.reply().integer(1);
}

}  // namespace lockstep::redis::commands
