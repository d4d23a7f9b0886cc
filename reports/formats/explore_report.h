// What an exhaustive search came to: the certificate or the counterexamples, for a console and for
// programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/formats/console.h"
#include "reports/formats/fuzz_report.h"
#include "search/explore/certificate.h"

namespace lockstep::reports {

struct ExploreReport {
  search::Certificate certificate;
  std::string name;  ///< the file as the user named it
  std::uint64_t elapsed_ms = 0;
  /// Of the certificate's counterexamples, those that were saved, in the same order.
  std::vector<SavedFinding> saved;
  std::string resume_file;  ///< with what goes on from here; empty: there is none
};

/// Several lines: what holds or broke, within which bounds, and what was counted.
[[nodiscard]] std::string explore_console(const ExploreReport& report, Style style);

/// One JSON document of all files. docs/explore.md describes it.
[[nodiscard]] std::string explore_json(const std::vector<ExploreReport>& reports);

}  // namespace lockstep::reports
