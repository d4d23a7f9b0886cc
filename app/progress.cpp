#include "app/progress.h"

#include <fmt/format.h>

#include <chrono>
#include <ostream>
#include <utility>

#include "app/interruption.h"
#include "reports/text.h"

namespace lockstep::app {
namespace {

constexpr std::int64_t first_drawing_after_ms = 500;
constexpr std::int64_t between_drawings_ms = 200;
constexpr std::int64_t between_lines_ms = 10'000;
constexpr std::size_t title_characters_max = 30;
constexpr std::string_view clear_line = "\r\x1b[K";

std::int64_t milliseconds_now() {
  using std::chrono::duration_cast;
  using std::chrono::milliseconds;
  using std::chrono::steady_clock;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

/// The campaign asks a plain function, which has nothing else to find the progress by.
Progress*& current() {
  static Progress* progress = nullptr;
  return progress;
}

}  // namespace

Progress::Progress(const Context& context, std::string title, std::uint64_t runs)
    : context_(context),
      title_(std::move(title)),
      runs_(runs),
      started_at_ms_(milliseconds_now()),
      next_drawing_at_ms_(started_at_ms_ + (context.progress == ProgressDisplay::lines
                                                ? between_lines_ms
                                                : first_drawing_after_ms)) {
  current() = this;
}

Progress::~Progress() {
  current() = nullptr;
  if (is_drawn_) context_.errors << clear_line << std::flush;
}

bool Progress::ask_between_runs() {
  if (current() != nullptr) current()->count_run();
  return is_interrupted();
}

void Progress::count_run() {
  ++done_;
  if (context_.progress == ProgressDisplay::hidden) return;
  const std::int64_t now_ms = milliseconds_now();
  if (now_ms >= next_drawing_at_ms_) draw(now_ms);
}

void Progress::draw(std::int64_t now_ms) {
  const std::uint64_t finished = done_ - 1;
  const auto elapsed_ms = static_cast<std::uint64_t>(now_ms - started_at_ms_);
  const std::uint64_t rate = finished * 1000 / elapsed_ms;
  const std::uint64_t seconds_left = rate == 0 ? 0 : (runs_ - finished) / rate;
  const std::string line =
      fmt::format("{}  {} of {} runs, {}/s, {} left",
                  reports::shortened(reports::harmless(title_), title_characters_max), finished,
                  runs_, rate, rate == 0 ? "?" : fmt::format("{} s", seconds_left));
  if (context_.progress == ProgressDisplay::lines) {
    context_.errors << line << std::endl;
    next_drawing_at_ms_ = now_ms + between_lines_ms;
    return;
  }
  context_.errors << clear_line << line << std::flush;
  is_drawn_ = true;
  next_drawing_at_ms_ = now_ms + between_drawings_ms;
}

}  // namespace lockstep::app
