// Runs of a scenario for property tests in a program of your own: drawn from a number, judged by
// what the scenario expects to hold, made smaller, and told as a scenario that a person can read.
//
// search/rapidcheck.h makes a RapidCheck generator of it; docs/property-tests.md has an example.
// One of these is one engine: use it from one thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "scenario/scenario.h"
#include "search/runs/choice_tracks.h"

namespace lockstep::search {

class PropertyRuns;

/// One run. Equal runs are equal values.
struct PropertyRun {
  PropertyRuns* of = nullptr;       ///< outlives it
  std::vector<ChoiceTrack> tracks;  ///< its choices: PropertyRuns::run makes it again
  std::uint64_t hash = 0;           ///< of all its events
  /// What broke that the scenario expects to hold, one sentence each.
  std::vector<std::string> broken;
  bool has_failed = false;  ///< something broke

  friend bool operator==(const PropertyRun& one, const PropertyRun& other) {
    return one.of == other.of && one.hash == other.hash;
  }
};

class PropertyRuns {
 public:
  /// `script_folders`: where the locks of the house are (Lockstep's scripts/). Throws
  /// scenario::InputError where the scenario's lock is missing or wrong.
  PropertyRuns(scenario::Scenario scenario, std::vector<std::filesystem::path> script_folders);

  /// The run of this number, made by one of the random strategies.
  [[nodiscard]] PropertyRun draw(std::uint64_t number);
  /// The run with these choices; by chance, and always the same, where they say nothing.
  [[nodiscard]] PropertyRun run(const std::vector<ChoiceTrack>& tracks);
  /// Choices that are smaller by one step, the most promising first: with fewer faults and shorter
  /// ones. None is as large as another of which it can come, so that shrinking ends.
  [[nodiscard]] static std::vector<std::vector<ChoiceTrack>> smaller(
      const std::vector<ChoiceTrack>& tracks);
  /// What happened, and the small scenario that it comes down to. Takes some hundred runs.
  [[nodiscard]] std::string tell(const PropertyRun& run);

 private:
  void judge(const model::RunResult& came, PropertyRun& run) const;

  model::Engine engine_;
  scenario::Scenario scenario_;
  std::unique_ptr<model::Simulation> simulation_;
};

/// PropertyRuns::tell: what RapidCheck and GoogleTest print.
std::ostream& operator<<(std::ostream& out, const PropertyRun& run);

}  // namespace lockstep::search
