#include <fmt/format.h>

#include "checker/property.h"
#include "reports/formats/contract_json.h"
#include "reports/formats/survival_report.h"
#include "reports/formats/survival_table.h"
#include "reports/text.h"
#include "reports/trace/json_values.h"
#include "scenario/faults/fault_kind.h"
#include "sim/versions.h"

namespace lockstep::reports {
namespace {

constexpr int survival_indentation = 2;

Json rows_json(const SurvivalReport& report) {
  Json rows = Json::array();
  for (const SurvivalRow& row : survival_rows(report)) {
    Json kinds = Json::array();
    for (std::size_t i = 0; row.group && i < scenario::fault_kind_count; ++i) {
      const auto kind = static_cast<scenario::FaultKind>(i);
      if (scenario::group_of(kind) != *row.group) continue;
      kinds.push_back(Json::object({{"kind", scenario::to_string(kind)},
                                    {"struck", json_number(report.survival.struck(kind))}}));
    }
    Json cells = Json::object();
    for (std::size_t i = 0; i < report.promises.size(); ++i) {
      const SurvivalCell& cell = row.cells[i];
      cells[std::string(checker::to_string(report.promises[i]))] =
          Json::object({{"state", to_string(cell.state)},
                        {"held", json_number(cell.held)},
                        {"findings", cell.findings}});
    }
    rows.push_back(Json::object({{"faults", row_words(row.group)},
                                 {"kinds", std::move(kinds)},
                                 {"struck", json_number(row.struck)},
                                 {"cells", std::move(cells)}}));
  }
  return rows;
}

Json campaign_finding_json(const CampaignFinding& finding) {
  Json cause = Json::array();
  for (const std::string& sentence : finding.cause) cause.push_back(sanitized(sentence));
  Json object =
      Json::object({{"kind", to_string(finding.kind)},
                    {"broken", words_json(finding.finding.broken.value_or(model::AssumptionSet{}))},
                    {"violation", sanitized_or_null(finding.violation)},
                    {"cause", std::move(cause)},
                    {"workload", sanitized_or_null(finding.workload)},
                    {"known", sanitized_or_null(finding.known)}});
  object.update(finding_json(finding));
  return object;
}

}  // namespace

nlohmann::ordered_json survival_target(const SurvivalReport& report) {
  Json findings = Json::array();
  for (const CampaignFinding& each : report.findings) {
    findings.push_back(campaign_finding_json(each));
  }
  Json untested_kinds = Json::array();
  for (const scenario::FaultKind kind : untested_faults(report)) {
    untested_kinds.push_back(scenario::to_string(kind));
  }
  Json incidents = Json::array();
  for (const SavedIncident& each : report.incidents) incidents.push_back(incident_json(each));
  return Json::object({{"target", sanitized(report.name)},
                       {"lock", sanitized(report.lock)},
                       {"conclusion", conclusion_of(report)},
                       {"runs", json_number(report.runs)},
                       {"interrupted", report.interrupted},
                       {"elapsed_ms", json_number(report.elapsed_ms)},
                       {"seed", json_number(report.root_seed)},
                       {"strategy", sanitized(report.strategy)},
                       {"contract", contract_json(report.contract)},
                       {"promises", words_json(report.promises)},
                       {"untested", words_json(untested_promises(report))},
                       {"untested_faults", std::move(untested_kinds)},
                       {"rows", rows_json(report)},
                       {"findings", std::move(findings)},
                       {"incidents", std::move(incidents)}});
}

std::string survival_json(const std::vector<SurvivalReport>& reports) {
  Json targets = Json::array();
  for (const SurvivalReport& report : reports) targets.push_back(survival_target(report));
  const Json document = Json::object({{"format", "lockstep-survival"},
                                      {"version", survival_table_version},
                                      {"model_version", model_version},
                                      {"targets", std::move(targets)}});
  return document.dump(survival_indentation, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::reports
