// Saving what a search found: the run as it was, and the small scenario that it comes down to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "app/context.h"
#include "model/engine/engine.h"
#include "reports/formats/fuzz_report.h"
#include "scenario/scenario.h"
#include "search/fuzz/fuzz.h"

namespace lockstep::app {

class FindingSaver {
 public:
  /// All outlive it. `is_over`, asked between runs, ends what may be left out: then a finding is
  /// saved as small as it is.
  FindingSaver(const scenario::Scenario& scenario, std::filesystem::path folder,
               const Context& context, model::Engine& engine, std::function<bool()> is_over);

  /// Shrinks it and writes what save_shrunk (shrunk_files.h) does, and
  /// FOLDER/NAME.found.trace.jsonl. `seed`: the search's. Throws model::InputError where they can't
  /// be written.
  [[nodiscard]] reports::SavedFinding save(const search::Finding& finding, const std::string& name,
                                           std::uint64_t seed);
  /// Writes FOLDER/NAME.found.trace.jsonl, and FOLDER/NAME.toml with the run's faults.
  [[nodiscard]] reports::SavedIncident save(const search::Incident& incident,
                                            const std::string& name, std::uint64_t seed);
  /// The run as it was found, made again. Throws std::logic_error where it is another.
  [[nodiscard]] search::RunRecord example_of(const search::NotableRun& found, std::uint64_t seed);

  /// What files say of who found it, where `lockstep fuzz` did not: "Found by …".
  void tell(std::string provenance) { provenance_ = std::move(provenance); }

 private:
  [[nodiscard]] std::string provenance_of(const search::NotableRun& found,
                                          std::uint64_t seed) const;
  /// Returns the path.
  std::string write_found_trace(const search::RunRecord& example, const std::string& name) const;

  const scenario::Scenario& scenario_;
  std::filesystem::path folder_;
  const Context& context_;
  model::Engine& engine_;
  std::function<bool()> is_over_;
  std::string provenance_;  // empty: fuzz found it
};

}  // namespace lockstep::app
