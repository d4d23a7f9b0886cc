// The line on standard error that says how far long work is: on a terminal one that is drawn again
// and again, in a log one every ten seconds.
#pragma once

#include <cstdint>
#include <string_view>

#include "app/context.h"

namespace lockstep::app {

/// Draws nothing where the context shows no progress, nor in the first moment.
class ProgressLine {
 public:
  explicit ProgressLine(const Context& context);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// Whether it is time for another; asked often.
  [[nodiscard]] bool is_due() const;
  /// Its text, without anything that moves a cursor.
  void draw(std::string_view text);
  /// Takes the line away, until the next drawing: something else is to be written.
  void clear();
  [[nodiscard]] std::uint64_t elapsed_ms() const;

 private:
  const Context& context_;
  std::int64_t started_at_ms_;
  std::int64_t next_drawing_at_ms_;
  bool is_drawn_ = false;
};

}  // namespace lockstep::app
