#include "search/campaign/lock_times.h"

#include <algorithm>
#include <string>

#include "checker/property.h"
#include "model/lock/lock_package.h"

namespace lockstep::search {
namespace {

/// Whether its waiters sleep for a time of their own and are woken by nobody.
bool asks_again(const model::LockPackage& lock) {
  const auto has = [&](const char* words) {
    return lock.client_source.find(words) != std::string::npos;
  };
  return has("client.sleep") && !has("wait_message");
}

/// Whether its client model counts the token up by a command of its own; else a script does.
bool draws_tokens(const model::LockPackage& lock) {
  const auto promised =
      std::find(lock.promises.begin(), lock.promises.end(), checker::Property::fencing);
  return promised != lock.promises.end() &&
         (lock.client_source.find("\"INCR\"") != std::string::npos ||
          lock.client_source.find("\"INCRBY\"") != std::string::npos);
}

}  // namespace

LockTimes times_of(const model::LockPackage& lock) {
  LockTimes times;
  const auto own_lease = lock.find_number(lock.contract.own_lease + "_ms");
  if (own_lease && *own_lease > 0) times.lease_ms = *own_lease;
  times.renews = lock.contract.renews || !own_lease;
  times.polls = asks_again(lock);
  times.is_vote = lock.state_nodes == model::StateNodes::quorum;
  times.counts_holds = lock.reentry == checker::Reentry::counted;
  times.tells_validity = lock.client_source.find("valid_until_ms") != std::string::npos;
  times.draws_tokens = draws_tokens(lock);
  times.drift_ppm = lock.contract.drift_ppm;
  times.resends = lock.find_number("retry_attempts").value_or(0) > 0;
  if (!lock.queue_key.empty()) times.patience_ms = lock.find_number("wait_ms").value_or(0);
  return times;
}

}  // namespace lockstep::search
