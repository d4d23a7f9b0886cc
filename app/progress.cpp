#include "app/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/interruption.h"
#include "reports/text.h"

namespace lockstep::app {
namespace {

constexpr std::size_t title_characters_max = 30;

/// The search calls a plain function, which needs this to find the progress.
Progress*& current() {
  static Progress* progress = nullptr;  // NOLINT(*-non-const-global-variables)
  return progress;
}

}  // namespace

Progress::Progress(const Context& context, std::uint64_t scenarios, std::uint64_t runs_each)
    : line_(context), scenarios_(scenarios), runs_each_(runs_each) {
  current() = this;
}

Progress::~Progress() { current() = nullptr; }

void Progress::replace_one_by(std::uint64_t scenarios) { scenarios_ = scenarios_ - 1 + scenarios; }

void Progress::begin(std::string title) {
  title_ = std::move(title);
  ++begun_;
}

bool Progress::ask_between_runs() {
  if (current() != nullptr) current()->count_run();
  return is_interrupted();
}

void Progress::count_runs(std::uint64_t runs) {
  done_ += runs;
  if (!line_.is_due()) return;
  const std::uint64_t finished = done_ - 1;
  const std::uint64_t rate = finished * 1000 / line_.elapsed_ms();
  const std::uint64_t all = scenarios_ * runs_each_;
  const std::uint64_t seconds_left = rate == 0 ? 0 : (all - std::min(all, finished)) / rate;
  const std::string which =
      scenarios_ == 1 ? std::string() : fmt::format("{} of {}: ", begun_, scenarios_);
  line_.draw(fmt::format("{}{}  {} of {} runs, {}/s, {} left", which,
                         reports::shortened(reports::sanitized(title_), title_characters_max),
                         finished, all, rate, rate == 0 ? "?" : fmt::format("{} s", seconds_left)));
}

}  // namespace lockstep::app
