// When a key expires, as commands say it: EX 10, PX 100, EXAT 1700000000, PXAT 1700000000000.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "redis/protocol/integers.h"

namespace lockstep::redis {

enum class ExpireForm : std::uint8_t { seconds, milliseconds, unix_seconds, unix_milliseconds };

[[nodiscard]] constexpr bool is_in_seconds(ExpireForm form) {
  return form == ExpireForm::seconds || form == ExpireForm::unix_seconds;
}
[[nodiscard]] constexpr bool is_relative(ExpireForm form) {
  return form == ExpireForm::seconds || form == ExpireForm::milliseconds;
}

/// The moment in Unix milliseconds; nothing where it does not fit.
[[nodiscard]] inline std::optional<std::int64_t> expire_moment_ms(ExpireForm form,
                                                                  std::int64_t amount,
                                                                  std::int64_t now_ms) {
  constexpr std::int64_t ms_per_s = 1000;
  if (is_in_seconds(form)) {
    if (amount > std::numeric_limits<std::int64_t>::max() / ms_per_s ||
        amount < std::numeric_limits<std::int64_t>::min() / ms_per_s) {
      return std::nullopt;
    }
    amount *= ms_per_s;
  }
  return is_relative(form) ? checked_add(amount, now_ms) : amount;
}

/// The same as 6.0 has it: what does not fit wraps around.
[[nodiscard]] inline std::int64_t wrapped_expire_moment_ms(ExpireForm form, std::int64_t amount,
                                                           std::int64_t now_ms) {
  constexpr std::uint64_t ms_per_s = 1000;
  auto moment = static_cast<std::uint64_t>(amount);
  if (is_in_seconds(form)) moment *= ms_per_s;
  if (is_relative(form)) moment += static_cast<std::uint64_t>(now_ms);
  return static_cast<std::int64_t>(moment);
}

}  // namespace lockstep::redis
