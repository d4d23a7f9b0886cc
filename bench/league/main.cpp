// lockstep_league [--runs N] [--roots N] [--format json] FILE…: after how many runs open scenarios
// find what they expect to be violated.
//
// A root is a range of seeds of its own: the first has 1, 2, …, the second those behind the most
// runs of the first. A scenario is found from a root once each property that it expects to be
// violated was so in some run. A property that it expects to hold and that broke is said, with the
// first seed: this program looks for false alarms, too (--all makes every run, found or not).
// Exit code 1: something broke that was to hold, or was found from fewer than 19 of 20 roots.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "model/input_error.h"
#include "model/scenario/scenario_file.h"
#include "model/simulation/engine.h"
#include "sim/seeded_choices.h"

namespace lockstep::bench {
namespace {

struct Options {
  std::uint64_t runs = 10'000;  // of one root, at most
  std::uint64_t roots = 20;
  bool makes_all_runs = false;
  bool is_json = false;
  std::vector<std::string> files;
};

/// What one scenario came to.
struct Row {
  std::string file;
  bool expects_violation = false;
  std::vector<std::uint64_t> runs_to_find;                   // of the roots that found it, in order
  std::map<std::string, std::uint64_t> broken_expectations;  // first seed, by property
  std::uint64_t runs_made = 0;
  std::uint64_t runs_unfinished = 0;  // ended by the horizon or by the event limit
  double seconds = 0;
};

double seconds_of_processor() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

bool contains(const std::vector<checker::Property>& properties, checker::Property property) {
  return std::find(properties.begin(), properties.end(), property) != properties.end();
}

/// Runs one root after another.
class Searcher {
 public:
  Searcher(const model::Scenario& scenario, model::Engine& engine, const Options& options, Row& row)
      : expect_(scenario.expect),
        simulation_(engine.prepare(scenario)),
        options_(options),
        row_(row) {
    row_.expects_violation = !expect_.violates.empty();
  }

  void search(std::uint64_t first_seed) {
    std::vector<checker::Property> missing = expect_.violates;
    bool is_found = missing.empty();
    sim::SeededChoices choices(first_seed);
    for (std::uint64_t run = 1; run <= options_.runs; ++run) {
      const std::uint64_t seed = first_seed + run - 1;
      choices.reset(seed);
      judge(simulation_->run(choices), seed, missing);
      if (is_found || !missing.empty()) continue;
      is_found = true;
      row_.runs_to_find.push_back(run);
      if (!options_.makes_all_runs) return;
    }
  }

 private:
  void judge(const model::RunResult& result, std::uint64_t seed,
             std::vector<checker::Property>& missing) {
    ++row_.runs_made;
    if (result.end != model::RunEnd::at_rest) ++row_.runs_unfinished;
    if (!result.client_failures.empty()) {
      row_.broken_expectations.emplace("the client half failed", seed);
    }
    for (const checker::Verdict& verdict : *result.verdicts) {
      if (verdict.kind != checker::VerdictKind::violated) continue;
      std::erase(missing, verdict.property);
      if (!contains(expect_.holds, verdict.property)) continue;
      row_.broken_expectations.emplace(checker::to_string(verdict.property), seed);
    }
  }

