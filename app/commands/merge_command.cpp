// lockstep merge: joins the results of the shards of a search, and reports them as the whole search
// would.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/context.h"
#include "app/exit_code.h"
#include "app/interruption.h"
#include "app/output/file_names.h"
#include "app/output/output_file.h"
#include "app/search/fuzz_output.h"
#include "app/search/fuzz_record.h"
#include "app/search/fuzz_reporter.h"
#include "app/search/merged_search.h"
#include "app/search/saving_time.h"
#include "reports/formats/search_record_file.h"
#include "scenario/text/input_error.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

struct MergeArguments {
  std::vector<std::string> parts;  ///< output folders of searches, or records
  FuzzOutput output;
};

std::vector<std::string> records_in(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  fs::directory_iterator each(folder, error);
  for (; !error && each != fs::directory_iterator(); each.increment(error)) {
    const std::string name = each->path().filename().string();
    if (!name.starts_with('.') && name.ends_with(record_suffix)) {
      paths.push_back(each->path().string());
    }
  }
  if (error) {
    throw scenario::InputError::about(folder,
                                      fmt::format("cannot read this folder: {}", error.message()));
  }
  if (paths.empty()) {
    throw scenario::InputError::about(
        folder, "there is no record of a search in it; fuzz --shard writes one");
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// The record of a target, and a file that it came from.
struct Merged {
  search::SearchRecord record;
  std::string path;
};

/// Also writes the joined record of each target into the output folder, so that it can be merged
/// again. Unknown if a part is missing and nothing broke.
class MergeCommand {
 public:
  MergeCommand(const MergeArguments& arguments, const Context& context)
      : arguments_(arguments), context_(context) {}

  ExitCode run() {
    for (const std::string& path : find_records()) {
      if (is_interrupted()) return ExitCode::unknown;
      add(path);
    }
    // Errors are thrown before anything is written.
    std::vector<MergedSearch> searches;
    for (const auto& [target, joined] : by_target_) {
      searches.emplace_back(joined.record, joined.path, context_);
    }
    FuzzReporter reporter(arguments_.output, context_);
    ExitCode code = ExitCode::as_expected;
    for (MergedSearch& search : searches) {
      if (is_interrupted()) break;
      for (const std::string& missing : search.missing()) print_error(context_, missing);
      if (!search.missing().empty()) code = worse(code, ExitCode::unknown);
      write(search);
      reports::FuzzReport report = search.take_report();
      SavingTime time([](std::size_t, std::size_t) { return is_interrupted(); });
      reporter.save(search.target(), report, time);
      reporter.report(std::move(report));
    }
    if (is_interrupted()) {
      print_error(context_, "interrupted: not all was joined");
      code = worse(code, ExitCode::unknown);
    }
    reporter.finish();
    return worse(code, reporter.exit_code());
  }

 private:
  std::vector<std::string> find_records() const {
    std::vector<std::string> paths;
    for (const std::string& part : arguments_.parts) {
      std::error_code error;
      if (!fs::is_directory(part, error)) {
        paths.push_back(part);
        continue;
      }
      for (std::string& path : records_in(part)) paths.push_back(std::move(path));
    }
    return paths;
  }

  void add(const std::string& path) {
    search::SearchRecord record = reports::read_search_record(path);
    const std::string target = reports::target_of(record.search);
    const auto known = by_target_.find(target);
    if (known == by_target_.end()) {
      by_target_[target] = {std::move(record), path};
      return;
    }
    Merged& joined = known->second;
    const std::string difference =
        reports::identity_difference(joined.record.search, record.search);
    if (!difference.empty()) {
      throw scenario::InputError::about(
          path, fmt::format("it is not of the same search as {}: {}", joined.path, difference));
    }
    const std::string contradiction = search::join(joined.record, record);
    if (!contradiction.empty()) {
      throw scenario::InputError::about(
          path, fmt::format("it contradicts {}: {}", joined.path, contradiction));
    }
  }

  void write(const MergedSearch& search) {
    const fs::path path = fs::path(arguments_.output.folder) /
                          (names_.take(search.target().file_name) + std::string(record_suffix));
    write_file(
        path, [&search](std::ostream& out) { reports::write_search_record(out, search.record()); });
  }

  const MergeArguments& arguments_;
  const Context& context_;
  std::map<std::string, Merged> by_target_;
  UniqueNames names_;
};

ExitCode run_merge(const MergeArguments& arguments, const Context& context) {
  return MergeCommand(arguments, context).run();
}

void add_options(CLI::App& command, MergeArguments& arguments) {
  command.add_option("PART", arguments.parts, "Output folders of fuzz --shard, or records in them")
      ->required()
      ->type_name("");
  add_fuzz_output(command, arguments.output);
}

}  // namespace

CommandDescription merge_command() {
  return describe_command<MergeArguments>(
      {.name = "merge",
       .summary = "Join what the shards of a search came to",
       .examples = "lockstep merge out-1 out-2 out-3 -o merged"},
      {.add_options = add_options,
       .format = [](const MergeArguments& arguments) { return arguments.output.format; },
       .run = run_merge});
}

}  // namespace lockstep::app
