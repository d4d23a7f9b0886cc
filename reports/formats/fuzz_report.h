// What a search found, for a console, for programs, and as annotations.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reports/formats/annotations/annotation.h"
#include "reports/formats/console.h"
#include "reports/formats/shrink_report.h"
#include "search/fuzz/fuzz.h"

namespace lockstep::reports {

/// A finding that was made small and saved.
struct SavedFinding : SavedShrunk {
  search::Finding finding;
  std::string found_trace;  ///< the run that was found, as it was; empty: not written
};

/// What else was not as it should be, and is saved.
struct SavedIncident {
  search::Incident incident;
  std::string scenario_path;  ///< with the faults of its run
  std::string found_trace;
  std::string replay_command;
};

/// What a search did with its corpus.
struct CorpusCounts {
  std::string folder;
  std::uint64_t entries = 0;  ///< that it began with
  std::uint64_t passed_over = 0;
  std::uint64_t of_another_lock = 0;  ///< of the entries: the lock's files have changed since
  std::uint64_t added = 0;
};

struct FuzzReport {
  search::FuzzResult result;  ///< concluded
  std::string name;           ///< the target as the user named it
  std::string command;        ///< that searches so, behind "lockstep": "fuzz a.toml --seed 1"
  std::uint64_t root_seed = 1;
  std::string strategy;
  std::uint64_t elapsed_ms = 0;
  std::vector<SavedFinding> saved;
  std::vector<SavedIncident> incidents;
  std::optional<CorpusCounts> corpus;
};

/// Several lines: what the search came to, and each finding with its story.
[[nodiscard]] std::string fuzz_console(const FuzzReport& report, Style style);

/// One JSON document of all targets. docs/fuzz.md describes it.
[[nodiscard]] std::string fuzz_json(const std::vector<FuzzReport>& reports);

/// One for each finding of what was to hold, for each incident, and for each complaint that none of
/// them explains. Where there is a trace, it says how to replay it. None where all is as expected.
[[nodiscard]] std::vector<Annotation> annotations_of(const FuzzReport& report);

/// "client-failed in 3 runs, first in run 7: … (lockstep replay …)"
[[nodiscard]] std::string incident_in_words(const SavedIncident& saved);

/// "mutual-exclusion, because of pause and promote"
[[nodiscard]] std::string finding_in_words(const search::Finding& finding);

/// Several lines: what happened, how often, and where it is.
[[nodiscard]] std::string incident_console(const SavedIncident& saved);

// As docs/fuzz.md describes them.
[[nodiscard]] nlohmann::ordered_json finding_json(const SavedFinding& saved);
[[nodiscard]] nlohmann::ordered_json incident_json(const SavedIncident& saved);

}  // namespace lockstep::reports
