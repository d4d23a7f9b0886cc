// lockstep explain: what locks promise, and as long as what.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/context.h"
#include "app/search/fuzz_targets.h"
#include "model/lock/lock_package.h"
#include "reports/formats/contract_json.h"
#include "reports/formats/contract_words.h"
#include "scenario/text/input_error.h"

namespace lockstep::app {
namespace {

struct ExplainArguments {
  std::vector<std::string> locks;
  OutputFormat format = OutputFormat::text;
};

ExitCode run_explain(const ExplainArguments& arguments, const Context& context) {
  std::vector<reports::ExplainedLock> locks;
  for (const FuzzTarget& target : find_targets(arguments.locks)) {
    if (!target.is_lock) {
      throw scenario::InputError::about(
          "LOCK", fmt::format("'{}' is a scenario, which lockstep run --dry-run explains; expected "
                              "the name of a lock, or a folder with a lock.toml",
                              target.name));
    }
    model::LockPackage lock = model::load_lock(*target.scenario, context.script_folders);
    locks.push_back({lock.full_name(), std::move(lock.title), std::move(lock.flaw),
                     std::move(lock.folder), std::move(lock.promises), std::move(lock.contract)});
  }
  if (arguments.format == OutputFormat::json) {
    context.output << reports::contracts_json(locks);
    return ExitCode::as_expected;
  }
  for (const reports::ExplainedLock& lock : locks) {
    if (&lock != &locks.front()) context.output << '\n';
    context.output << reports::contract_console(lock);
  }
  return ExitCode::as_expected;
}

void add_options(CLI::App& command, ExplainArguments& arguments) {
  command.add_option("LOCK", arguments.locks, "Names of locks, or folders with a lock.toml")
      ->required()
      ->type_name("");
  add_format(command, arguments.format);
}

}  // namespace

CommandDescription explain_command() {
  return describe_command<ExplainArguments>(
      {.name = "explain",
       .summary = "Tell what a lock promises, and as long as what it keeps each promise",
       .examples = "lockstep explain plain\n  lockstep explain my-lock --format json"},
      {.add_options = add_options,
       .format = [](const ExplainArguments& arguments) { return arguments.format; },
       .run = run_explain});
}

}  // namespace lockstep::app
