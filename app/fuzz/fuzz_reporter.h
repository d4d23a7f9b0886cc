// What is done with the results of a search, however it was made: findings are made small and
// saved, and all is told to people, programs and CI servers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/exit_code.h"
#include "app/fuzz/fuzz_targets.h"
#include "app/run/file_names.h"
#include "app/run/html_file.h"
#include "reports/formats/fuzz_report.h"
#include "reports/formats/junit.h"

namespace lockstep::app {

struct FuzzOutput {
  OutputFormat format = OutputFormat::text;
  std::string folder = "lockstep-out";
  std::optional<std::string> junit;
  std::optional<std::string> html;
  /// Whether findings are written as commands that GitHub shows beside the files of a pull request.
  enum class Annotations : std::uint8_t { none, github };
  Annotations annotations = Annotations::none;
};

class FuzzReporter {
 public:
  /// Both outlive it. Makes the output folder: one that can't be made is better said before a long
  /// search than after it. Throws model::InputError where it can't.
  FuzzReporter(const FuzzOutput& output, const Context& context);

  /// Concludes the report, and saves what was found. `is_over`, asked between runs, ends early how
  /// small it is made. Throws model::InputError where files can't be written.
  void save(const FuzzTarget& target, reports::FuzzReport& report,
            const std::function<bool()>& is_over);
  /// REQUIRES: it is saved.
  void tell(reports::FuzzReport report);
  /// After the last target.
  void finish();
  /// The worst of all targets.
  [[nodiscard]] ExitCode exit_code() const { return exit_code_; }

 private:
  void add_to_html(const reports::FuzzReport& report);
  void judge(search::OutcomeKind kind);

  const FuzzOutput& output_;
  const Context& context_;
  std::vector<reports::FuzzReport> reports_;
  reports::JunitReport junit_;
  std::optional<HtmlFile> html_;
  UniqueNames names_;
  ExitCode exit_code_ = ExitCode::as_expected;
};

}  // namespace lockstep::app
