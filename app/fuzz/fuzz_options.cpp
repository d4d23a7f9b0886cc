#include "app/fuzz/fuzz_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <thread>

#include "app/option_words.h"
#include "search/fuzz/strategy.h"

namespace lockstep::app {
namespace {

constexpr std::array<std::string_view, 1> annotation_words = {"github"};
constexpr std::uint64_t jobs_max = 1'024;

/// As many as fit into any budget of time.
constexpr std::uint64_t runs_without_end = 1'000'000'000'000;

search::StrategyKind read_strategy(const std::string& word) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < search::strategy_count; ++i) {
    words.push_back(search::to_string(static_cast<search::StrategyKind>(i)));
  }
  return static_cast<search::StrategyKind>(read_choice("--strategy", word, words));
}

/// "2/5" is the second of five.
void read_shard(const std::string& word, search::FuzzPlan& plan) {
  const std::size_t slash = word.find('/');
  if (slash == std::string::npos) refuse_word("--shard", word, "K/N, as in 2/5");
  const std::uint64_t number = read_whole_number("--shard", word.substr(0, slash));
  plan.shards = read_whole_number("--shard", word.substr(slash + 1));
  if (number == 0 || number > plan.shards) {
    refuse_word("--shard", word, "K/N with K from 1 to N, as in 2/5");
  }
  plan.shard = number - 1;
}

}  // namespace

void FuzzOptions::add_to(CLI::App& command) {
  command
      .add_option("TARGET", arguments_.targets,
                  "Scenario files or folders of them, names of locks, or folders with a lock.toml")
      ->required()
      ->type_name("");
  arguments_.jobs = std::max(1U, std::thread::hardware_concurrency());
  add_budget(command);
  add_plan(command);
  add_output(command);
}

void FuzzOptions::add_budget(CLI::App& command) {
  command
      .add_option_function<std::string>(
          "--runs",
          [this](const std::string& word) {
            arguments_.plan.runs = read_whole_number("--runs", word);
            is_runs_given_ = true;
          },
          "Make so many runs of each target (10000)")
      ->type_name("N");
  command
      .add_option_function<std::string>(
          "--time",
          [this](const std::string& word) {
            arguments_.time_ms = read_milliseconds("--time", word);
          },
          "Stop after so long, for all targets together: 60s, 10m")
      ->type_name("DURATION");
  command
      .add_option_function<std::string>(
          "--jobs",
          [this](const std::string& word) { arguments_.jobs = read_whole_number("--jobs", word); },
          "Work with so many threads (one for each core); the result is the same")
      ->type_name("N");
}

void FuzzOptions::add_plan(CLI::App& command) {
  command
      .add_option_function<std::string>(
          "--seed",
          [this](const std::string& word) {
            arguments_.plan.root_seed = read_whole_number("--seed", word);
          },
          "The seed that the runs' seeds are derived from (1)")
      ->type_name("N");
  command
      .add_option_function<std::string>(
          "--strategy",
          [this](const std::string& word) { arguments_.plan.strategy = read_strategy(word); },
          "uniform, swarm, pct, partial-order, delay-bounded, mutation, branching, or portfolio\n"
          "(the default): all of them in turn")
      ->type_name("WORD");
  command.add_flag_callback(
      "--keep-going",
      [this] { arguments_.plan.after_finding = search::FuzzPlan::AfterFinding::go_on; },
      "Go on after the first finding of a target");
  command
      .add_option_function<std::string>(
          "--shard",
          [this](const std::string& word) {
            read_shard(word, arguments_.plan);
            arguments_.record = FuzzArguments::Record::written;
          },
          "Make the Kth of N parts of the runs, as one of N machines; merge joins them")
      ->type_name("K/N");
}

void FuzzOptions::add_output(CLI::App& command) {
  command
      .add_option_function<std::string>(
          "--corpus", [this](const std::string& path) { arguments_.corpus_folder = path; },
          "Begin with the runs kept in DIR/TARGET, and keep there those that get further")
      ->type_name("DIR");
  add_fuzz_output(command, arguments_.output);
}

void add_fuzz_output(CLI::App& command, FuzzOutput& output) {
  command
      .add_option("-o,--out", output.folder,
                  "Write what is found here: scenarios, traces, timelines (lockstep-out)")
      ->type_name("DIR");
  command
      .add_option_function<std::string>(
          "--junit", [&output](const std::string& path) { output.junit = path; },
          "Write the results as JUnit XML")
      ->type_name("FILE");
  command
      .add_option_function<std::string>(
          "--html", [&output](const std::string& path) { output.html = path; },
          "Write an HTML report, in which findings can be stepped through")
      ->type_name("FILE");
  command
      .add_option_function<std::string>(
          "--annotations",
          [&output](const std::string& word) {
            (void)read_choice("--annotations", word, annotation_words);
            output.annotations = FuzzOutput::Annotations::github;
          },
          "github: say findings so that they show in a pull request")
      ->type_name("WORD");
}

FuzzArguments FuzzOptions::arguments() const {
  FuzzArguments arguments = arguments_;
  if (arguments.plan.runs == 0) throw CLI::ValidationError("--runs: expected at least 1");
  if (arguments.jobs == 0 || arguments.jobs > jobs_max) {
    throw CLI::ValidationError(fmt::format("--jobs: expected a number from 1 to {}", jobs_max));
  }
  if (arguments.time_ms && !is_runs_given_) arguments.plan.runs = runs_without_end;
  return arguments;
}

}  // namespace lockstep::app
