#include "reports/formats/contract_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/property.h"
#include "model/lock/contract.h"
#include "reports/formats/contract_words.h"
#include "reports/text.h"
#include "reports/trace/json_values.h"
#include "sim/versions.h"

namespace lockstep::reports {
namespace {

constexpr int contract_indentation = 2;

/// What is assumed, and by which promises.
Json assumptions_json(const ExplainedLock& lock) {
  const std::vector<PromisesAlike> alike = promises_alike(lock.contract, lock.promises);
  Json assumptions = Json::array();
  for (std::size_t i = 0; i < model::assumption_count; ++i) {
    const auto each = static_cast<model::Assumption>(i);
    std::vector<checker::Property> promises;
    for (const checker::Property promise : lock.promises) {
      const bool assumes = std::any_of(alike.begin(), alike.end(), [&](const PromisesAlike& group) {
        return group.assumed.contains(each) &&
               std::find(group.promises.begin(), group.promises.end(), promise) !=
                   group.promises.end();
      });
      if (assumes) promises.push_back(promise);
    }
    if (promises.empty()) continue;
    const auto reason = lock.contract.reasons.find(each);
    assumptions.push_back(Json::object(
        {{"assumption", model::to_string(each)},
         {"as_long_as", clause_of(each, lock.contract)},
         {"promises", words_json(promises)},
         {"reason",
          reason == lock.contract.reasons.end() ? Json() : sanitized_or_null(reason->second)}}));
  }
  return assumptions;
}

Json rules_json(const ExplainedLock& lock) {
  Json rules = Json::array();
  for (const AskedRule& rule : asked_rules(lock.contract, lock.promises)) {
    rules.push_back(Json::object({{"rule", rule.word},
                                  {"sentence", rule.sentence},
                                  {"promises", words_json(rule.promises)}}));
  }
  return rules;
}

Json lock_json(const ExplainedLock& lock) {
  return Json::object({{"lock", sanitized(lock.name)},
                       {"title", sanitized(lock.title)},
                       {"flaw", sanitized_or_null(lock.flaw)},
                       {"promises", words_json(lock.promises)},
                       {"sentences", contract_sentences(lock.contract, lock.promises)},
                       {"assumptions", assumptions_json(lock)},
                       {"rules", rules_json(lock)},
                       {"contract", contract_json(lock.contract)}});
}

}  // namespace

Json words_json(model::AssumptionSet assumptions) {
  Json words = Json::array();
  assumptions.visit([&](model::Assumption each) { words.push_back(model::to_string(each)); });
  return words;
}

Json words_json(const std::vector<checker::Property>& properties) {
  Json words = Json::array();
  for (const checker::Property each : properties) words.push_back(checker::to_string(each));
  return words;
}

Json sanitized_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(sanitized(text));
}

Json contract_json(const model::Contract& contract) {
  Json assumes = Json::object();
  for (const auto& [promise, assumed] : contract.assumes) {
    assumes[std::string(checker::to_string(promise))] = words_json(assumed);
  }
  Json reasons = Json::object();
  for (const auto& [assumption, reason] : contract.reasons) {
    reasons[std::string(model::to_string(assumption))] = sanitized(reason);
  }
  Json scripts = Json::array();
  for (const std::string& each : contract.executed_once) scripts.push_back(sanitized(each));
  Json known = Json::array();
  for (const model::KnownFlaw& flaw : contract.known) {
    Json cause = Json::array();
    for (const std::string& word : flaw.cause) cause.push_back(sanitized(word));
    known.push_back(Json::object({{"property", checker::to_string(flaw.property)},
                                  {"what", sanitized(flaw.what)},
                                  {"cause", std::move(cause)},
                                  {"issue", sanitized_or_null(flaw.issue)},
                                  {"scenario", sanitized_or_null(flaw.scenario)}}));
  }
  return Json::object({{"family", model::to_string(contract.family)},
                       {"standard", contract.is_standard},
                       {"assumes", std::move(assumes)},
                       {"reasons", std::move(reasons)},
                       {"executed_once", std::move(scripts)},
                       {"remembers", sanitized_or_null(contract.remembers)},
                       {"forgets_answers", contract.forgets_answers},
                       {"drift_ppm", contract.drift_ppm},
                       {"own_lease", sanitized_or_null(contract.own_lease)},
                       {"renews", contract.renews},
                       {"known", std::move(known)}});
}

std::string contracts_json(const std::vector<ExplainedLock>& locks) {
  Json array = Json::array();
  for (const ExplainedLock& lock : locks) array.push_back(lock_json(lock));
  const Json document = Json::object({{"format", "lockstep-contract"},
                                      {"version", contract_document_version},
                                      {"locks", std::move(array)}});
  return document.dump(contract_indentation, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::reports
