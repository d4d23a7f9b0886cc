// lockstep_league [--strategy WORD|all] [--runs N] [--roots N] [--all] [--format json] FILE…: after
// how many runs a search finds in open scenarios what they expect to be violated.
//
// Each root is a search with a root seed of its own, as `lockstep fuzz --seed ROOT --jobs 1` makes
// it. A scenario is found from a root once each property that it expects to be violated was so in
// some run. A property that it expects to hold and that broke is said, with root and run: this
// program looks for false alarms, too (--all makes every run, found or not). Exit code 1: something
// broke that was to hold, or was found from fewer than 19 of 20 roots by the portfolio, or by the
// only strategy that was asked for.
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

#include "checker/property.h"
#include "model/engine/engine.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "search/fuzz/fuzz.h"
#include "tests/support/source_folder.h"

namespace lockstep::bench {
namespace {

struct Options {
  std::vector<search::StrategyKind> strategies{search::StrategyKind::portfolio};
  std::uint64_t runs = 10'000;  // of one root, at most
  std::uint64_t roots = 20;
  bool makes_all_runs = false;
  bool is_json = false;
  std::vector<std::string> files;
};

/// What one scenario came to with one strategy.
struct Row {
  search::StrategyKind strategy{};
  bool expects_violation = false;
  std::vector<std::uint64_t> runs_to_find;                 // of the roots that found it, in order
  std::map<std::string, std::string> broken_expectations;  // where first, by property
  std::uint64_t runs_made = 0;
  std::uint64_t runs_unfinished = 0;  // ended by the horizon or by the event limit
  double seconds = 0;
};

double seconds_of_processor() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Searches from one root after another.
class Searcher {
 public:
  Searcher(const scenario::Scenario& scenario, model::Engine& engine, const Options& options,
           Row& row)
      : scenario_(scenario),
        engine_(engine),
        simulation_(engine.prepare(scenario)),
        options_(options),
        row_(row) {
    row_.expects_violation = !scenario.expect.violates.empty();
  }

  void search(std::uint64_t root_seed) {
    search::FuzzPlan plan;
    plan.root_seed = root_seed;
    plan.runs = options_.runs;
    plan.strategy = row_.strategy;
    if (options_.makes_all_runs) plan.after_finding = search::FuzzPlan::AfterFinding::go_on;
    search::FuzzResult result;
    for (std::uint64_t batch = 0; batch < plan.batches(); ++batch) {
      search::add_batch(result,
                        search::fuzz_batch(scenario_, plan, batch, engine_, *simulation_, nullptr));
      if (!options_.makes_all_runs && search::is_enough(result.outcome)) break;
    }
    judge(result.outcome, root_seed);
  }

 private:
  void judge(const search::ScenarioOutcome& outcome, std::uint64_t root_seed) {
    row_.runs_made += outcome.runs;
    row_.runs_unfinished += outcome.runs_out_of_time + outcome.runs_out_of_events;
    if (outcome.client_failures.runs > 0) {
      blame("the client model's freedom from mistakes", root_seed,
            outcome.client_failures.first_seed);
    }
    std::uint64_t found_in_run = 0;
    bool is_found = true;
    for (const search::PropertySummary& each : outcome.properties) {
      if (each.expected == search::Expected::holds && each.violated > 0) {
        blame(checker::to_string(each.property), root_seed, each.first_violating_seed);
      }
      if (each.expected != search::Expected::violated) continue;
      is_found = is_found && each.violated > 0;
      found_in_run = std::max(found_in_run, each.first_violating_seed);
    }
    if (is_found && row_.expects_violation) row_.runs_to_find.push_back(found_in_run);
  }

  void blame(std::string_view what, std::uint64_t root_seed, std::uint64_t run) {
    row_.broken_expectations.emplace(what, fmt::format("run {} of root {}", run, root_seed));
  }

