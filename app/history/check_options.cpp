#include "app/history/check_options.h"

#include <array>
#include <optional>
#include <vector>

#include "app/option_words.h"
#include "checker/recorded/model.h"

namespace lockstep::app {
namespace {

namespace recorded = checker::recorded;

constexpr std::array<std::string_view, 3> keyed_words = {"auto", "yes", "no"};
constexpr std::array<std::string_view, 2> failure_words = {"ignored", "observed"};

recorded::Model read_model(const std::string& word) {
  if (const auto model = recorded::model_from(word)) return *model;
  std::vector<std::string_view> names;
  for (const recorded::Model each : recorded::all_models()) {
    names.push_back(recorded::to_string(each));
  }
  refuse_word("--model", word, "a model (lockstep list models)", names);
}

template <typename Fill>
void add_word(CLI::App& command, const std::string& name, const std::string& type, Fill fill,
              const std::string& summary) {
  command.add_option_function<std::string>(name, fill, summary)->type_name(type);
}

}  // namespace

void CheckOptions::add_to(CLI::App& command) {
  command.add_option("HISTORY", arguments_.history, "A file with a history; - is standard input")
      ->required()
      ->type_name("");
  command
      .add_option_function<std::string>(
          "--model", [this](const std::string& word) { arguments_.model = read_model(word); },
          "What the history is held to: lockstep list models")
      ->required()
      ->type_name("NAME");
  add_word(
      command, "--out", "FILE", [this](const std::string& path) { arguments_.picture = path; },
      "Draw what can't be explained: a .svg, .png, .pdf or .dot");
  command.add_flag_callback(
      "--witness", [this] { arguments_.witness = reports::Witness::told; },
      "Tell the order that explains what is linearizable");
  add_reading(command);
  add_settings(command);
  add_limits(command);
}

void CheckOptions::add_reading(CLI::App& command) {
  add_word(
      command, "--input-format", "FORMAT",
      [this](const std::string& word) {
        arguments_.reading.format = static_cast<recorded::InputFormat>(
            read_choice("--input-format", word, recorded::input_format_names));
      },
      "jsonl, edn, jepsen-log or trace; without it, what the file looks like");
  add_word(
      command, "--keyed", "WORD",
      [this](const std::string& word) {
        arguments_.reading.keyed =
            static_cast<recorded::KeyedValues>(read_choice("--keyed", word, keyed_words));
      },
      "Whether values are pairs of a key and a value: yes, no, or auto (as the first one is)");
  command.add_flag_callback(
      "--ignore-times", [this] { arguments_.reading.times = recorded::EventTimes::ignored; },
      "Let times go back, and go by the order of the file alone");
}

void CheckOptions::add_settings(CLI::App& command) {
  const auto failures = [](std::string_view name, const std::string& word) {
    return static_cast<recorded::Failures>(read_choice(name, word, failure_words));
  };
  add_word(
      command, "--failed-acquire", "WORD",
      [this, failures](const std::string& word) {
        arguments_.settings.failed_lock_operations = failures("--failed-acquire", word);
      },
      "What a failed operation on a lock says: ignored (nothing, the default) or observed (it\n"
      "was refused)");
  add_word(
      command, "--failed-cas", "WORD",
      [this, failures](const std::string& word) {
        arguments_.settings.failed_compare_and_sets = failures("--failed-cas", word);
      },
      "What a failed cas says: observed (the value differed, the default) or ignored");
  add_word(
      command, "--initial", "VALUE", [this](const std::string& word) { initial_ = word; },
      "A register's first value (nil), a semaphore's permits (1), a latch's count (1)");
  add_word(
      command, "--drift", "PPM",
      [this](const std::string& word) {
        arguments_.settings.declared_drift_ppm =
            static_cast<std::int64_t>(read_whole_number("--drift", word));
      },
      "By how much a lease's clock may differ from the history's (0)");
}

void CheckOptions::add_limits(CLI::App& command) {
  add_word(
      command, "--limit-time", "TIME",
      [this](const std::string& word) {
        arguments_.limit_time_ms = read_milliseconds("--limit-time", word);
      },
      "After this the answer is unknown (60s)");
  add_word(
      command, "--limit-memory", "SIZE",
      [this](const std::string& word) {
        arguments_.limit_memory_bytes = read_bytes("--limit-memory", word);
      },
      "Beyond this the answer is unknown (4GiB)");
}

CheckArguments CheckOptions::arguments() const {
  CheckArguments arguments = arguments_;
  if (!initial_) return arguments;
  const bool is_counted =
      arguments.model == recorded::Model::semaphore || arguments.model == recorded::Model::latch;
  if (!is_counted) {
    arguments.settings.initial_value = *initial_;
    return arguments;
  }
  const std::uint64_t number = read_whole_number("--initial", *initial_);
  if (number > INT64_MAX) refuse_word("--initial", *initial_, "a whole number of 63 bits");
  arguments.settings.initial_number = static_cast<std::int64_t>(number);
  return arguments;
}

}  // namespace lockstep::app
