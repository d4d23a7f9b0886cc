#include "search/contract/outages.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/faults/strike_effects.h"
#include "search/contract/fault_sorts.h"

namespace lockstep::search {

Outages outages_between(std::int64_t from_ns, std::int64_t until_ns,
                        std::span<const model::StrikeSpan> strikes, std::uint64_t client,
                        std::int64_t resend_ns) {
  std::vector<std::pair<std::int64_t, std::int64_t>> spans;
  for (const model::StrikeSpan& strike : strikes) {
    const bool is_of_others = strike.clients != 0 && (strike.clients & client) == 0;
    if (!keeps_from_nodes(strike.kind) || is_of_others || strike.from_ns > until_ns ||
        strike.until_ns < from_ns)
      continue;
    const std::int64_t begun_ns = std::max(strike.from_ns, from_ns);
    const std::int64_t ended_ns = std::min(strike.until_ns, until_ns);
    const bool is_resent = is_one_message(strike.kind);
    spans.emplace_back(begun_ns, is_resent ? std::max(ended_ns, begun_ns + resend_ns) : ended_ns);
  }
  std::sort(spans.begin(), spans.end());
  Outages outages;
  std::int64_t over_ns = -1;
  for (const auto& [begun_ns, ended_ns] : spans) {
    outages.count += begun_ns > over_ns ? 1 : 0;
    outages.in_all_ns += std::max<std::int64_t>(ended_ns - std::max(begun_ns, over_ns), 0);
    over_ns = std::max(over_ns, ended_ns);
  }
  return outages;
}

}  // namespace lockstep::search
