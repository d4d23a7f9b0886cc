#include "app/findings/shrunk_files.h"

#include <fmt/format.h>

#include <chrono>
#include <ostream>
#include <utility>

#include "app/output/output_file.h"
#include "app/output/picture_file.h"
#include "app/output/run_files.h"
#include "model/engine/engine.h"
#include "reports/formats/shrink_report.h"
#include "reports/text.h"
#include "reports/timeline/side_by_side.h"
#include "reports/timeline/timeline.h"
#include "reports/trace/trace_file.h"
#include "scenario/file/scenario_file.h"
#include "scenario/file/write_scenario.h"
#include "scenario/lock_words.h"
#include "scenario/scenario.h"
#include "search/runs/run_record.h"
#include "search/runs/streamwise_choices.h"
#include "search/shrink/passing_scenario.h"
#include "sim/recorded_choices.h"

namespace lockstep::app {
namespace {

/// That a story is tried with which was found to break as its messages came: it may have been cut
/// short before anybody tried.
constexpr std::uint64_t other_seeds = 5;

std::uint64_t milliseconds_since(std::chrono::steady_clock::time_point began) {
  return static_cast<std::uint64_t>((std::chrono::steady_clock::now() - began) /
                                    std::chrono::milliseconds(1));
}

/// "mutual-exclusion of plain: pause a for 11s when a acquired"
std::string title_of(const scenario::Scenario& shrunk, checker::Property property) {
  std::string title =
      fmt::format("{} of {}", checker::to_string(property), scenario::lock_in_words(shrunk.lock));
  std::string faults;
  for (const scenario::FaultSpec& fault : shrunk.faults) {
    faults += (faults.empty() ? ": " : "; ") + fault.describe();
  }
  return title + faults;
}

class ShrunkFiles {
 public:
  ShrunkFiles(const FailingRun& run, const std::filesystem::path& folder, std::string name,
              const Context& context, model::Engine& engine)
      : run_(run), folder_(folder), name_(std::move(name)), context_(context), engine_(engine) {}

  reports::SavedShrunk save(SmallRun small) {
    const auto began = std::chrono::steady_clock::now();
    search::Shrunk& shrunk = small.shrunk;
    saved_.property = run_.request.property;
    saved_.breaks_always = shrunk.breaks_always;
    saved_.is_unconfirmed = shrunk.is_unconfirmed;
    saved_.is_cut_short = shrunk.is_cut_short;
    saved_.shrink_runs = shrunk.runs;
    saved_.needs = shrunk.needs;
    save_scenario(std::move(shrunk.scenario));
    save_passing_scenario();
    saved_.shrink_ms = small.took_ms + milliseconds_since(began);
    draw_both();
    return std::move(saved_);
  }

 private:
  void save_scenario(scenario::Scenario scenario) {
    scenario.title = title_of(scenario, saved_.property);
    std::vector<std::string> comments = {run_.provenance};
    if (saved_.is_unconfirmed) {
      comments.push_back("There was no time to try it with other seeds than 1.");
    } else if (!saved_.breaks_always) {
      scenario.expect.violates.clear();
      comments.push_back(
          fmt::format("{} breaks in some of its runs, as in {}.trace.jsonl: it expects nothing.",
                      checker::to_string(saved_.property), name_));
    }
    saved_.scenario_path = (folder_ / (name_ + ".toml")).string();
    const scenario::Scenario written = save_scenario_file(scenario, saved_.scenario_path, comments);
    const std::uint64_t seeds = saved_.breaks_always    ? search::seeds_of_confirmation
                                : saved_.is_unconfirmed ? 1
                                                        : other_seeds;
    using Needs = search::SeedRunOptions::Needs;
    const Needs needs = saved_.is_cut_short ? Needs::left_open : Needs::found_out;
    saved_.shrunk = search::run_scenario(written, {1, seeds, nullptr, needs}, engine_);
    const bool is_as_found = !saved_.breaks_always && !saved_.is_unconfirmed;
    if (is_as_found) saved_.shrunk.example = example_as_found(written);
    // Where it breaks in some runs only, the trace is what shows it, however long.
    const LongTraces long_traces = is_as_found ? LongTraces::written : LongTraces::left_out;
    saved_.artifacts = write_run_files(saved_.shrunk, folder_, name_, long_traces, context_);
    saved_.rows = saved_.artifacts.rows;
  }

