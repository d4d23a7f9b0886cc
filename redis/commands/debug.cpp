// DEBUG, as far as tests of others use it: SLEEP and SET-ACTIVE-EXPIRE. The rest is refused in the
// words of Redis for what it does not know.
#include <charconv>
#include <cmath>

#include "redis/commands/commands.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

constexpr double us_per_s = 1e6;
constexpr double sleep_us_max = 1e15;  // some 30 years

}  // namespace

void debug(Call& call) {
  if (call.size() == 3 && equals_ignoring_case(call[1], "sleep")) {
    double seconds = 0;  // also where the word is no number, as in Redis
    std::from_chars(call[2].data(), call[2].data() + call[2].size(), seconds);
    const double us = seconds * us_per_s;
    if (us >= 1) call.server().sleep(static_cast<std::int64_t>(std::fmin(us, sleep_us_max)));
    return call.reply().status("OK");
  }
  if (call.size() == 3 && equals_ignoring_case(call[1], "set-active-expire")) {
    call.server().set_active_expire(parse_integer(call[2]).value_or(0) != 0);
    return call.reply().status("OK");
  }
  call.reply_wrong_subcommand_arity();
}

}  // namespace lockstep::redis::commands
