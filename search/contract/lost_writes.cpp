#include "search/contract/lost_writes.h"

#include "sim/time.h"

namespace lockstep::search {

bool has_lost_write(std::span<const model::Takeover> takeovers, KeptOfLock kept,
                    std::int64_t by_ns) {
  const bool is_lost = std::ranges::any_of(takeovers, [by_ns](const model::Takeover& each) {
    return each.lost_write_at_ns != sim::never_ns && each.lost_write_at_ns <= by_ns;
  });
  return is_lost || (kept == KeptOfLock::more &&
                     any_restart(takeovers, by_ns, [](std::int64_t) { return true; }));
}

}  // namespace lockstep::search
