// The progress line on standard error: redrawn in place on a terminal, every ten seconds in a log.
#pragma once

#include <cstdint>
#include <string_view>

#include "app/context.h"

namespace lockstep::app {

/// Draws nothing if the context hides progress, nor in the first moment.
class ProgressLine {
 public:
  explicit ProgressLine(const Context& context);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// Whether it is time to draw again; cheap.
  [[nodiscard]] bool is_due() const;
  /// Draws the text, which has no control characters.
  void draw(std::string_view text);
  /// Erases the line until the next drawing.
  void clear();
  [[nodiscard]] std::uint64_t elapsed_ms() const;

 private:
  const Context& context_;
  std::int64_t started_at_ms_;
  std::int64_t next_drawing_at_ms_;
  bool is_drawn_ = false;
};

}  // namespace lockstep::app
