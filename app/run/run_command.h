// lockstep run: scenarios in; verdicts, traces and timelines out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/exit_code.h"
#include "scenario/scenario.h"

namespace lockstep::app {

/// Which scenarios leave a trace and a timeline.
enum class FilesWanted : std::uint8_t {
  none,
  where_useful,  ///< one scenario alone, or what is not as expected
  all,
};

enum class RunMode : std::uint8_t {
  run,
  tell,  ///< --dry-run: say in words what each scenario is
};

enum class Detail : std::uint8_t {
  quiet,    ///< only what is not as expected, and how many were
  compact,  ///< a line for each of many scenarios, all of one alone
  all,      ///< and what becomes of the lock's server scripts
};

struct RunArguments {
  std::vector<std::string> paths;
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 1;
  OutputFormat format = OutputFormat::text;
  std::string output_folder = "lockstep-out";
  FilesWanted files = FilesWanted::where_useful;
  std::optional<std::string> junit;
  std::optional<std::string> html;
  Detail detail = Detail::compact;
  RunMode work = RunMode::run;
  /// Whether what is not as expected is said as commands that GitHub shows in a pull request.
  enum class Annotations : std::uint8_t { none, github };
  Annotations annotations = Annotations::none;
  std::vector<scenario::ParameterSetting> set;  ///< parameters' values, in place of the files'
};

/// Runs every scenario, also after one that is wrong; the exit code is the worst. Throws
/// model::InputError where the paths or the output folder are wrong.
[[nodiscard]] ExitCode run(const RunArguments& arguments, const Context& context);

}  // namespace lockstep::app
