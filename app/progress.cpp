#include "app/progress.h"

#include <fmt/format.h>

#include <utility>

#include "app/interruption.h"
#include "reports/text.h"

namespace lockstep::app {
namespace {

constexpr std::size_t title_characters_max = 30;

/// The campaign asks a plain function, which has nothing else to find the progress by.
Progress*& current() {
  static Progress* progress = nullptr;
  return progress;
}

}  // namespace

Progress::Progress(const Context& context, std::string title, std::uint64_t runs)
    : line_(context), title_(std::move(title)), runs_(runs) {
  current() = this;
}

Progress::~Progress() { current() = nullptr; }

bool Progress::ask_between_runs() {
  if (current() != nullptr) current()->count_run();
  return is_interrupted();
}

void Progress::count_run() {
  ++done_;
  if (!line_.is_due()) return;
  const std::uint64_t finished = done_ - 1;
  const std::uint64_t rate = finished * 1000 / line_.elapsed_ms();
  const std::uint64_t seconds_left = rate == 0 ? 0 : (runs_ - finished) / rate;
  line_.draw(fmt::format("{}  {} of {} runs, {}/s, {} left",
                         reports::shortened(reports::harmless(title_), title_characters_max),
                         finished, runs_, rate,
                         rate == 0 ? "?" : fmt::format("{} s", seconds_left)));
}

}  // namespace lockstep::app
