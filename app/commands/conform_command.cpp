// lockstep conform: does a lock's client model send what the real library sends?
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/commands/confirm_client.h"
#include "app/context.h"
#include "app/interruption.h"
#include "app/output/output_file.h"
#include "app/output/output_place.h"
#include "model/engine/engine.h"
#include "reports/text.h"
#include "reports/trace/json_values.h"
#include "scenario/file/scenario_file.h"
#include "scenario/step_kind.h"
#include "scenario/text/text_file.h"
#include "search/conform/conformance.h"
#include "sim/versions.h"

namespace lockstep::app {
namespace {

using reports::sanitized;

struct ConformArguments {
  std::string lock;
  std::string client;
  std::vector<std::string> recordings;
  search::StoryLimits limits;
  scenario::ProgramSpec::Reuse reuse = scenario::ProgramSpec::Reuse::process;
  std::uint64_t runs = 20;
  std::uint64_t seed = 1;
  std::string output_folder = "lockstep-out";
  OutputFormat format = OutputFormat::text;
};

constexpr std::size_t shown_max = 5;

std::string said(const std::optional<search::SentRequest>& request) {
  if (!request) return "nothing more";
  return fmt::format("{}{}, at {}", sanitized(request->text),
                     request->count > 1 ? fmt::format(" ({} times)", request->count) : "",
                     reports::milliseconds_number(request->first_at_ns, 1) + " ms");
}

std::string counted(std::uint64_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

/// "redis-py: 40 runs, 212 operations, 5 kinds of fault: the same requests; …".
std::string statement(const ConformArguments& arguments, const search::Conformance& found) {
  const bool is_recorded = arguments.client.empty();
  const std::string played =
      fmt::format("{} and {}: {}, {}{}", sanitized(arguments.lock),
                  is_recorded ? "what was recorded" : sanitized(arguments.client),
                  counted(found.runs, "run"), counted(found.operations, "operation"),
                  is_recorded ? "" : ", " + counted(found.faults.size(), "kind") + " of fault");
  if (!found.differences.empty()) {
    return fmt::format("{}: requests differ in {}", played,
                       counted(found.differences.size(), "run"));
  }
  std::string same = fmt::format("{}: the same {}", played, counted(found.requests, "request"));
  if (is_recorded) return same;
  return fmt::format("{}; without faults, grants within {} ms", same,
                     reports::milliseconds_number(found.grant_differs_ns_max, 1));
}

std::string save(const ConformArguments& arguments, const search::ConformDifference& difference) {
  if (arguments.client.empty()) return difference.scenario.path;
  const std::filesystem::path path = std::filesystem::path(arguments.output_folder) /
                                     fmt::format("conform-{}.toml", difference.seed);
  std::filesystem::create_directories(path.parent_path());
  write_file(path, [&](std::ostream& stream) { stream << difference.scenario.text; });
  return path.string();
}

reports::Json json_of(const std::optional<search::SentRequest>& request) {
  if (!request) return nullptr;
  return {{"request", reports::json_text(request->text)},
          {"count", request->count},
          {"at_ns", request->first_at_ns}};
}

search::Conformance compare(const ConformArguments& arguments, const Context& context) {
  model::Engine engine(context.script_folders, context.programs);
  if (arguments.recordings.empty()) {
    return search::conform(
        {arguments.lock, arguments.limits, program_of(arguments.client, arguments.reuse),
         arguments.seed, arguments.runs, &is_interrupted},
        engine);
  }
  std::vector<search::Recording> recordings;
  for (const std::string& path : arguments.recordings) {
    recordings.push_back(search::parse_recording(path, scenario::read_text_file(path)));
  }
  return search::conform_recordings(arguments.lock, recordings, engine);
}

ExitCode run_conform(const ConformArguments& arguments, const Context& context) {
  const search::Conformance found = compare(arguments, context);
  if (arguments.format == OutputFormat::json) {
    reports::Json differences = reports::Json::array();
    for (const search::ConformDifference& each : found.differences) {
      differences.push_back({{"seed", reports::json_number(each.seed)},
                             {"fault", reports::json_text(each.fault)},
                             {"client", reports::json_text(each.client)},
                             {"server", reports::json_text(each.at.server)},
                             {"number", each.at.number},
                             {"model", json_of(each.at.model)},
                             {"real", json_of(each.at.real)}});
    }
    context.output << reports::Json{{"schema", conform_document_version},
                                    {"lock", reports::json_text(arguments.lock)},
                                    {"client", reports::json_text(arguments.client)},
                                    {"runs", found.runs},
                                    {"operations", found.operations},
                                    {"requests", found.requests},
                                    {"faults", found.faults},
                                    {"grant_differs_ns_max", found.grant_differs_ns_max},
                                    {"differences", std::move(differences)}}
                          .dump(2)
                   << '\n';
  } else {
    context.output << statement(arguments, found) << '\n';
    for (std::size_t i = 0; i < found.differences.size() && i < shown_max; ++i) {
      const search::ConformDifference& each = found.differences[i];
      context.output << fmt::format(
          "  {}{}: request {} of {} to {}\n    model  {}\n    real   {}\n", save(arguments, each),
          each.fault.empty() ? "" : " (" + each.fault + ")", each.at.number, sanitized(each.client),
          sanitized(each.at.server), said(each.at.model), said(each.at.real));
    }
  }
  if (is_interrupted()) return ExitCode::unknown;
  return found.differences.empty() ? ExitCode::as_expected : ExitCode::not_as_expected;
}

/// Stories have no other steps that they could do without.
scenario::StepKind step_of(const std::string& word) {
  if (word == "extend") return scenario::StepKind::extend;
  if (word == "try_lock") return scenario::StepKind::try_lock;
  throw CLI::ValidationError("--without", "expected extend or try_lock, found '" + word + "'");
}

void require_real_client(const CLI::App& command, ConformArguments& arguments) {
  if (command.count("--client") != 0 || !arguments.recordings.empty()) return;
  throw CLI::ValidationError("expected --client COMMAND or --recording FILE, to compare with");
}

void add_options(CLI::App& command, ConformArguments& arguments) {
  command.add_option("LOCK", arguments.lock, "The lock whose client model is compared")
      ->required()
      ->type_name("");
  CLI::Option* const client =
      command
          .add_option(
              "--client", arguments.client,
              "The real client: does the steps in LOCKSTEP_STEPS to the lock in LOCKSTEP_LOCK")
          ->type_name("COMMAND");
  command
      .add_option("--recording", arguments.recordings,
                  "What the real client sent elsewhere, as lockstep record keeps it")
      ->excludes(client)
      ->type_name("FILE");
  command
      .add_option("--lock-name", arguments.limits.lock_name,
                  "The lock's key as the library names it (orders)")
      ->type_name("NAME");
  command
      .add_option_function<std::vector<std::string>>(
          "--without",
          [&arguments](const std::vector<std::string>& words) {
            for (const std::string& word : words) arguments.limits.without.insert(step_of(word));
          },
          "A step that the library has no call for: extend, try_lock")
      ->type_name("STEP");
  command.add_flag_callback(
      "--fork", [&arguments] { arguments.reuse = scenario::ProgramSpec::Reuse::fork; },
      "Start the program once, and make each run a fork of it");
  command.add_option("--runs", arguments.runs, "How many drawn stories to play with both (20)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}))
      ->type_name("N");
  command.add_option("--seed", arguments.seed, "The first story's (1)")->type_name("N");
  writes_to(command.add_option("-o,--out", arguments.output_folder, "Where stories that differ go")
                ->type_name("DIR"),
            OutputPlace::folder);
  add_format(command, arguments.format);
}

}  // namespace

CommandDescription conform_command() {
  return describe_command<ConformArguments>(
      {.name = "conform",
       .summary = "Compare a lock's client model with the real library, request by request",
       .examples = "lockstep conform setnx --client \"python3 adapter.py\" --runs 40\n"
                   "  lockstep conform plain --recording recording.jsonl"},
      {.add_options = add_options,
       .complete = require_real_client,
       .format = [](const ConformArguments& arguments) { return arguments.format; },
       .run = run_conform});
}

}  // namespace lockstep::app
