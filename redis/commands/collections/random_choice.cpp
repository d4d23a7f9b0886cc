#include "redis/commands/collections/random_choice.h"

#include <cassert>
#include <limits>
#include <set>

namespace lockstep::redis {

std::optional<std::int64_t> read_random_count(Call& call, std::size_t index) {
  const std::optional<std::int64_t> count = call.integer(index);
  if (!count) return std::nullopt;
  if (*count == std::numeric_limits<std::int64_t>::min()) {
    call.reply().error(
        "ERR value is out of range, value must between -9223372036854775807 and "
        "9223372036854775807");
    return std::nullopt;
  }
  return count;
}

bool check_repetition_limit(Call& call, std::int64_t count) {
  if (count >= -repetitions_max) return true;
  call.reply().error("ERR value is out of range");
  return false;
}

// Floyd's method: for each of the last `count` numbers a draw among it and all below; what was
// drawn before gives way to the number itself.
std::vector<std::size_t> choose_distinct(Server& server, std::size_t count, std::size_t bound) {
  assert(count <= bound);
  std::set<std::size_t> taken;
  std::vector<std::size_t> chosen;
  chosen.reserve(count);
  for (std::size_t last = bound - count; last < bound; ++last) {
    const auto drawn = static_cast<std::size_t>(server.random_below(last + 1));
    const std::size_t choice = taken.count(drawn) == 1 ? last : drawn;
    taken.insert(choice);
    chosen.push_back(choice);
  }
  return chosen;
}

}  // namespace lockstep::redis
