// lockstep fuzz: searches scenarios that leave something open for runs that break what they expect,
// and locks for runs that break their contract, and saves findings as small scenarios.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/context.h"
#include "app/exit_code.h"
#include "app/interruption.h"
#include "app/output/file_names.h"
#include "app/output/output_place.h"
#include "app/progress_line.h"
#include "app/search/fuzz_corpus.h"
#include "app/search/fuzz_jobs.h"
#include "app/search/fuzz_output.h"
#include "app/search/fuzz_record.h"
#include "app/search/fuzz_reporter.h"
#include "app/search/fuzz_targets.h"
#include "app/search/kept_findings.h"
#include "app/search/lock_campaign.h"
#include "app/search/saving_time.h"
#include "checker/property.h"
#include "model/engine/engine.h"
#include "model/lock/known_messages.h"
#include "model/lock/lock_package.h"
#include "reports/cause/story.h"
#include "reports/formats/fuzz_report.h"
#include "reports/text.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/scenario.h"
#include "scenario/text/suggest.h"
#include "search/fuzz/fuzz.h"
#include "search/fuzz/strategy.h"
#include "search/runs/with_programs.h"

namespace lockstep::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t jobs_max = 1'024;

/// More than fit into any budget of time.
constexpr std::uint64_t runs_without_end = 1'000'000'000'000;

struct FuzzArguments {
  /// Scenario files, folders of them, locks, or folders of locks.
  std::vector<std::string> targets;
  search::FuzzPlan plan;
  std::uint64_t jobs = std::max(1U, std::thread::hardware_concurrency());
  /// For all targets together; without it, the plan's number of runs is the only limit.
  std::optional<std::uint64_t> time_ms;
  /// Keeps runs that reached something new, in a folder for each target; nothing without it.
  std::optional<std::string> corpus_folder;
  /// Whether to write a record for lockstep merge.
  enum class Record : std::uint8_t { none, written };
  Record record = Record::none;
  bool is_dry_run = false;
  scenario::FaultChoice faults;
  FuzzOutput output;
};

