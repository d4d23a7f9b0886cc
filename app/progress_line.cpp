#include "app/progress_line.h"

#include <chrono>
#include <ostream>

namespace lockstep::app {
namespace {

constexpr std::int64_t first_drawing_after_ms = 500;
constexpr std::int64_t between_drawings_ms = 200;
constexpr std::int64_t between_lines_ms = 10'000;
constexpr std::string_view clear_line = "\r\x1b[K";

std::int64_t milliseconds_now() {
  using std::chrono::duration_cast;
  using std::chrono::milliseconds;
  using std::chrono::steady_clock;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

ProgressLine::ProgressLine(const Context& context)
    : context_(context),
      started_at_ms_(milliseconds_now()),
      next_drawing_at_ms_(started_at_ms_ + (context.progress == ProgressDisplay::lines
                                                ? between_lines_ms
                                                : first_drawing_after_ms)) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (is_drawn_) context_.errors << clear_line << std::flush;
  is_drawn_ = false;
}

bool ProgressLine::is_due() const {
  return context_.progress != ProgressDisplay::hidden && milliseconds_now() >= next_drawing_at_ms_;
}

void ProgressLine::draw(std::string_view text) {
  if (context_.progress == ProgressDisplay::lines) {
    context_.errors << text << std::endl;
    next_drawing_at_ms_ = milliseconds_now() + between_lines_ms;
    return;
  }
  context_.errors << clear_line << text << std::flush;
  is_drawn_ = true;
  next_drawing_at_ms_ = milliseconds_now() + between_drawings_ms;
}

std::uint64_t ProgressLine::elapsed_ms() const {
  return static_cast<std::uint64_t>(milliseconds_now() - started_at_ms_);
}

}  // namespace lockstep::app
