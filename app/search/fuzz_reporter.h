// Shrinks and saves the findings of a search, however it was made, and reports the results to
// people, programs and CI servers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/exit_code.h"
#include "app/output/annotation_output.h"
#include "app/output/file_names.h"
#include "app/output/html_file.h"
#include "reports/formats/fuzz_report.h"
#include "reports/formats/junit.h"
#include "reports/formats/survival_comparison.h"
#include "reports/formats/survival_report.h"

namespace lockstep::app {

struct Context;
struct FuzzOutput;
struct FuzzTarget;
class SavingTime;

class FuzzReporter {
 public:
  /// Both outlive it. Makes the output folder; throws scenario::InputError if it can't, before a
  /// long search rather than after it. The same goes for the table to compare with.
  FuzzReporter(const FuzzOutput& output, const Context& context);

  /// Concludes the report, and saves what was found. Throws scenario::InputError if files can't be
  /// written.
  void save(const FuzzTarget& target, reports::FuzzReport& report, SavingTime& time);
  /// REQUIRES: it was saved.
  void report(reports::FuzzReport report);
  /// Throws scenario::InputError if the table to compare with has no such lock: "plain/unlatched".
  void require_comparable(const std::string& lock) const;
  /// Of a lock that was searched by its contract. REQUIRES: it is comparable.
  void report(reports::SurvivalReport report);
  /// Call it after the last target.
  void finish();
  /// The worst exit code of all targets.
  [[nodiscard]] ExitCode exit_code() const { return exit_code_; }

 private:
  void add_to_html(const reports::FuzzReport& report);
  void judge(search::OutcomeKind kind);
  void judge(const reports::SurvivalReport& report);
  void compare(const reports::SurvivalReport& report);

  const FuzzOutput& output_;
  const Context& context_;
  std::vector<reports::FuzzReport> reports_;
  std::vector<reports::SurvivalReport> survivals_;
  std::string comparisons_;                       ///< of those, as Markdown
  std::vector<reports::SurvivalSummary> before_;  // if it is to be compared
  reports::JunitReport junit_;
  AnnotationOutput annotations_;
  std::optional<HtmlFile> html_;
  UniqueNames names_;
  ExitCode exit_code_ = ExitCode::as_expected;
};

}  // namespace lockstep::app
