// Saving what a search found: the run as it was, and the small scenario that it comes down to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "app/context.h"
#include "model/scenario/scenario.h"
#include "model/simulation/engine.h"
#include "reports/fuzz_report.h"
#include "search/fuzz.h"

namespace lockstep::app {

class FindingSaver {
 public:
  /// All outlive it.
  FindingSaver(const model::Scenario& scenario, std::filesystem::path folder,
               const Context& context, model::Engine& engine);

  /// Shrinks it and writes what save_shrunk (shrunk_files.h) does, and
  /// FOLDER/NAME.found.trace.jsonl. `seed`: the search's. Throws model::InputError where they can't
  /// be written.
  [[nodiscard]] reports::SavedFinding save(const search::Finding& finding, const std::string& name,
                                           std::uint64_t seed);
  /// The run as it was found, made again. Throws std::logic_error where it is another.
  [[nodiscard]] search::Example example_of(const search::Finding& finding, std::uint64_t seed);

 private:
  const model::Scenario& scenario_;
  std::filesystem::path folder_;
  const Context& context_;
  model::Engine& engine_;
};

}  // namespace lockstep::app