  /// Runs the shrunk scenario with the choices of the run that was found.
  search::RunRecord example_as_found(const scenario::Scenario& shrunk) {
    search::StreamwiseChoices choices;
    choices.reset(run_.request.choices, run_.request.seed);
    sim::RecordingChoices recording(choices);
    search::RunRecord example = search::record_run(*engine_.prepare(shrunk), recording);
    example.seed = run_.request.seed;
    example.origin = run_.origin;
    example.trace.choices = recording.record();
    return example;
  }

  void save_passing_scenario() {
    if (run_.request.interrupted && run_.request.interrupted()) return;
    search::PassingScenarioRequest request;
    request.scenario = *saved_.shrunk.scenario;
    request.property = saved_.property;
    request.needs = saved_.needs;
    request.breaks_always = saved_.breaks_always;
    request.failing = &saved_.shrunk.example;
    request.interrupted = run_.request.interrupted;
    search::PassingScenarioResult found = search::nearest_passing_scenario(request, engine_);
    saved_.shrink_runs += found.runs;
    if (!found.passing_scenario) return;
    save_passing_scenario(*found.passing_scenario);
  }

  /// What passes may do so because nothing puts the property to the test any more.
  [[nodiscard]] bool is_unknown(const scenario::Scenario& passing) {
    return search::run_scenario(passing, {1, search::seeds_of_confirmation, nullptr}, engine_)
               .kind == search::OutcomeKind::unknown;
  }

  void save_passing_scenario(search::PassingScenario& passing_scenario) {
    const std::string passing = name_ + ".passing";
    saved_.passing.change = passing_scenario.change;
    saved_.passing.scenario_path = (folder_ / (passing + ".toml")).string();
    saved_.passing.trace = (folder_ / (passing + ".trace.jsonl")).string();
    std::vector<std::string> comments = {
        fmt::format("As {}.toml, but {}: it passes.", name_, passing_scenario.change)};
    passing_scenario.scenario.title = fmt::format("It passes {}", passing_scenario.change);
    if (is_unknown(passing_scenario.scenario)) {
      passing_scenario.scenario.expect.holds.clear();
      comments.push_back(fmt::format("Nothing puts {} to the test in it, so it expects nothing.",
                                     checker::to_string(saved_.property)));
    } else if (!saved_.breaks_always) {
      passing_scenario.scenario.expect.holds.clear();
    }
    passing_scenario.example.origin = run_.origin;
    const scenario::Scenario written =
        save_scenario_file(passing_scenario.scenario, saved_.passing.scenario_path, comments);
    write_file(saved_.passing.trace, [&](std::ostream& stream) {
      reports::write_trace(stream, written, passing_scenario.example, saved_.passing.trace);
    });
    passing_.scenario = written;
    passing_.example = std::move(passing_scenario.example);
  }

  /// Draws the failing run and the passing one side by side.
  void draw_both() const {
    if (saved_.passing.trace.empty()) return;
    const reports::TimelineSubject failing =
        reports::timeline_subject(saved_.shrunk, command_in_file(saved_.artifacts, context_));
    const reports::TimelineSubject passing =
        reports::timeline_subject(passing_, replay_command_in_file(saved_.passing.trace, context_));
    write_picture(folder_ / (name_ + ".beside.svg"), reports::side_by_side_layout(failing, passing),
                  reports::PictureFormat::svg);
  }

  const FailingRun& run_;
  const std::filesystem::path& folder_;
  std::string name_;
  const Context& context_;
  model::Engine& engine_;
  reports::SavedShrunk saved_;
  search::ScenarioOutcome passing_;  // if one was found
};

}  // namespace

scenario::Scenario save_scenario_file(const scenario::Scenario& scenario, const std::string& path,
                                      const std::vector<std::string>& comments) {
  std::string text;
  for (const std::string& comment : comments) {
    if (!comment.empty()) text += fmt::format("# {}\n", reports::sanitized(comment));
  }
  text += scenario::write_scenario(scenario, path);
  write_file(path, [&text](std::ostream& stream) { stream << text; });
  return scenario::load_scenario(path);
}

SmallRun make_small(const FailingRun& run, model::Engine& engine) {
  const auto began = std::chrono::steady_clock::now();
  SmallRun small;
  small.shrunk = search::shrink(run.request, engine);
  small.took_ms = milliseconds_since(began);
  return small;
}

reports::SavedShrunk save_shrunk(const FailingRun& run, SmallRun small,
                                 const std::filesystem::path& folder, const std::string& name,
                                 const Context& context, model::Engine& engine) {
  return ShrunkFiles(run, folder, name, context, engine).save(std::move(small));
}

}  // namespace lockstep::app
