#include "app/explore/explore_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <thread>

#include "app/option_words.h"

namespace lockstep::app {
namespace {

constexpr std::array<std::string_view, 2> place_words = {"own", "every"};
constexpr std::uint64_t explore_jobs_max = 1'024;
constexpr std::uint64_t steps_max = 1'000;
constexpr std::uint64_t count_max = 1'000'000;

void add_bounded_count(CLI::App& command, const std::string& name, std::uint64_t least,
                       std::uint64_t most, const std::function<void(std::uint64_t)>& take,
                       const std::string& summary) {
  command
      .add_option_function<std::string>(
          name,
          [=](const std::string& word) {
            const std::uint64_t number = read_whole_number(name, word);
            if (number < least || number > most) {
              refuse_word(name, word, fmt::format("a number from {} to {}", least, most));
            }
            take(number);
          },
          summary)
      ->type_name("N");
}

}  // namespace

void ExploreOptions::add_to(CLI::App& command) {
  command.add_option("PATH", arguments_.paths, "Scenario files, or folders of them")
      ->required()
      ->type_name("");
  arguments_.jobs = std::max(1U, std::thread::hardware_concurrency());
  add_bounds(command);
  add_search(command);
  add_output(command);
}

void ExploreOptions::add_bounds(CLI::App& command) {
  search::ExploreBounds& bounds = arguments_.plan.bounds;
  const auto small = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
  add_bounded_count(
      command, "--faults", 0, count_max,
      [&bounds, small](std::uint64_t number) { bounds.faults_max = small(number); },
      "At most so many faults in a run, where the file leaves them open (its budget)");
  add_bounded_count(
      command, "--delay-steps", 1, steps_max,
      [&bounds, small](std::uint64_t number) { bounds.delay_steps = small(number); },
      "So many values of each range of delays (2: the least and the most)");
  add_bounded_count(
      command, "--range-steps", 1, steps_max,
      [&bounds, small](std::uint64_t number) { bounds.range_steps = small(number); },
      "So many values of each other range (2)");
  add_bounded_count(
      command, "--deviations", 0, count_max,
      [&bounds, small](std::uint64_t number) { bounds.deviations_max = small(number); },
      "At most so many choices of a run other than the least (all of them)");
  command
      .add_option_function<std::string>(
          "--fault-places",
          [&bounds](const std::string& word) {
            bounds.places =
                static_cast<search::FaultPlaces>(read_choice("--fault-places", word, place_words));
          },
          "own (the default): a fault strikes just before a step of whom it is about;\n"
          "every: before any step")
      ->type_name("WORD");
}

void ExploreOptions::add_search(CLI::App& command) {
  command.add_flag_callback(
      "--no-merging", [this] { arguments_.plan.bounds.merging = search::Merging::none; },
      "Make every run to its end, also where its state was reached before: decides all\n"
      "properties, and takes long");
  command.add_flag_callback(
      "--no-reduction", [this] { arguments_.plan.bounds.reduction = search::Reduction::none; },
      "Look at no state ahead of the run that leads to it: the same verdicts, slowly");
  command.add_flag_callback(
      "--keep-going",
      [this] { arguments_.plan.after_finding = search::Exploration::Plan::AfterFinding::go_on; },
      "Go on after a counterexample, until all is searched");
  add_bounded_count(
      command, "--jobs", 1, explore_jobs_max,
      [this](std::uint64_t number) { arguments_.jobs = number; },
      "Work with so many threads (one for each core); the result is the same");
  command
      .add_option_function<std::string>(
          "--limit-memory",
          [this](const std::string& word) {
            arguments_.memory_bytes_max = read_bytes("--limit-memory", word);
          },
          "Stop when states and paths take so much: 512MiB, 8GiB (4GiB)")
      ->type_name("SIZE");
  command
      .add_option_function<std::string>(
          "--resume", [this](const std::string& path) { arguments_.resume = path; },
          "Go on with a search of this file that was interrupted")
      ->type_name("STATE");
}

void ExploreOptions::add_output(CLI::App& command) {
  command
      .add_option_function<std::string>(
          "--out",
          [this](const std::string& folder) {
            arguments_.output_folder = folder;
            arguments_.saves_certificates = true;
          },
          "Write certificates and counterexamples here (lockstep-out, counterexamples only)")
      ->type_name("DIR");
}

ExploreArguments ExploreOptions::arguments() const {
  if (arguments_.resume && arguments_.paths.size() != 1) {
    throw CLI::ValidationError("--resume goes on with one file; expected one PATH");
  }
  return arguments_;
}

}  // namespace lockstep::app
