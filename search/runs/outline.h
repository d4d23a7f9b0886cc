// What happened in a run, event by event and without its numbers: enough to tell whether a thing
// happens in another run of the scenario too, and when.
//
// Not covered: how much, and with which token: a reply and a request's arguments are left out.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "sim/time.h"
#include "sim/trace.h"

namespace lockstep::search {

struct OutlinedEvent {
  /// The same for the same kind, actor and texts; of a change of owners, also for who they were.
  std::uint64_t what;
  sim::TimeNs at;
};
/// In the order of the events.
using Outline = std::vector<OutlinedEvent>;

/// Makes it of a run that nobody records (run_record.h: of one that is recorded).
class OutlineSink final : public sim::TraceSink {
 public:
  explicit OutlineSink(Outline& outline) : outline_(outline) {}
  void on_event(const sim::EventView& event) override;

  /// An event in parts: each text field in its order.
  void begin(std::string_view kind, sim::ActorId actor);
  void add(std::string_view field, std::string_view text);
  void end(sim::TimeNs at);

 private:
  Outline& outline_;
  std::map<std::uint64_t, std::uint64_t> owners_at_;  // by kind, node and lock
  std::uint64_t what_ = 0;                            // of the event that has begun
  std::uint64_t place_ = 0;
  std::uint64_t owners_ = 0;
  bool is_change_ = false;
};

}  // namespace lockstep::search
