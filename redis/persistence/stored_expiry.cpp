#include "redis/persistence/stored_expiry.h"

#include "redis/protocol/expire_option.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"

namespace lockstep::redis {
namespace {

constexpr std::size_t first_option_of_set = 3;  // SET k v …

StoredExpiry ending(std::string_view key, ExpireForm form, std::string_view amount,
                    std::int64_t now_ms) {
  return {key, wrapped_expire_moment_ms(form, parse_integer(amount).value_or(0), now_ms), {}};
}

std::optional<StoredExpiry> of_set(std::span<const std::string_view> words, std::int64_t now_ms) {
  for (std::size_t i = first_option_of_set; i + 1 < words.size(); ++i) {
    const bool is_in_seconds = equals_ignoring_case(words[i], "ex");
    if (!is_in_seconds && !equals_ignoring_case(words[i], "px")) continue;
    const ExpireForm form = is_in_seconds ? ExpireForm::seconds : ExpireForm::milliseconds;
    StoredExpiry stored = ending(words[1], form, words[i + 1], now_ms);
    stored.set = {words[0], words[1], words[2]};
    return stored;
  }
  return std::nullopt;
}

}  // namespace

std::optional<StoredExpiry> stored_expiry(std::span<const std::string_view> words,
                                          std::int64_t now_ms) {
  const std::string_view command = words[0];
  if (equals_ignoring_case(command, "set")) return of_set(words, now_ms);
  const auto ends = [&](ExpireForm form) { return ending(words[1], form, words[2], now_ms); };
  if (equals_ignoring_case(command, "expire")) return ends(ExpireForm::seconds);
  if (equals_ignoring_case(command, "pexpire")) return ends(ExpireForm::milliseconds);
  if (equals_ignoring_case(command, "expireat")) return ends(ExpireForm::unix_seconds);
  const bool is_setex = equals_ignoring_case(command, "setex");
  if (!is_setex && !equals_ignoring_case(command, "psetex")) return std::nullopt;
  StoredExpiry stored = ends(is_setex ? ExpireForm::seconds : ExpireForm::milliseconds);
  stored.set = {"SET", words[1], words[3]};
  return stored;
}

}  // namespace lockstep::redis
