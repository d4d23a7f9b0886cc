#include "search/contract/outages.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "checker/history.h"
#include "checker/observations.h"
#include "model/faults/strike_effects.h"
#include "scenario/cluster_spec.h"
#include "search/contract/failed_servers.h"
#include "search/contract/fault_sorts.h"

namespace lockstep::search {
namespace {

struct Outage {
  std::int64_t begun_ns;
  std::int64_t ended_ns;
  bool may_cost_answer;
};

/// Whether it came between that client and a server.
bool concerns(const model::StrikeSpan& strike, std::uint64_t client) {
  if (!keeps_from_nodes(strike.kind)) return false;
  if (strike.clients != 0) return (strike.clients & client) != 0;
  // What nodes have between them keeps no client from any.
  return !is_one_message(strike.kind) && !model::is_of_link(strike);
}

bool ends_server(const model::StrikeSpan& strike) {
  return ends_process(strike.kind) && strike.servers != 0 && strike.clients == 0;
}

/// When the server that it ended was started again.
std::int64_t back_at(const model::StrikeSpan& strike, std::span<const model::StrikeSpan> strikes,
                     std::int64_t healed_ns) {
  std::int64_t back_ns = std::max(strike.until_ns, healed_ns);
  for (const model::StrikeSpan& each : strikes) {
    const bool is_its = starts_process(each.kind) && (each.servers & strike.servers) != 0 &&
                        each.from_ns >= strike.from_ns;
    if (is_its) back_ns = std::min(back_ns, each.from_ns);
  }
  return back_ns;
}

bool outlasts(const model::StrikeSpan& strike, Patience patience) {
  return strike.until_ns - strike.from_ns >= patience.answer_ns;
}

}  // namespace

bool may_have_lost_messages(const model::StrikeSpan& strike, Patience patience) {
  if (may_lose_messages(strike.kind)) {
    // Who died had no message under way to anybody else.
    return strike.clients == 0 || !ends_process(strike.kind);
  }
  return holds_up_messages(strike.kind) && patience.answer_ns > 0 && outlasts(strike, patience);
}

Outages outages_between(std::int64_t from_ns, std::int64_t until_ns,
                        std::span<const model::StrikeSpan> strikes, std::uint64_t client,
                        Patience patience) {
  std::vector<Outage> spans;
  for (const model::StrikeSpan& strike : strikes) {
    if (!concerns(strike, client) || strike.from_ns > until_ns || strike.until_ns < from_ns) {
      continue;
    }
    const std::int64_t begun_ns = std::max(strike.from_ns, from_ns);
    const std::int64_t ended_ns = std::min(strike.until_ns, until_ns);
    const bool is_too_long = outlasts(strike, patience);
    const bool is_resent = is_one_message(strike.kind);
    spans.push_back({begun_ns,
                     is_resent ? std::max(ended_ns, begun_ns + patience.resend_ns) : ended_ns,
                     may_lose_messages(strike.kind) || is_too_long});
  }
  std::sort(spans.begin(), spans.end(), [](const Outage& one, const Outage& other) {
    return std::tie(one.begun_ns, one.ended_ns) < std::tie(other.begun_ns, other.ended_ns);
  });
  Outages outages;
  std::int64_t over_ns = -1;
  std::int64_t counted_until_ns = -1;
  for (const Outage& each : spans) {
    if (each.may_cost_answer) {
      outages.count += each.begun_ns > counted_until_ns ? 1 : 0;
      counted_until_ns = std::max(counted_until_ns, each.ended_ns);
    }
    outages.in_all_ns +=
        std::max<std::int64_t>(each.ended_ns - std::max(each.begun_ns, over_ns), 0);
    over_ns = std::max(over_ns, each.ended_ns);
  }
  return outages;
}

bool was_refused_late(const checker::Operation& operation,
                      std::span<const model::StrikeSpan> strikes, std::uint64_t client,
                      Patience patience, std::int64_t wakeup_ns) {
  const bool is_refused = operation.kind == checker::OperationKind::acquire &&
                          operation.completed && operation.outcome == checker::Outcome::fail;
  if (!is_refused) return false;
  const std::int64_t from_ns = operation.invoked.at_ns;
  const std::int64_t until_ns = operation.completed->at_ns;
  return until_ns - from_ns > wakeup_ns &&
         outages_between(from_ns, until_ns, strikes, client, patience).in_all_ns > wakeup_ns;
}

std::vector<model::StrikeSpan> with_servers_away(std::span<const model::StrikeSpan> strikes,
                                                 std::int64_t healed_ns,
                                                 const scenario::RedisSpec& redis, bool is_vote) {
  std::vector<model::StrikeSpan> spans(strikes.begin(), strikes.end());
  // Of several masters that are no vote nobody says here which one the lock is on.
  if (redis.replicas > 0 || (!is_vote && redis.masters > 1)) return spans;
  for (const model::StrikeSpan& last : strikes) {
    if (!ends_server(last)) continue;
    const auto is_away_then = [&](const model::StrikeSpan& each) {
      return ends_server(each) && each.from_ns <= last.from_ns &&
             last.from_ns < back_at(each, strikes, healed_ns);
    };
    FailedServers away(redis);
    for (const model::StrikeSpan& each : strikes) {
      if (is_away_then(each)) away.add_nodes(each.servers);
    }
    if (is_vote && away.are_a_minority()) continue;
    for (std::size_t i = 0; i < strikes.size(); ++i) {
      if (is_away_then(strikes[i])) spans[i].until_ns = back_at(strikes[i], strikes, healed_ns);
    }
  }
  return spans;
}

bool outlasts_healing(std::span<const model::StrikeSpan> strikes, std::int64_t healed_ns,
                      const scenario::RedisSpec& redis, bool is_vote) {
  FailedServers late(redis);
  bool is_any = false;
  for (const model::StrikeSpan& strike : strikes) {
    const bool is_late = delays_messages(strike.kind) && strike.from_ns + strike.by_ns > healed_ns;
    if (!is_late) continue;
    is_any = true;
    late.add_nodes(strike.servers);
  }
  return is_any && !(is_vote && late.are_a_minority());
}

GoneWaiters gone_waiters(const checker::Observations& seen, Gone who) {
  GoneWaiters gone;
  std::set<checker::NameId> owners;
  for (const checker::Wait& each : seen.waits) {
    const bool is_dead =
        each.end == checker::WaitEnd::crashed || each.end == checker::WaitEnd::failed;
    if (is_dead) gone.last_ns = std::max(gone.last_ns, each.until.at_ns);
    if (is_dead || who == Gone::anybody) owners.insert(each.owner);
  }
  for (const checker::Belief& each : seen.beliefs) {
    if (each.end == checker::BeliefEnd::crashed) {
      gone.last_ns = std::max(gone.last_ns, each.until.at_ns);
    }
  }
  gone.count = owners.size();
  return gone;
}

}  // namespace lockstep::search