  const scenario::Scenario& scenario_;
  model::Engine& engine_;
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

/// Whether it is to find what there is: of several, only the portfolio is.
bool counts(const Row& row, const Options& options) {
  return options.strategies.size() == 1 || row.strategy == search::StrategyKind::portfolio;
}

/// Of all roots; those that found nothing count as endless, told by 0.
std::uint64_t percentile(const Row& row, const Options& options, std::uint64_t percent) {
  const std::uint64_t rank = (options.roots * percent + 99) / 100;
  return rank <= row.runs_to_find.size() ? row.runs_to_find[rank - 1] : 0;
}

std::string runs_in_words(std::uint64_t runs) { return runs == 0 ? "-" : std::to_string(runs); }

void print_heads(const Options& options) {
  fmt::print("| open scenario |");
  for (const search::StrategyKind strategy : options.strategies)
    fmt::print(" {} |", to_string(strategy));
  fmt::print(" runs/s |\n| --- |");
  for (std::size_t i = 0; i < options.strategies.size(); ++i) fmt::print(" ---: |");
  fmt::print(" ---: |\n");
}

/// "32, 57": median and 90th percentile; "745, - (15 of 20)" where some roots found nothing.
std::string finds_in_words(const Row& row, const Options& options) {
  if (!row.expects_violation) return fmt::format("{} runs", row.runs_made);
  std::string text = fmt::format("{}, {}", runs_in_words(percentile(row, options, 50)),
                                 runs_in_words(percentile(row, options, 90)));
  if (row.runs_to_find.size() < options.roots) {
    text += fmt::format(" ({} of {})", row.runs_to_find.size(), options.roots);
  }
  return text;
}

void print_text(const std::string& name, const std::vector<Row>& rows, const Options& options) {
  fmt::print("| {} |", name);
  std::uint64_t runs = 0;
  double seconds = 0;
  for (const Row& row : rows) {
    fmt::print(" {} |", finds_in_words(row, options));
    runs += row.runs_made;
    seconds += row.seconds;
  }
  fmt::print(" {:.0f} |", static_cast<double>(runs) / seconds);
  for (const Row& row : rows) {
    if (row.runs_unfinished > 0) fmt::print(" {} runs were cut short.", row.runs_unfinished);
    for (const auto& [property, where] : row.broken_expectations) {
      fmt::print(" {} was expected to hold, and broke in {} of {}.", property, where,
                 to_string(row.strategy));
    }
    if (counts(row, options) && is_found_too_seldom(row, options)) fmt::print(" FOUND TOO SELDOM.");
  }
  fmt::print("\n");
  std::fflush(stdout);
}

nlohmann::ordered_json to_json(const std::string& name, const Row& row, const Options& options) {
  return {{"scenario", name},
          {"strategy", to_string(row.strategy)},
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

Row measure(const scenario::Scenario& scenario, search::StrategyKind strategy,
            model::Engine& engine, const Options& options) {
  Row row;
  row.strategy = strategy;
  const double start = seconds_of_processor();
  Searcher searcher(scenario, engine, options, row);
  for (std::uint64_t root = 1; root <= options.roots; ++root) searcher.search(root);
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

std::vector<search::StrategyKind> strategies_of(const std::string& word) {
  std::vector<search::StrategyKind> all;
  for (std::size_t i = 0; i < search::strategy_count; ++i) {
    all.push_back(static_cast<search::StrategyKind>(i));
  }
  if (word == "all") return all;
  const auto strategy = search::strategy_from(word);
  if (!strategy) throw std::invalid_argument(fmt::format("'{}' is no strategy", word));
  return {*strategy};
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
    } else if (word == "--strategy") {
      options.strategies = strategies_of(arguments[i]);
    } else if (word == "--runs") {
      options.runs = number_of(arguments[i]);
    } else if (word == "--roots") {
      options.roots = number_of(arguments[i]);
    } else if (word == "--format" && (arguments[i] == "json" || arguments[i] == "text")) {
      options.is_json = arguments[i] == "json";
    } else {
      throw std::invalid_argument(
          fmt::format("unknown: {} {} (expected --strategy WORD, --runs N, --roots N, --all, "
                      "--format json)",
                      word, arguments[i]));
    }
  }
  if (options.files.empty()) throw std::invalid_argument("expected scenario files");
  return options;
}

int run_league(const Options& options) {
  model::Engine engine({std::filesystem::path(source_folder()) / "scripts"});
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  bool is_as_expected = true;
  if (!options.is_json) print_heads(options);
  for (const std::string& file : options.files) {
    const scenario::Scenario scenario = scenario::load_scenario(file);
    const std::string name = std::filesystem::path(file).stem().string();
    std::vector<Row> rows;
    for (const search::StrategyKind strategy : options.strategies) {
      const Row& row = rows.emplace_back(measure(scenario, strategy, engine, options));
      is_as_expected &= row.broken_expectations.empty() &&
                        !(counts(row, options) && is_found_too_seldom(row, options));
      if (options.is_json) all.push_back(to_json(name, row, options));
    }
    if (!options.is_json) print_text(name, rows, options);
  }
  if (options.is_json) fmt::print("{}\n", all.dump(2));
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
