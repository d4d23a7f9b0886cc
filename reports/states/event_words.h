// What an event says, in a sentence: for stepping through a run.
//
// One table of patterns serves the terminal and the HTML report, whose script fills them in the
// same way. In a pattern `{name}` is the event's field, `{message}` of an event other than the
// sending is the message with what it is about, a field that ends in `_ns` is told in ms, and
// `[?name:text]` is text that is there where the field says something.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "reports/scene/scene.h"

namespace lockstep::search {
struct RunRecord;
}  // namespace lockstep::search

namespace lockstep::reports {

struct EventPattern {
  std::string_view kind;
  std::string_view pattern;
};

/// A kind that has none is told with all of its fields.
[[nodiscard]] std::span<const EventPattern> event_patterns();

/// The sentences of a trace's events. REQUIRES: the trace outlives it.
class EventWords {
 public:
  explicit EventWords(const model::RecordedTrace& trace);

  /// "n1 executes acquire: 1"; sanitized text.
  [[nodiscard]] std::string of(EventIndex event) const;
  /// Who did it; empty: nobody.
  [[nodiscard]] std::string actor(EventIndex event) const;

 private:
  [[nodiscard]] std::string field(const model::RecordedEvent& event, std::string_view name) const;
  [[nodiscard]] std::string message_in_words(const model::RecordedEvent& event) const;
  [[nodiscard]] std::string fill(const model::RecordedEvent& event, std::string_view pattern) const;

  const model::RecordedTrace& trace_;
  std::map<std::int64_t, EventIndex> sent_;  // by the message's number
};

/// Where the run went wrong: the event with which the first violated property broke.
[[nodiscard]] std::optional<EventIndex> violation_event(const search::RunRecord& example);

}  // namespace lockstep::reports
