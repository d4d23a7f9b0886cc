// A run's trace kept in memory: what reports draw from and what a trace file holds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/recorded_choices.h"
#include "sim/time.h"
#include "sim/trace.h"

namespace lockstep::model {

/// An event with text of its own.
struct RecordedEvent {
  sim::TimeNs at;
  std::string kind;
  sim::ActorId actor;
  std::vector<std::pair<std::string, std::variant<std::int64_t, std::string>>> fields;
  std::uint64_t hash;  ///< the rolling hash after this event

  /// The field's number, or `otherwise` where it is absent or text.
  [[nodiscard]] std::int64_t number(std::string_view field, std::int64_t otherwise = 0) const;
  /// The field's text, empty where it is absent or a number.
  [[nodiscard]] std::string_view text(std::string_view field) const;
};

struct RecordedTrace {
  std::vector<sim::Actor> actors;
  std::vector<RecordedEvent> events;  ///< event i has sequence i
  std::vector<sim::Choice> choices;
  std::uint64_t hash = 0;
};

/// A sink that records.
class TraceRecorder final : public sim::TraceSink {
 public:
  explicit TraceRecorder(std::vector<RecordedEvent>& events) : events_(events) {}
  void on_event(const sim::EventView& event) override;

 private:
  std::vector<RecordedEvent>& events_;
};

}  // namespace lockstep::model
