// lockstep check: decides whether a recorded history fits a sequential model.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/command.h"
#include "app/context.h"
#include "app/exit_code.h"
#include "app/interruption.h"
#include "app/output/output_file.h"
#include "app/output/output_place.h"
#include "app/output/picture_file.h"
#include "checker/history.h"
#include "checker/linearizability/limits.h"
#include "checker/recorded/decide.h"
#include "checker/recorded/formats/read_history.h"
#include "checker/recorded/model.h"
#include "reports/formats/history_picture.h"
#include "reports/formats/history_report.h"
#include "reports/text.h"
#include "reports/timeline/timeline.h"
#include "reports/trace/trace_history.h"
#include "scenario/text/source_location.h"
#include "sim/clock.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;
namespace recorded = checker::recorded;
using Clock = std::chrono::steady_clock;

struct CheckArguments {
  std::string history;  ///< a file; "-": standard input
  recorded::Model model = recorded::Model::mutex;
  recorded::ReadOptions reading;
  recorded::Settings settings;
  std::optional<std::string> initial;  ///< a number or a text, depending on the model
  std::uint64_t limit_time_ms = checker::recorded_seconds_max * 1000;
  /// For the history and the search together.
  std::uint64_t limit_memory_bytes = checker::recorded_gib_max << 30U;
  OutputFormat format = OutputFormat::text;
  reports::Witness witness = reports::Witness::left_out;
  std::string picture;      ///< a file to draw a violation in; empty: none
  std::string explanation;  ///< a file for all lines of the explanation; empty: none
};

constexpr std::string_view standard_input = "-";

