#include "search/property_runs.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <set>
#include <utility>

#include "checker/property.h"
#include "checker/verdict.h"
#include "scenario/file/write_scenario.h"
#include "search/fuzz/change_tracks.h"
#include "search/fuzz/strategy.h"
#include "search/runs/seed_runs.h"
#include "search/shrink/shrink.h"
#include "sim/recorded_choices.h"

namespace lockstep::search {
namespace {

/// Those that need no runs before.
constexpr std::array drawing_strategies = {StrategyKind::uniform, StrategyKind::swarm,
                                           StrategyKind::pct, StrategyKind::partial_order,
                                           StrategyKind::delay_bounded};

bool is_held(const scenario::Scenario& scenario, checker::Property property) {
  const std::vector<checker::Property>& holds = scenario.expect.holds;
  return std::find(holds.begin(), holds.end(), property) != holds.end();
}

/// The tracks with one of them changed.
template <typename Change>
std::vector<ChoiceTrack> with_changed(std::vector<ChoiceTrack> tracks, std::size_t track,
                                      Change change) {
  change(tracks[track].values);
  return tracks;
}

bool has_any_above(const ChoiceTrack& track, std::uint64_t least) {
  return std::any_of(track.values.begin(), track.values.end(),
                     [least](std::uint64_t value) { return value > least; });
}

void add_halved(std::vector<std::vector<ChoiceTrack>>& all, const std::vector<ChoiceTrack>& tracks,
                std::size_t track) {
  all.push_back(with_changed(tracks, track, [](std::vector<std::uint64_t>& values) {
    for (std::uint64_t& value : values) value /= 2;
  }));
}

/// Each value by itself: none, half, one less.
void add_each_value(std::vector<std::vector<ChoiceTrack>>& all,
                    const std::vector<ChoiceTrack>& tracks, std::size_t track) {
  for (std::size_t i = 0; i < tracks[track].values.size(); ++i) {
    const std::uint64_t value = tracks[track].values[i];
    if (value == 0) continue;
    for (const std::uint64_t less : std::set<std::uint64_t>{0, value / 2, value - 1}) {
      all.push_back(with_changed(
          tracks, track, [i, less](std::vector<std::uint64_t>& values) { values[i] = less; }));
    }
  }
}

}  // namespace

PropertyRuns::PropertyRuns(scenario::Scenario scenario,
                           std::vector<std::filesystem::path> script_folders)
    : engine_(std::move(script_folders)),
      scenario_(std::move(scenario)),
      simulation_(engine_.prepare(scenario_)) {}

PropertyRun PropertyRuns::draw(std::uint64_t number) {
  const StrategyKind kind = drawing_strategies[number % drawing_strategies.size()];
  const std::unique_ptr<Strategy> strategy =
      make_strategy(kind, static_cast<std::uint32_t>(scenario_.clients.size()));
  sim::RecordingChoices recording(strategy->begin_run(number));
  PropertyRun run;
  judge(simulation_->run(recording), run);
  run.of = this;
  run.tracks = tracks_of(recording.record());
  return run;
}

PropertyRun PropertyRuns::run(const std::vector<ChoiceTrack>& tracks) {
  TrackChoices choices;
  choices.reset(tracks);
  PropertyRun run;
  judge(simulation_->run(choices), run);
  run.of = this;
  run.tracks = tracks;
  return run;
}

void PropertyRuns::judge(const model::RunResult& came, PropertyRun& run) const {
  run.hash = came.hash;
  for (const checker::Verdict& verdict : *came.verdicts) {
    if (verdict.kind != checker::VerdictKind::violated) continue;
    if (!is_held(scenario_, verdict.property)) continue;
    std::string sentence(checker::to_string(verdict.property));
    sentence += " is violated: ";
    sentence += verdict.summary;
    run.broken.push_back(std::move(sentence));
  }
  for (const std::string& failure : came.client_failures) {
    run.broken.push_back("the client model failed: " + failure);
  }
  if (scenario_.expect.violates.empty()) {
    for (const std::string& failure : came.script_failures) {
      run.broken.push_back("a request of the lock failed: " + failure);
    }
  }
  run.has_failed = !run.broken.empty();
}

std::vector<std::vector<ChoiceTrack>> PropertyRuns::smaller(
    const std::vector<ChoiceTrack>& tracks) {
  std::vector<std::vector<ChoiceTrack>> all;
  for (const bool is_about_faults : {true, false}) {
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      if (is_of_faults(tracks[i].stream.purpose) != is_about_faults) continue;
      if (!may_change(tracks[i].stream.purpose) || !has_any_above(tracks[i], 0)) continue;
      all.push_back(with_changed(tracks, i, [](std::vector<std::uint64_t>& values) {
        std::fill(values.begin(), values.end(), 0);
      }));
      if (is_about_faults) {
        add_each_value(all, tracks, i);
      } else if (has_any_above(tracks[i], 1)) {
        add_halved(all, tracks, i);
      }
    }
  }
  return all;
}

std::string PropertyRuns::tell(const PropertyRun& run) {
  TrackChoices choices;
  choices.reset(run.tracks);
  sim::RecordingChoices recording(choices);
  const model::RunResult& came = simulation_->run(recording);
  std::string text = "a run of \"" + scenario_.title + "\"";
  std::string separator = ", with: ";
  for (const scenario::FaultSpec& fault : *came.faults) {
    text += std::exchange(separator, "; ") + fault.describe();
  }
  for (const std::string& sentence : run.broken) text += "\n  " + sentence;
  for (const checker::Verdict& verdict : *came.verdicts) {
    if (verdict.kind != checker::VerdictKind::violated) continue;
    if (!is_held(scenario_, verdict.property)) continue;
    ShrinkRequest request;
    request.scenario = close_faults(scenario_, *came.faults);
    request.property = verdict.property;
    request.choices = recording.record();
    const Shrunk shrunk = shrink(request, engine_);
    text += "\nThe same as a scenario, for lockstep run";
    text += shrunk.breaks_always ? ":\n\n" : " (it breaks only as messages came in this run):\n\n";
    text += scenario::write_scenario(shrunk.scenario);
    break;
  }
  return text;
}

std::ostream& operator<<(std::ostream& out, const PropertyRun& run) {
  return run.of == nullptr ? out << "no run" : out << run.of->tell(run);
}

}  // namespace lockstep::search
