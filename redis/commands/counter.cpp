#include <limits>
#include <optional>

#include "redis/commands/commands.h"
#include "redis/commands/set_options.h"
#include "redis/protocol/integers.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

void add(Call& call, std::int64_t increment) {
  const auto found = call.lookup_as<std::string>(call[1]);
  if (found.wrong_type) return;
  const std::optional<std::int64_t> before =
      found.value == nullptr ? 0 : parse_integer(*found.value);
  if (!before) return call.reply().error(not_an_integer);
  const std::optional<std::int64_t> after = checked_add(*before, increment);
  if (!after) return call.reply().error("ERR increment or decrement would overflow");
  overwrite(call, found.entry, call[1], IntegerText(*after).view());
  call.changed(call[1]);
  call.reply().integer(*after);
}

}  // namespace

void incr(Call& call) { add(call, 1); }
void decr(Call& call) { add(call, -1); }

void incrby(Call& call) {
  if (const std::optional<std::int64_t> increment = call.integer(2)) add(call, *increment);
}

void decrby(Call& call) {
  const std::optional<std::int64_t> decrement = call.integer(2);
  if (!decrement) return;
  if (*decrement == std::numeric_limits<std::int64_t>::min()) {
    if (call.server().version().wraps_around) return add(call, *decrement);
    return call.reply().error("ERR decrement would overflow");
  }
  add(call, -*decrement);
}

}  // namespace lockstep::redis::commands
