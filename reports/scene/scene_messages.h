// The messages of a trace: what became of each, and which a timeline shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/recorded_trace.h"
#include "reports/scene/scene_lane_map.h"

namespace lockstep::reports {

/// One message from its sending to its end.
struct TraceMessage {
  std::int64_t number;
  LaneIndex from;
  LaneIndex to;
  EventIndex sent;
  EventIndex ended;
  Fate fate = Fate::under_way;
  std::string label;
  std::string on_behalf_of;
  std::string why_lost;
  sim::DurationNs delayed_by_ns = 0;
  bool was_held_back = false;
  bool is_shown = false;
};

class TraceMessages {
 public:
  TraceMessages(const model::RecordedTrace& trace, const LaneMap& lane_map);

  [[nodiscard]] const std::vector<TraceMessage>& all() const { return messages_; }
  [[nodiscard]] const TraceMessage* sent_at(EventIndex event) const;
  [[nodiscard]] const TraceMessage* ended_at(EventIndex event) const;
  [[nodiscard]] std::size_t left_out() const;

 private:
  void read(const model::RecordedTrace& trace, const LaneMap& lane_map, EventIndex event);

  std::vector<TraceMessage> messages_;  // in order of sending
  std::map<std::int64_t, std::size_t> by_number_;
  std::map<EventIndex, std::size_t> by_sending_;
  std::map<EventIndex, std::size_t> by_end_;
};

/// "reply to acquire" → "acquire"; empty where it is no reply.
[[nodiscard]] std::string_view replied_label(std::string_view label);

}  // namespace lockstep::reports