std::uint32_t narrow(std::uint64_t number) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(number, UINT32_MAX));
}

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// As expected if the history is linearizable, not as expected if it isn't, unknown if a limit came
/// first.
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
    write_explanation(checked);
    switch (decision.answer) {
      case recorded::Answer::linearizable:
        return ExitCode::as_expected;
      case recorded::Answer::not_linearizable:
        return ExitCode::not_as_expected;
      case recorded::Answer::unknown:
        return ExitCode::unknown;
    }
    return ExitCode::unknown;
  }

 private:
  [[noreturn]] void refuse(recorded::FilePlace place, const std::string& message) const {
    throw scenario::InputError(
        scenario::SourceLocation{name_, narrow(place.line), narrow(place.column)},
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
    if (fs::is_directory(name_, error)) throw scenario::InputError::about(name_, "it is a folder");
    std::ifstream stream(name_, std::ios::binary);
    if (stream) return stream;
    throw scenario::InputError::about(
        name_, fmt::format("cannot open it: {}", std::system_category().message(errno)));
  }

  void refuse_unfit(const recorded::History& history) const {
    const auto complaint = recorded::find_misfit(history, arguments_.model);
    if (!complaint) return;
    throw scenario::InputError(
        scenario::SourceLocation{name_, history.operations[complaint->operation].invoked_line, 0},
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

  void write_explanation(const reports::CheckedHistory& checked) const {
    if (arguments_.explanation.empty()) return;
    if (checked.decision.answer == recorded::Answer::linearizable) {
      context_.errors << "nothing to explain: the history is linearizable\n";
      return;
    }
    write_file(arguments_.explanation, [&checked](std::ostream& stream) {
      stream << reports::explanation_in_words(checked);
    });
    context_.errors << fmt::format("written: {}\n", reports::sanitized(arguments_.explanation));
  }

  const CheckArguments& arguments_;
  const Context& context_;
  std::string name_;
  reports::PictureFormat picture_format_ = reports::PictureFormat::svg;
};

ExitCode run_check(const CheckArguments& arguments, const Context& context) {
  return CheckCommand(arguments, context).run();
}

recorded::Model read_model(const std::string& word) {
  if (const auto model = recorded::model_from(word)) return *model;
  std::vector<std::string_view> names;
  for (const recorded::Model each : recorded::all_models()) {
    names.push_back(recorded::to_string(each));
  }
  refuse_word("--model", word, "a model (lockstep list models)", names);
}

recorded::Failures read_failures(std::string_view name, const std::string& word) {
  constexpr std::array<std::string_view, 2> words = {"ignored", "observed"};
  return static_cast<recorded::Failures>(read_choice(name, word, words));
}

void add_reading(CLI::App& command, recorded::ReadOptions& reading) {
  add_word(
      command, "--input-format", "FORMAT",
      [&reading](const std::string& word) {
        reading.format = static_cast<recorded::InputFormat>(
            read_choice("--input-format", word, recorded::input_format_names));
      },
      "jsonl, edn, jepsen-log or trace; without it, what the file looks like");
  add_word(
      command, "--keyed", "WORD",
      [&reading](const std::string& word) {
        constexpr std::array<std::string_view, 3> words = {"auto", "yes", "no"};
        reading.keyed = static_cast<recorded::KeyedValues>(read_choice("--keyed", word, words));
      },
      "Whether values are pairs of a key and a value: yes, no, or auto (as the first one is)");
  command.add_flag_callback(
      "--ignore-times", [&reading] { reading.times = recorded::EventTimes::ignored; },
      "Let times go back, and go by the order of the file alone");
}

void add_settings(CLI::App& command, CheckArguments& arguments) {
  recorded::Settings& settings = arguments.settings;
  add_word(
      command, "--failed-acquire", "WORD",
      [&settings](const std::string& word) {
        settings.failed_lock_operations = read_failures("--failed-acquire", word);
      },
      "What a failed operation on a lock says: ignored (nothing, the default) or observed (it\n"
      "was refused)");
  add_word(
      command, "--failed-cas", "WORD",
      [&settings](const std::string& word) {
        settings.failed_compare_and_sets = read_failures("--failed-cas", word);
      },
      "What a failed cas says: observed (the value differed, the default) or ignored");
  add_word(
      command, "--initial", "VALUE",
      [&arguments](const std::string& word) { arguments.initial = word; },
      "A register's first value (nil), a semaphore's permits (1), a latch's count (1)");
  add_word(
      command, "--drift", "PPM",
      [&settings](const std::string& word) {
        settings.declared_drift_ppm = static_cast<std::int64_t>(read_whole_number("--drift", word));
      },
      "By how much a lease's clock may differ from the history's (0)");
}

void add_limits(CLI::App& command, CheckArguments& arguments) {
  add_word(
      command, "--limit-time", "TIME",
      [&arguments](const std::string& word) {
        arguments.limit_time_ms = read_milliseconds("--limit-time", word);
      },
      fmt::format("After this the answer is unknown ({}s)", checker::recorded_seconds_max));
  add_word(
      command, "--limit-memory", "SIZE",
      [&arguments](const std::string& word) {
        arguments.limit_memory_bytes = read_bytes("--limit-memory", word);
      },
      fmt::format("Beyond this the answer is unknown ({}GiB)", checker::recorded_gib_max));
}

void add_options(CLI::App& command, CheckArguments& arguments) {
  command.add_option("HISTORY", arguments.history, "A file with a history; - is standard input")
      ->required()
      ->type_name("");
  add_word(
      command, "--model", "NAME",
      [&arguments](const std::string& word) { arguments.model = read_model(word); },
      "What the history is held to: lockstep list models")
      ->required();
  writes_to(add_word(
                command, "-o,--out", "FILE",
                [&arguments](const std::string& path) { arguments.picture = path; },
                "Draw what can't be explained: a .svg, .png, .pdf or .dot"),
            OutputPlace::file);
  writes_to(add_word(
                command, "--explanation", "FILE",
                [&arguments](const std::string& path) { arguments.explanation = path; },
                "Write the whole explanation to FILE; the console shows at most 40 lines of it"),
            OutputPlace::file);
  command.add_flag_callback(
      "--witness", [&arguments] { arguments.witness = reports::Witness::told; },
      "Tell the order that explains what is linearizable");
  add_reading(command, arguments.reading);
  add_settings(command, arguments);
  add_limits(command, arguments);
  add_format(command, arguments.format);
}

void read_initial(const CLI::App& /*command*/, CheckArguments& arguments) {
  if (!arguments.initial) return;
  const bool is_counted =
      arguments.model == recorded::Model::semaphore || arguments.model == recorded::Model::latch;
  if (!is_counted) {
    arguments.settings.initial_value = *arguments.initial;
    return;
  }
  const std::uint64_t number = read_whole_number("--initial", *arguments.initial);
  if (number > INT64_MAX) refuse_word("--initial", *arguments.initial, "a whole number of 63 bits");
  arguments.settings.initial_number = static_cast<std::int64_t>(number);
}

}  // namespace

CommandDescription check_command() {
  return describe_command<CheckArguments>(
      {.name = "check",
       .summary = "Tell whether a recorded history is linearizable",
       .examples = "lockstep check histories/double-hold.edn --model owned-mutex",
       .exit_codes = "Exit codes: 0 linearizable, 1 not, 2 bad input or usage, 3 unknown."},
      {.add_options = add_options,
       .complete = read_initial,
       .format = [](const CheckArguments& arguments) { return arguments.format; },
       .run = run_check});
}

}  // namespace lockstep::app
