#include "app/lock/lint_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>

#include "advice/lock_advice.h"
#include "advice/rules.h"
#include "reports/text.h"
#include "reports/trace/json_values.h"

namespace lockstep::app {
namespace {

using advice::LintFinding;
using advice::RuleText;

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

}  // namespace

ExitCode lint(const LintArguments& arguments, const Context& context) {
  if (arguments.work == LintMode::list_rules) {
    print_rules(context, arguments.format);
    return ExitCode::as_expected;
  }
  ExitCode code = ExitCode::as_expected;
  std::vector<LintFinding> findings;
  for (const std::string& path : arguments.paths) {
    try {
      std::vector<LintFinding> found = advice::advise_on(path, context.script_folders);
      findings.insert(findings.end(), std::make_move_iterator(found.begin()),
                      std::make_move_iterator(found.end()));
    } catch (const scenario::InputError& error) {
      print_error(context, error);
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
  return code;
}

}  // namespace lockstep::app
