#include "app/history/check_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <ostream>
#include <system_error>

#include "app/interruption.h"
#include "app/run/run_files.h"
#include "app/trace/timeline_command.h"
#include "checker/recorded/decide.h"
#include "reports/formats/history_picture.h"
#include "reports/formats/history_report.h"
#include "reports/text.h"
#include "reports/trace/trace_history.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;
namespace recorded = checker::recorded;
using Clock = std::chrono::steady_clock;

constexpr std::string_view standard_input = "-";

std::uint32_t narrow(std::uint64_t number) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(number, UINT32_MAX));
}

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// One `lockstep check`.
class CheckCommand {
 public:
  CheckCommand(const CheckArguments& arguments, const Context& context)
      : arguments_(arguments),
        context_(context),
        name_(arguments.history == standard_input ? "standard input" : arguments.history) {}

  ExitCode run() {
    if (!arguments_.picture.empty()) {
      picture_format_ = picture_format_of(arguments_.picture, PictureFormats::drawn);
    }
    const Clock::time_point begin = Clock::now();
    recorded::ReadResult read;
    try {
      read = read_in();
    } catch (const recorded::HistoryTooLarge& error) {
      print_error(context_, error.what());
      return ExitCode::unknown;
    }
    refuse_unfit(read.history);
    const double read_ms = milliseconds_since(begin);
    const Clock::time_point decide_begin = Clock::now();
    const recorded::Decision decision = decide(read.history);
    const double decided_ms = milliseconds_since(decide_begin);
    const reports::CheckedHistory checked{name_, arguments_.model, read, decision,
                                          arguments_.witness};
    if (arguments_.format == OutputFormat::json) {
      context_.output << reports::json_of(checked).dump(2) << '\n';
    } else {
      context_.output << reports::in_words(checked);
      context_.errors << fmt::format("read in {:.1f} ms, decided in {:.1f} ms\n", read_ms,
                                     decided_ms);
    }
    draw(checked);
    switch (decision.answer) {
      case recorded::Answer::linearizable:
        return ExitCode::as_expected;
      case recorded::Answer::not_linearizable:
        return ExitCode::not_as_expected;
      case recorded::Answer::unknown:
        break;
    }
    return ExitCode::unknown;
  }

 private:
  [[noreturn]] void refuse(recorded::FilePlace place, const std::string& message) const {
    throw scenario::InputError({name_, narrow(place.line), narrow(place.column)},
                               reports::sanitized(message));
  }

  recorded::ReadResult read_in() {
    recorded::ReadOptions options = arguments_.reading;
    options.memory_bytes_max = arguments_.limit_memory_bytes;
    try {
      if (arguments_.history == standard_input) return read_from(std::cin, options);
      std::ifstream stream = open();
      if (!options.format && reports::begins_as_trace(stream)) {
        options.format = recorded::InputFormat::trace;
      }
      return read_from(stream, options);
    } catch (const recorded::ReadError& error) {
      refuse(error.place(), error.what());
    }
  }

  recorded::ReadResult read_from(std::istream& stream, const recorded::ReadOptions& options) const {
    if (options.format != recorded::InputFormat::trace) {
      return recorded::read_history(stream, options);
    }
    return reports::history_of(reports::read_trace(name_, stream));
  }

  std::ifstream open() const {
    std::error_code error;
    if (fs::is_directory(name_, error)) throw scenario::InputError({name_, 0, 0}, "it is a folder");
    std::ifstream stream(name_, std::ios::binary);
    if (stream) return stream;
    throw scenario::InputError(
        {name_, 0, 0}, fmt::format("cannot open it: {}", std::system_category().message(errno)));
  }

  void refuse_unfit(const recorded::History& history) const {
    const auto complaint = recorded::find_misfit(history, arguments_.model);
    if (!complaint) return;
    throw scenario::InputError({name_, history.operations[complaint->operation].invoked_line, 0},
                               reports::sanitized(complaint->what));
  }

  recorded::Decision decide(const recorded::History& history) const {
    const std::uint64_t taken = history.operations.capacity() * sizeof(recorded::Operation);
    const auto until = Clock::now() + std::chrono::milliseconds(arguments_.limit_time_ms);
    checker::Limits limits;
    limits.steps_max = UINT64_MAX;
    limits.memory_bytes_max =
        arguments_.limit_memory_bytes - std::min(taken, arguments_.limit_memory_bytes);
    limits.is_over = [until] { return is_interrupted() || Clock::now() >= until; };
    return recorded::decide(history, arguments_.model, limits, arguments_.settings);
  }

  void draw(const reports::CheckedHistory& checked) const {
    if (arguments_.picture.empty()) return;
    if (checked.decision.answer == recorded::Answer::linearizable) {
      context_.errors << "nothing to draw: the history is linearizable\n";
      return;
    }
    write_picture(arguments_.picture, {reports::draw(checked)}, picture_format_);
    context_.errors << fmt::format("drawn: {}\n", reports::sanitized(arguments_.picture));
  }

  const CheckArguments& arguments_;
  const Context& context_;
  std::string name_;
  reports::PictureFormat picture_format_ = reports::PictureFormat::svg;
};

}  // namespace

ExitCode check(const CheckArguments& arguments, const Context& context) {
  return CheckCommand(arguments, context).run();
}

}  // namespace lockstep::app
