#include "redis/commands/collections/blocking_timeout.h"

#include <cmath>

#include "redis/protocol/integers.h"
#include "redis/protocol/long_double_text.h"
#include "redis/server/server.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis {

std::optional<std::int64_t> read_timeout_ms(Call& call, std::size_t index) {
  const std::optional<long double> seconds = parse_long_double(call[index]);
  if (!seconds) {
    call.reply().error("ERR timeout is not a float or out of range");
    return std::nullopt;
  }
  // What does not fit turns negative in Redis's conversion.
  constexpr long double ms_end = 9223372036854775808.0L;
  const VersionTraits& version = call.server().version();
  // 0.001 s is a little less than 1 ms as a long double: for 6.0 that is 0, for ever.
  const long double timeout_ms =
      version.cuts_timeouts ? std::trunc(*seconds * 1000) : std::ceil(*seconds * 1000);
  if (timeout_ms >= ms_end && version.names_too_long_timeouts) {
    call.reply().error("ERR timeout is out of range");
    return std::nullopt;
  }
  if (timeout_ms < 0 || timeout_ms >= ms_end) {
    call.reply().error("ERR timeout is negative");
    return std::nullopt;
  }
  const auto whole_ms = static_cast<std::int64_t>(timeout_ms);
  if (checked_add(whole_ms, call.now_ms())) return whole_ms;
  if (version.names_too_long_timeouts) {
    call.reply().error("ERR timeout is out of range");
    return std::nullopt;
  }
  return 0;  // a deadline beyond the end of time wraps around and is never reached
}

}  // namespace lockstep::redis