  model::Expectation expect_;
  std::unique_ptr<model::Simulation> simulation_;
  const Options& options_;
  Row& row_;
};

/// A known bug has to be found from 19 of 20 roots: of fewer roots, from all but a twentieth.
bool is_found_too_seldom(const Row& row, const Options& options) {
  constexpr std::uint64_t roots_of_which_one_may_fail = 20;
  return row.expects_violation &&
         row.runs_to_find.size() < options.roots - options.roots / roots_of_which_one_may_fail;
}

/// Of all roots; those that found nothing count as endless, told by 0.
std::uint64_t percentile(const Row& row, const Options& options, std::uint64_t percent) {
  const std::uint64_t rank = (options.roots * percent + 99) / 100;
  return rank <= row.runs_to_find.size() ? row.runs_to_find[rank - 1] : 0;
}

std::string runs_in_words(std::uint64_t runs) { return runs == 0 ? "-" : std::to_string(runs); }

void print_text(const Row& row, const Options& options) {
  fmt::print("| {} | {} | {} | {} of {} | {:.0f} |", row.file,
             runs_in_words(percentile(row, options, 50)),
             runs_in_words(percentile(row, options, 90)), row.runs_to_find.size(), options.roots,
             static_cast<double>(row.runs_made) / row.seconds);
  if (row.runs_unfinished > 0) fmt::print(" {} runs were cut short.", row.runs_unfinished);
  for (const auto& [property, seed] : row.broken_expectations) {
    fmt::print(" {} was expected to hold, and broke with seed {}.", property, seed);
  }
  if (is_found_too_seldom(row, options)) fmt::print(" FOUND TOO SELDOM.");
  fmt::print("\n");
  std::fflush(stdout);
}

nlohmann::ordered_json to_json(const Row& row, const Options& options) {
  return {{"scenario", row.file},
          {"roots", options.roots},
          {"runs_at_most", options.runs},
          {"found", row.runs_to_find.size()},
          {"median", percentile(row, options, 50)},
          {"p90", percentile(row, options, 90)},
          {"runs_to_find", row.runs_to_find},
          {"runs", row.runs_made},
          {"runs_cut_short", row.runs_unfinished},
          {"broken_expectations", row.broken_expectations},
          {"seconds", row.seconds}};
}

Row measure(const std::string& file, model::Engine& engine, const Options& options) {
  Row row;
  row.file = std::filesystem::path(file).stem().string();
  const double start = seconds_of_processor();
  Searcher searcher(model::load_scenario(file), engine, options, row);
  for (std::uint64_t root = 0; root < options.roots; ++root)
    searcher.search(1 + root * options.runs);
  std::sort(row.runs_to_find.begin(), row.runs_to_find.end());
  row.seconds = seconds_of_processor() - start;
  return row;
}

std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) {
    throw std::invalid_argument(fmt::format("'{}' is no count; expected 1 or more", text));
  }
  return number;
}

Options read_arguments(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--all") {
      options.makes_all_runs = true;
    } else if (!word.starts_with("--")) {
      options.files.push_back(word);
    } else if (++i == arguments.size()) {
      throw std::invalid_argument(fmt::format("{} needs a value", word));
    } else if (word == "--runs") {
      options.runs = number_of(arguments[i]);
    } else if (word == "--roots") {
      options.roots = number_of(arguments[i]);
    } else if (word == "--format" && (arguments[i] == "json" || arguments[i] == "text")) {
      options.is_json = arguments[i] == "json";
    } else {
      throw std::invalid_argument(
          fmt::format("unknown: {} {} (expected --runs N, --roots N, --all, --format json)", word,
                      arguments[i]));
    }
  }
  if (options.files.empty()) throw std::invalid_argument("expected scenario files");
  return options;
}

int run_league(const Options& options) {
  model::Engine engine({std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "scripts"});
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  bool is_as_expected = true;
  if (!options.is_json) {
    fmt::print(
        "| open scenario | median | p90 | found | runs/s |\n| --- | ---: | ---: | ---: | ---: |\n");
  }
  for (const std::string& file : options.files) {
    const Row row = measure(file, engine, options);
    is_as_expected &= row.broken_expectations.empty() && !is_found_too_seldom(row, options);
    if (options.is_json) {
      rows.push_back(to_json(row, options));
    } else {
      print_text(row, options);
    }
  }
  if (options.is_json) fmt::print("{}\n", rows.dump(2));
  return is_as_expected ? 0 : 1;
}

}  // namespace
}  // namespace lockstep::bench

int main(int count, char** arguments) {
  try {
    return lockstep::bench::run_league(lockstep::bench::read_arguments(
        std::vector<std::string>(arguments + 1, arguments + count)));
  } catch (const std::exception& error) {
    fmt::print(stderr, "lockstep_league: {}\n", error.what());
    return 2;
  }
}
