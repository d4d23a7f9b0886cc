// A timeline as the text of a sequence diagram: what Mermaid and PlantUML have in common.
//
// Such diagrams draw each message level, where it arrives, and have no room for much: at most 60
// messages and notes, those nearest to what went wrong. What is left out is counted where it is
// missing and in the end.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "reports/scene/scene.h"
#include "reports/timeline/timeline.h"

namespace lockstep::reports {

inline constexpr std::size_t sequence_items_max = 60;

/// The statements of a language. Text comes in sanitized and is escaped here; each statement is one
/// line, without its line feed.
class SequenceForm {
 public:
  SequenceForm() = default;
  SequenceForm(const SequenceForm&) = delete;
  SequenceForm& operator=(const SequenceForm&) = delete;
  virtual ~SequenceForm() = default;

  [[nodiscard]] virtual std::string beginning() const = 0;
  [[nodiscard]] virtual std::string title(std::string_view text) const = 0;
  [[nodiscard]] virtual std::string participant(LaneIndex lane, std::string_view text) const = 0;
  [[nodiscard]] virtual std::string note(LaneIndex first, LaneIndex last,
                                         std::string_view text) const = 0;
  [[nodiscard]] virtual std::string message(const Flight& flight, std::string_view label,
                                            std::string_view times) const = 0;
  [[nodiscard]] virtual std::string activation(LaneIndex lane) const = 0;
  [[nodiscard]] virtual std::string deactivation(LaneIndex lane) const = 0;
  /// An area in which something went wrong.
  [[nodiscard]] virtual std::string area_beginning() const = 0;
  [[nodiscard]] virtual std::string area_end() const = 0;
  [[nodiscard]] virtual std::string ending() const = 0;  ///< may be empty: none
};

/// Ends in a line feed. The same subject gives the same text.
[[nodiscard]] std::string sequence_of(const TimelineSubject& subject,
                                      const TimelineOptions& options, const SequenceForm& form);

}  // namespace lockstep::reports
