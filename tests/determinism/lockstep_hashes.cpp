// Prints the hash of every run of every scenario, so that builds can be compared with each other
// and with the golden hashes.
//
//   lockstep_hashes [--golden] PATH…            seeds 1 to 3 of each scenario, one line a run
//   lockstep_hashes --seeds N PATH…             seeds 1 to N
//   lockstep_hashes --events --seed N FILE      the run's events, one line each, with its hash
//
// PATH is a scenario file or a folder of them; what it prints is in the order of the arguments.
// --golden puts the version of the model's semantics above. Exit code 2: bad input or usage.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "live/launcher.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/source_file.h"
#include "search/runs/run_record.h"
#include "sim/seeded_choices.h"
#include "sim/versions.h"
#include "tests/support/source_folder.h"

namespace lockstep {
namespace {

enum class Output : std::uint8_t { hashes, golden, events };

struct Arguments {
  Output output = Output::hashes;
  std::uint64_t seed = 1;   // of the events
  std::uint64_t seeds = 3;  // of the hashes
  std::vector<std::filesystem::path> files;
};

void add_files(const std::filesystem::path& path, std::vector<std::filesystem::path>& files) {
  if (!std::filesystem::is_directory(path)) {
    files.push_back(path);
    return;
  }
  const std::size_t first = files.size();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (scenario::is_scenario_file(entry.path())) files.push_back(entry.path());
  }
  std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw std::invalid_argument(fmt::format("'{}' is not a number", text));
  }
  return value;
}

Arguments read_arguments(const std::vector<std::string_view>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--golden") {
      arguments.output = Output::golden;
    } else if (words[i] == "--events") {
      arguments.output = Output::events;
    } else if (words[i] == "--seed" && i + 1 < words.size()) {
      arguments.seed = number(words[++i]);
    } else if (words[i] == "--seeds" && i + 1 < words.size()) {
      arguments.seeds = number(words[++i]);
    } else if (words[i].starts_with("--")) {
      throw std::invalid_argument(fmt::format("'{}' is none of its options", words[i]));
    } else {
      add_files(words[i], arguments.files);
    }
  }
  if (arguments.files.empty()) throw std::invalid_argument("no scenario");
  return arguments;
}

/// "[lease=5s,pause=1s]": one word.
std::string word_of(std::string row) {
  std::erase(row, ' ');
  return row;
}

/// The rows of "FILE", or the one of "FILE[lease=5s]".
std::vector<scenario::Scenario> rows_of(const std::filesystem::path& path) {
  const std::string text = path.string();
  const std::size_t bracket = std::min(text.find('['), text.size());
  std::vector<scenario::Scenario> rows = scenario::load_scenarios(text.substr(0, bracket));
  if (bracket == text.size()) return rows;
  std::erase_if(rows, [&](const scenario::Scenario& row) {
    return word_of(row.row) != text.substr(bracket);
  });
  if (rows.empty()) throw std::invalid_argument(fmt::format("no such row: {}", text));
  return rows;
}

void print_hashes(model::Engine& engine, const std::filesystem::path& file, std::uint64_t seeds) {
  for (const scenario::Scenario& scenario : rows_of(file)) {
    const auto simulation = engine.prepare(scenario);
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      sim::SeededChoices choices(seed);
      const model::RunResult& result = simulation->run(choices);
      fmt::print("{}{} seed={} events={} hash={:016x}\n", scenario.path, word_of(scenario.row),
                 seed, result.event_count, result.hash);
    }
  }
}

void print_events(model::Engine& engine, const std::filesystem::path& file, std::uint64_t seed) {
  const auto simulation = engine.prepare(rows_of(file).front());
  const search::RunRecord example = search::record_seed(*simulation, seed);
  for (std::size_t i = 0; i < example.trace.events.size(); ++i) {
    fmt::print("{} #{:016x}\n", search::describe_event(example.trace, i),
               example.trace.events[i].hash);
  }
}

void run(const Arguments& arguments) {
  live::Launcher programs;
  model::Engine engine({std::filesystem::path(source_folder()) / "scripts"}, &programs);
  if (arguments.output == Output::golden) fmt::print("model_version={}\n", model_version);
  for (const std::filesystem::path& file : arguments.files) {
    if (arguments.output == Output::events) {
      print_events(engine, file, arguments.seed);
    } else {
      print_hashes(engine, file, arguments.seeds);
    }
  }
}

}  // namespace
}  // namespace lockstep

int main(int count, char** words) {
  try {
    lockstep::run(lockstep::read_arguments({words + 1, words + count}));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "lockstep_hashes: {}\n", error.what());
    return 2;
  }
}