std::int64_t now_ns() { return Clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

/// The exit code is the worst of all targets: 1 if something broke that should hold, or nothing did
/// of what should break.
class FuzzCommand {
 public:
  FuzzCommand(const FuzzArguments& arguments, const Context& context)
      : arguments_(arguments), context_(context), reporter_(arguments.output, context) {}

  ExitCode run() {
    const std::vector<FuzzTarget> targets = find_targets(arguments_.targets, arguments_.faults);
    for (const FuzzTarget& target : targets) require_options_that_fit(target);
    require_one_document(targets);
    if (arguments_.is_dry_run) return print_workloads(targets);
    if (arguments_.time_ms) {
      end_ns_ = now_ns() + static_cast<std::int64_t>(*arguments_.time_ms) * 1'000'000;
    }
    run_kept(targets);
    for (std::size_t i = 0; i < targets.size() && !is_interrupted(); ++i) {
      share_time(targets[i], targets.size() - i);
      try_to_search(targets[i]);
    }
    if (is_interrupted()) {
      print_error(context_, "interrupted: this is what was found until then");
      exit_code_ = worse(exit_code_, ExitCode::unknown);
    }
    reporter_.finish();
    return worse(exit_code_, reporter_.exit_code());
  }

 private:
  /// A corpus and parts of a search are those of one scenario; what is survived, that of a lock.
  void require_options_that_fit(const FuzzTarget& target) const {
    if (!target.is_lock) {
      model::require_known_messages(*target.scenario, context_.script_folders);
      require_lock(target, arguments_.is_dry_run, "--dry-run");
      require_lock(target, arguments_.output.markdown.has_value(), "--markdown");
      require_lock(target, arguments_.output.against.has_value(), "--against");
      return;
    }
    require_scenario(target, arguments_.corpus_folder.has_value(), "--corpus");
    require_scenario(target, arguments_.record == FuzzArguments::Record::written, "--shard");
    if (arguments_.output.against) {
      const model::LockPackage lock = model::load_lock(*target.scenario, context_.script_folders);
      reporter_.require_comparable(lock.full_name());
    }
  }

  static void require_lock(const FuzzTarget& target, bool is_asked, const std::string& option) {
    if (!is_asked) return;
    throw scenario::InputError::about(
        option, fmt::format("'{}' is a scenario; expected locks", target.name));
  }

  static void require_scenario(const FuzzTarget& target, bool is_asked, const std::string& option) {
    if (!is_asked) return;
    throw scenario::InputError::about(
        option, fmt::format("'{}' is a lock; expected scenario files, as lockstep fuzz {} "
                            "--dry-run prints them",
                            target.name, target.name));
  }

  /// What is told of locks and of scenarios has not the same form.
  void require_one_document(const std::vector<FuzzTarget>& targets) const {
    if (arguments_.output.format != OutputFormat::json) return;
    const auto locks = std::count_if(targets.begin(), targets.end(),
                                     [](const FuzzTarget& target) { return target.is_lock; });
    if (locks == 0 || static_cast<std::size_t>(locks) == targets.size()) return;
    throw scenario::InputError::about("--format",
                                      "json is one document; expected locks only, or scenarios "
                                      "only");
  }

  void run_kept(const std::vector<FuzzTarget>& targets) {
    std::vector<const scenario::Scenario*> scenarios;
    std::set<std::string> files;
    for (const FuzzTarget& each : targets) {
      scenarios.push_back(each.scenario.get());
      if (!each.is_lock) files.insert(each.scenario->path);
    }
    model::Engine engine(context_.script_folders, context_.programs);
    exit_code_ = worse(exit_code_, KeptFindings(context_, engine).run(scenarios, files));
  }

  ExitCode print_workloads(const std::vector<FuzzTarget>& targets) {
    for (const FuzzTarget& target : targets) {
      if (target.is_lock) context_.output << campaign_in_words(target, context_);
    }
    return ExitCode::as_expected;
  }

  /// Gives the next target its share of the time that is left, and of that what was found its own.
  void share_time(const FuzzTarget& target, std::size_t targets_left) {
    if (!end_ns_) return;
    const std::int64_t left_ns = std::max<std::int64_t>(*end_ns_ - now_ns(), 0);
    const std::int64_t ours_ns = left_ns / static_cast<std::int64_t>(targets_left);
    deadline_ns_ = now_ns() + ours_ns;
    const bool goes_on = arguments_.plan.after_finding == search::FuzzPlan::AfterFinding::go_on;
    ++target_number_;
    longest_run_ns_ = 0;
    shrinking_ns_ = ours_ns / (goes_on || target.is_lock ? 4 : 10);
  }

  /// A target that is wrong does not take the results of the others with it.
  void try_to_search(const FuzzTarget& target) {
    try {
      if (target.is_lock) {
        search_by_contract(target);
      } else {
        search(target);
      }
    } catch (const scenario::InputError& error) {
      print_error(context_, error);
      exit_code_ = worse(exit_code_, ExitCode::bad_input);
    }
  }

  /// Asked by all workers, between runs. Leaves time to shrink what was found.
  bool is_time_up() {
    runs_.fetch_add(1, std::memory_order_relaxed);
    const std::int64_t now = now_ns();
    note_run(now);
    // No saving begins that cannot end in time, and no run.
    const std::int64_t least_ns = longest_run_ns_.load(std::memory_order_relaxed);
    const std::int64_t for_shrinking_ns =
        has_findings_ ? std::max(shrinking_ns_, std::min(saving_ns(), 2 * shrinking_ns_))
                      : std::min(least_ns, shrinking_ns_);
    return is_interrupted() || now >= deadline_ns_ - for_shrinking_ns;
  }

  /// How long a worker took since it asked last: a run, and what it made of it.
  void note_run(std::int64_t now) {
    thread_local std::uint64_t target = 0;
    thread_local std::int64_t asked_ns = 0;
    if (target == target_number_) {
      const std::int64_t took_ns = now - asked_ns;
      std::int64_t longest_ns = longest_run_ns_.load(std::memory_order_relaxed);
      while (took_ns > longest_ns && !longest_run_ns_.compare_exchange_weak(longest_ns, took_ns)) {
      }
    }
    target = target_number_;
    asked_ns = now;
  }

  /// What one finding may take to be saved, however little it is made smaller.
  [[nodiscard]] std::int64_t saving_ns() const {
    constexpr std::int64_t runs_of_saving = 6;
    return runs_of_saving * longest_run_ns_.load(std::memory_order_relaxed);
  }

  /// For making what was found small.
  SavingTime begin_saving(const FuzzTarget& target, ProgressLine& line) {
    auto is_to_end = [this, &target, &line](std::size_t number, std::size_t of) {
      if (line.is_due()) {
        line.draw(fmt::format("{}  making what was found small: {} of {}{}", shown_name(target),
                              number, of,
                              end_ns_ ? fmt::format(", {} left", time_left(0, 0)) : ""));
      }
      return is_interrupted();
    };
    if (!end_ns_) return SavingTime(is_to_end);
    return SavingTime(is_to_end, &now_ns, deadline_ns_, saving_ns());
  }

  void search(const FuzzTarget& target) {
    if (scenario::has_program(*target.scenario)) {
      model::Engine engine(context_.script_folders, context_.programs);
      search::require_reproducible(*target.scenario, arguments_.plan.root_seed, engine,
                                   context_.programs);
    }
    runs_ = 0;
    has_findings_ = false;
    reports::FuzzReport report;
    report.name = target.name;
    report.root_seed = arguments_.plan.root_seed;
    report.strategy = search::to_string(arguments_.plan.strategy);
    search::FuzzPlan plan = arguments_.plan;
    plan.story_of = &reports::story_of;
    std::optional<FuzzCorpus> corpus;
    if (arguments_.corpus_folder) {
      corpus.emplace(
          std::filesystem::path(*arguments_.corpus_folder) / corpus_names_.take(target.file_name),
          *target.scenario, context_, [this] { return is_time_up(); });
      plan.corpus = &corpus->corpus();
    }
    std::optional<FuzzRecord> record;
    if (arguments_.record == FuzzArguments::Record::written)
      record.emplace(target, plan,
                     arguments_.time_ms ? reports::SearchIdentity::Ends::by_clock
                                        : reports::SearchIdentity::Ends::by_runs,
                     context_);
    std::optional<ProgressLine> line(std::in_place, context_);
    const FuzzJobs jobs{
        arguments_.jobs,
        context_.script_folders,
        context_.programs,
        [this] { return is_time_up(); },
        [&](const search::FuzzResult& result) { report_progress(target, result, *line); },
        [&](const search::Discovery& discovery) { corpus->keep(discovery); },
        [&](const search::BatchResult& batch) {
          if (record) record->add(batch);
        }};
    report.result = fuzz_in_parallel(*target.scenario, plan, jobs);
    report.elapsed_ms = line->elapsed_ms();
    if (corpus) {
      report.corpus = corpus->counts();
      if (corpus->has_failed()) exit_code_ = worse(exit_code_, ExitCode::bad_input);
    }
    if (record) {
      record->write(arguments_.output.folder, record_names_.take(target.file_name),
                    report.elapsed_ms);
    }
    // Ending at the deadline is what was asked for, and no interruption.
    if (arguments_.time_ms && !is_interrupted()) report.result.outcome.interrupted = false;
    report.command = search_command(target, arguments_.plan);
    SavingTime time = begin_saving(target, *line);
    reporter_.save(target, report, time);
    line.reset();
    reporter_.report(std::move(report));
  }

  void search_by_contract(const FuzzTarget& target) {
    runs_ = 0;
    has_findings_ = false;
    std::optional<ProgressLine> line(std::in_place, context_);
    LockCampaignPlan plan;
    plan.root_seed = arguments_.plan.root_seed;
    plan.runs = arguments_.plan.runs;
    plan.strategy = arguments_.plan.strategy;
    plan.workers = arguments_.jobs;
    plan.folder = arguments_.output.folder;
    plan.is_search_over = [this] { return is_time_up(); };
    plan.command = search_command(target, arguments_.plan);
    plan.begin_saving = [&] { return begin_saving(target, *line); };
    plan.report_progress = [&](const search::CampaignResult& result) {
      report_progress(target, result, *line);
    };
    reports::SurvivalReport report = search_lock(target, plan, context_);
    report.elapsed_ms = line->elapsed_ms();
    // Ending at the deadline is what was asked for, and no interruption.
    if (arguments_.time_ms && !is_interrupted()) report.interrupted = false;
    line.reset();
    reporter_.report(std::move(report));
  }

  void report_progress(const FuzzTarget& target, const search::CampaignResult& result,
                       ProgressLine& line) {
    has_findings_ = !result.findings.empty();
    if (!line.is_due()) return;
    const std::uint64_t runs = runs_;
    const std::uint64_t rate = runs * 1000 / line.elapsed_ms();
    line.draw(fmt::format("{}  {} runs, {}/s, {}, {} left", shown_name(target),
                          reports::with_thousands(runs), rate, broken_within_contract(result),
                          time_left(runs, rate)));
  }

  /// Which findings are one bug, and which a known flaw, is told when they are small; which
  /// promises broke, at once.
  static std::string broken_within_contract(const search::CampaignResult& result) {
    std::vector<checker::Property> broken;
    for (const search::PartFinding& each : result.findings) {
      if (search::is_bug(each)) broken.push_back(each.property);
    }
    std::sort(broken.begin(), broken.end());
    broken.erase(std::unique(broken.begin(), broken.end()), broken.end());
    if (broken.empty()) return "nothing broke so far";
    std::vector<std::string_view> names;
    for (const checker::Property each : broken) names.push_back(checker::to_string(each));
    return fmt::format("{} broke within the contract", scenario::listed(names));
  }

  static std::string shown_name(const FuzzTarget& target) {
    constexpr std::size_t name_characters_max = 40;
    return reports::shortened(reports::sanitized(target.name), name_characters_max);
  }

  void report_progress(const FuzzTarget& target, const search::FuzzResult& result,
                       ProgressLine& line) {
    has_findings_ = !result.findings.empty();
    if (!line.is_due()) return;
    const std::uint64_t runs = runs_;
    const std::uint64_t rate = runs * 1000 / line.elapsed_ms();
    line.draw(fmt::format("{}  {} runs, {}/s, {} abstract states{}, {} findings, {} left",
                          shown_name(target), runs, rate, result.states.size(),
                          probes_hit(result.outcome), result.findings.size(),
                          time_left(runs, rate)));
  }

  /// ", 1 of 2 probes hit": of the scenario's own faults and of what is to happen sometimes.
  static std::string probes_hit(const search::ScenarioOutcome& outcome) {
    const std::size_t all = outcome.probes.size() + outcome.sometimes.size();
    if (all == 0) return "";
    const auto struck = std::count_if(outcome.probes.begin(), outcome.probes.end(),
                                      [](const auto& probe) { return probe.runs_struck > 0; });
    const auto seen = std::count_if(outcome.sometimes.begin(), outcome.sometimes.end(),
                                    [](const auto& each) { return each.runs_seen > 0; });
    return fmt::format(", {} of {} probes hit", struck + seen, all);
  }

  std::string time_left(std::uint64_t runs, std::uint64_t rate) const {
    if (end_ns_) {
      const std::int64_t left_ns = std::max<std::int64_t>(deadline_ns_ - now_ns(), 0);
      return fmt::format("{} s", left_ns / 1'000'000'000);
    }
    const std::uint64_t all = arguments_.plan.runs / arguments_.plan.shards;
    return rate == 0 ? "?" : fmt::format("{} s", (all - std::min(all, runs)) / rate);
  }

  const FuzzArguments& arguments_;
  const Context& context_;
  FuzzReporter reporter_;
  UniqueNames corpus_names_;
  UniqueNames record_names_;
  std::optional<std::int64_t> end_ns_;    // of the time for all targets
  std::int64_t deadline_ns_ = INT64_MAX;  // of this target; changes only between searches
  std::int64_t shrinking_ns_ = 0;         // before it, for findings
  std::atomic<bool> has_findings_{false};
  std::atomic<std::uint64_t> runs_{0};  // of this target, by all workers
  std::atomic<std::int64_t> longest_run_ns_{0};
  std::uint64_t target_number_ = 0;  // counted from 1
  ExitCode exit_code_ = ExitCode::as_expected;
};

ExitCode run_fuzz(const FuzzArguments& arguments, const Context& context) {
  return FuzzCommand(arguments, context).run();
}

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

/// "pause,crash".
std::vector<scenario::FaultKind> read_fault_kinds(std::string_view option, std::string_view words) {
  const std::vector<std::string_view> known = scenario::fault_words();
  std::vector<scenario::FaultKind> kinds;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = words.find(',');
    const std::string_view word = words.substr(0, end);
    const std::size_t place = read_choice(option, word, known);
    kinds.push_back(scenario::find_form(known[place])->kind);
    words.remove_prefix(end == std::string_view::npos ? 0 : end + 1);
  }
  return kinds;
}

void add_plan_options(CLI::App& command, FuzzArguments& arguments) {
  add_number(command, "--seed", arguments.plan.root_seed,
             "The seed that the runs' seeds are derived from (1)");
  add_word(
      command, "--strategy", "WORD",
      [&arguments](const std::string& word) { arguments.plan.strategy = read_strategy(word); },
      "uniform, swarm, pct, partial-order, delay-bounded, mutation, branching, or portfolio\n"
      "(the default): all of them in turn");
  command.add_flag_callback(
      "--keep-going",
      [&arguments] { arguments.plan.after_finding = search::FuzzPlan::AfterFinding::go_on; },
      "Go on after the first finding of a scenario; of a lock all are told anyway");
  add_word(
      command, "--shard", "K/N",
      [&arguments](const std::string& word) {
        read_shard(word, arguments.plan);
        arguments.record = FuzzArguments::Record::written;
      },
      "Make the Kth of N parts of the runs, as one of N machines; merge joins them");
}

void add_options(CLI::App& command, FuzzArguments& arguments) {
  command
      .add_option("TARGET", arguments.targets,
                  "Scenario files or folders of them, names of locks, or folders with a lock.toml")
      ->required()
      ->type_name("");
  add_number(command, "--runs", arguments.plan.runs, "Make so many runs of each target (10000)");
  add_word(
      command, "--time", "DURATION",
      [&arguments](const std::string& word) {
        arguments.time_ms = read_milliseconds("--time", word);
      },
      "Stop after so long, for all targets together: 60s, 10m");
  add_number(command, "--jobs", arguments.jobs,
             "Work with so many threads (one for each core); the result is the same");
  add_plan_options(command, arguments);
  writes_to(add_word(
                command, "--corpus", "DIR",
                [&arguments](const std::string& path) { arguments.corpus_folder = path; },
                "Begin with the runs kept in DIR/TARGET, and keep there those that get further"),
            OutputPlace::folder);
  add_word(
      command, "--faults", "KINDS",
      [&arguments](const std::string& word) {
        arguments.faults.any = word == "any";
        if (word != "any") arguments.faults.only = read_fault_kinds("--faults", word);
      },
      "Only these kinds of fault, as in pause,crash; \"any\" opens a closed scenario");
  add_word(
      command, "--except", "KINDS",
      [&arguments](const std::string& word) {
        arguments.faults.without = read_fault_kinds("--except", word);
      },
      "Without these kinds of fault");
  command.add_flag("--dry-run", arguments.is_dry_run,
                   "Print the workloads of a lock as scenarios, and search nothing");
  add_fuzz_output(command, arguments.output);
  add_survival_output(command, arguments.output);
}

void complete_budget(const CLI::App& command, FuzzArguments& arguments) {
  if (arguments.plan.runs == 0) throw CLI::ValidationError("--runs: expected at least 1");
  if (arguments.jobs == 0 || arguments.jobs > jobs_max) {
    throw CLI::ValidationError(fmt::format("--jobs: expected a number from 1 to {}", jobs_max));
  }
  if (arguments.time_ms && command.count("--runs") == 0) arguments.plan.runs = runs_without_end;
}

}  // namespace

CommandDescription fuzz_command() {
  return describe_command<FuzzArguments>(
      {.name = "fuzz",
       .summary = "Search for faults that break a lock, and save what is found as small scenarios",
       .examples = "lockstep fuzz plain --time 60s\n"
                   "  lockstep fuzz my-scenario.toml --runs 100000 --keep-going"},
      {.add_options = add_options,
       .complete = complete_budget,
       .format = [](const FuzzArguments& arguments) { return arguments.output.format; },
       .run = run_fuzz});
}

}  // namespace lockstep::app
