// lockstep lint: reviews a lock's scripts and its client model.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include "advice/lock_advice.h"
#include "advice/rules.h"
#include "advice/script_extraction.h"
#include "app/command.h"
#include "app/context.h"
#include "app/exit_code.h"
#include "app/output/annotation_output.h"
#include "reports/text.h"
#include "reports/trace/json_values.h"

namespace lockstep::app {
namespace {

using advice::LintFinding;
using advice::RuleText;

enum class LintMode : std::uint8_t { lint_files, list_rules };

struct LintArguments {
  std::vector<std::string> paths;  ///< scripts, client models, folders of locks, names of locks
  LintMode mode = LintMode::lint_files;
  OutputFormat format = OutputFormat::text;
  AnnotationOptions annotations;
};

reports::Json json_of(const RuleText& rule) {
  return {{"rule", reports::json_text(rule.name)},
          {"title", reports::json_text(rule.title)},
          {"reason", reports::json_text(rule.reason)},
          {"shown_in", reports::json_text(rule.shown_in)}};
}

reports::Json json_of(const LintFinding& finding) {
  const RuleText& rule = advice::text_of(finding.rule);
  return {{"file", reports::json_text(finding.path)},
          {"line", finding.place.line},
          {"column", finding.place.column},
          {"rule", reports::json_text(rule.name)},
          {"what", reports::json_text(finding.what)},
          {"reason", reports::json_text(finding.reason)},
          {"shown_in", reports::json_text(rule.shown_in)}};
}

reports::Annotation annotation_of(const LintFinding& finding) {
  const RuleText& rule = advice::text_of(finding.rule);
  return {reports::AnnotationLevel::warning,
          std::string(rule.name),
          finding.path,
          finding.place.line,
          finding.place.column,
          finding.what,
          finding.reason};
}

void print_rules(const Context& context, OutputFormat format) {
  if (format == OutputFormat::json) {
    reports::Json rules = reports::Json::array();
    for (const RuleText& rule : advice::all_rules()) rules.push_back(json_of(rule));
    context.output << reports::Json{{"rules", std::move(rules)}}.dump(2) << '\n';
    return;
  }
  for (const RuleText& rule : advice::all_rules()) {
    context.output << fmt::format("{}: {}\n  {}\n  see {}\n", rule.name, rule.title, rule.reason,
                                  rule.shown_in);
  }
}

void print_finding(const LintFinding& finding, const Context& context) {
  const RuleText& rule = advice::text_of(finding.rule);
  context.output << fmt::format("{}:{}:{}: {}: {}\n  {}\n  see {}\n",
                                reports::sanitized(finding.path), finding.place.line,
                                finding.place.column, rule.name, reports::sanitized(finding.what),
                                reports::sanitized(finding.reason), rule.shown_in);
}

ExitCode run_lint(const LintArguments& arguments, const Context& context) {
  if (arguments.mode == LintMode::list_rules) {
    print_rules(context, arguments.format);
    return ExitCode::as_expected;
  }
  ExitCode code = ExitCode::as_expected;
  std::vector<LintFinding> findings;
  AnnotationOutput annotations(arguments.annotations, context);
  for (const std::string& path : arguments.paths) {
    try {
      if (advice::language_of_file(path)) {
        throw scenario::InputError::about(
            path, fmt::format("expected a Lua script; '{} extract {}' finds those in this file",
                              context.program, shell_quoted(path)));
      }
      std::vector<LintFinding> found = advice::advise_on(path, context.script_folders);
      findings.insert(findings.end(), std::make_move_iterator(found.begin()),
                      std::make_move_iterator(found.end()));
    } catch (const scenario::InputError& error) {
      print_error(context, error);
      annotations.add(reports::annotations_of(error));
      code = worse(code, ExitCode::bad_input);
    }
  }
  advice::sort_findings(findings);
  if (!findings.empty()) code = worse(code, ExitCode::not_as_expected);
  if (arguments.format == OutputFormat::json) {
    reports::Json list = reports::Json::array();
    for (const LintFinding& finding : findings) list.push_back(json_of(finding));
    context.output << reports::Json{{"findings", std::move(list)}}.dump(2) << '\n';
  } else {
    for (const LintFinding& finding : findings) print_finding(finding, context);
  }
  std::vector<reports::Annotation> list;
  for (const LintFinding& finding : findings) list.push_back(annotation_of(finding));
  annotations.add(std::move(list));
  annotations.finish();
  return code;
}

void add_options(CLI::App& command, LintArguments& arguments) {
  command
      .add_option("SCRIPT", arguments.paths,
                  "Server scripts, client models, folders of locks, or names of locks")
      ->type_name("");
  command.add_flag_callback(
      "--rules", [&arguments] { arguments.mode = LintMode::list_rules; },
      "List what is looked for");
  add_annotation_options(command, arguments.annotations);
  add_format(command, arguments.format);
}

void require_scripts(const CLI::App& /*command*/, LintArguments& arguments) {
  if (!arguments.paths.empty() || arguments.mode == LintMode::list_rules) return;
  throw CLI::ValidationError("expected a SCRIPT to look at, or --rules");
}

}  // namespace

CommandDescription lint_command() {
  return describe_command<LintArguments>(
      {.name = "lint",
       .summary =
           "Look at a lock's scripts and its client model as a review would, and give reasons",
       .examples = "lockstep lint plain"},
      {.add_options = add_options,
       .complete = require_scripts,
       .format = [](const LintArguments& arguments) { return arguments.format; },
       .run = run_lint});
}

}  // namespace lockstep::app
