// Traces written by hand, event by event, for tests of the reports. Hashes are those of sim::Trace.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "checker/history.h"
#include "model/recorded_trace.h"
#include "model/trace_vocabulary.h"
#include "search/runs/run_record.h"
#include "sim/trace.h"
#include "sim/trace_kinds.h"

namespace lockstep::search {
struct ScenarioOutcome;
}  // namespace lockstep::search

namespace lockstep::reports::test {

class TraceBuilder {
 public:
  TraceBuilder();

  sim::ActorId actor(std::string name, std::string kind, std::string group);
  /// The moment of all that follows, in microseconds.
  TraceBuilder& at_us(std::int64_t microseconds);
  template <typename... Fields>
  TraceBuilder& tell(sim::ActorId actor, std::string_view kind, Fields... fields) {
    trace_.emit(now_, kind, actor, {fields...});
    return *this;
  }
  /// Sends a message; its number.
  std::uint64_t send(sim::ActorId from, sim::ActorId to, std::string_view label, sim::ActorId by);
  TraceBuilder& arrives(std::uint64_t message, sim::ActorId to);
  [[nodiscard]] checker::Moment moment() const { return {now_, trace_.event_count()}; }

  /// What was told so far; verdicts and the rest are the caller's matter.
  [[nodiscard]] search::RunRecord example() const;

 private:
  sim::Trace trace_;
  std::vector<model::RecordedEvent> events_;
  model::TraceRecorder recorder_{events_};
  sim::TimeNs now_ = 0;
  std::uint64_t last_message_ = 0;
};

/// K2: a locks with a lease of 10 s, reads and is paused for 15 s; b locks when the lease is over;
/// both believe that they hold the lock, and a's write is based on what it read before.
[[nodiscard]] search::ScenarioOutcome pause_outcome();

}  // namespace lockstep::reports::test
