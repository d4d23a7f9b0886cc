// What INFO tells of commands: how often each was called, refused and failed, counted as Redis
// does.
#include <utility>

#include "redis/server/server.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis {

void Statistics::clear() {
  CommandCounts kept = std::move(calls);
  kept.clear();
  *this = {};
  calls = std::move(kept);
}

void Server::reset_statistics() {
  const std::int64_t started_at_us = statistics_.started_at_us;
  statistics_.clear();
  statistics_.started_at_us = started_at_us;
  memory_.reset_statistics();
}

/// A command has failed where errors were counted since it began, but for those that commands
/// within it had noted; and once more for each that it replies with after one of those.
std::int64_t Server::note_errors() {
  const ErrorCounts& errors = statistics_.errors;
  const std::int64_t failures = (errors.repeated() - statistics_.noted_repeated_errors) +
                                (errors.total() > statistics_.noted_errors ? 1 : 0);
  statistics_.noted_errors = errors.total();
  statistics_.noted_repeated_errors = errors.repeated();
  return failures;
}

void Server::count_call(const CommandSpec& spec, const Session& session) {
  if (is_loading_) return;
  const std::int64_t failures = note_errors();
  CommandCount& count = statistics_.calls.of(spec);
  count.failed += failures;
  if (!session.wait || !version_->counts_calls_when_over) ++count.calls;
}

/// Before its error is counted, for which the script is not to blame if it catches it.
void Server::note_rejection_in_script(const CommandSpec* spec) {
  if (spec != nullptr) ++statistics_.calls.of(*spec).rejected;
  statistics_.noted_errors = statistics_.errors.total() + 1;
}

void Server::count_end_of_wait(const CommandSpec& spec, WaitOutcome outcome) {
  CommandCount& count = statistics_.calls.of(spec);
  if (version_->counts_calls_when_over) ++count.calls;
  if (outcome == WaitOutcome::failed) ++count.failed;
  if (outcome == WaitOutcome::rejected) ++count.rejected;
}

}  // namespace lockstep::redis
