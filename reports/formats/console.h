// The verdict on a scenario as a person reads it on a terminal.
//
// Everything is UTF-8 text with a line feed at the end of each line. What comes from files (titles,
// lock names, errors) is shown with control characters replaced, so that it can't steer a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "reports/run_artifacts.h"

namespace lockstep::search {
struct ScenarioOutcome;
}  // namespace lockstep::search

namespace lockstep::reports {

enum class Style : std::uint8_t {
  plain,
  colour,  ///< with ANSI escape sequences; colour is never the only mark of anything
};

/// The whole story: the title, whether it went as expected, what broke, who overlapped with whom
/// for how many ms, why, the evidence, what held, which faults struck, how to replay. In lines of
/// so many columns, as far as they can be broken; 0: as many as are easy to read.
[[nodiscard]] std::string console_report(const search::ScenarioOutcome& outcome, Style style,
                                         const RunArtifacts& artifacts, std::size_t columns = 0);

/// One line: "as expected      scenarios/known-bugs/gc-pause.toml  A pause longer than the lease",
/// with what was measured against its bounds. For many scenarios in a row. A long title is
/// shortened where that fits it into the columns.
[[nodiscard]] std::string scenario_line(const search::ScenarioOutcome& outcome, Style style,
                                        std::size_t columns = 0);

/// "mutual-exclusion, harm in 20 of 20 runs; valid-grant in 3; no-leak in none": in how many runs
/// what held was put to the test. Empty where nothing held.
[[nodiscard]] std::string tested_in_words(const search::ScenarioOutcome& outcome);

/// How several scenarios ended.
struct OutcomeCounts {
  std::uint64_t as_expected = 0;
  std::uint64_t not_as_expected = 0;
  std::uint64_t unknown = 0;
  std::uint64_t runs = 0;
  std::uint64_t files_refused = 0;  ///< of which nothing, or not every row, could be run
  std::uint64_t passed_over = 0;    ///< scenarios that are to be searched, not run

  void add(const search::ScenarioOutcome& outcome);
};

/// "4 scenarios, 40 runs: 3 as expected, 1 not as expected; 1 file was refused; 2 open scenarios
/// were passed over, which are for `lockstep fuzz`".
[[nodiscard]] std::string summary_line(const OutcomeCounts& counts, Style style);

}  // namespace lockstep::reports
