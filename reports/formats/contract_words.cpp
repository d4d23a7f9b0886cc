#include "reports/formats/contract_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/property.h"
#include "model/lock/usage.h"
#include "reports/text.h"
#include "scenario/text/suggest.h"

namespace lockstep::reports {
namespace {

using model::Assumption;
using model::AssumptionSet;

constexpr std::size_t contract_columns = 100;
constexpr std::string_view any_request = "*";

std::string listed_promises(const std::vector<checker::Property>& promises) {
  std::vector<std::string_view> names;
  for (const checker::Property each : promises) names.push_back(checker::to_string(each));
  return scenario::listed(names);
}

/// Whether the rule is about something that such a lock has.
bool concerns(model::Usage usage, model::LockFamily family) {
  const bool has_permits = family == model::LockFamily::semaphore;
  const bool has_leases = !has_permits && family != model::LockFamily::latch;
  switch (usage) {
    case model::Usage::one_order:
    case model::Usage::equal_waits:
      return true;
    case model::Usage::equal_permits:
    case model::Usage::permits_not_nested:
      return has_permits;
    case model::Usage::enough_count_downs:
      return family == model::LockFamily::latch;
    case model::Usage::nobody_forces:
    case model::Usage::lease_beyond_wait:
    case model::Usage::unleased_reentry:
    case model::Usage::reentry_no_shorter:
    case model::Usage::leases_not_mixed:
    case model::Usage::extension_no_shorter:
      return has_leases;
    case model::Usage::clocks_agree:
      return family == model::LockFamily::fair;
    case model::Usage::holds_within_lease:
      return false;  // the assumption says it
  }
  return false;
}

bool is_of_any_request(const model::Contract& contract) {
  return std::find(contract.executed_once.begin(), contract.executed_once.end(), any_request) !=
         contract.executed_once.end();
}

/// Whether a run can break it at all.
bool means_something(Assumption assumption, const model::Contract& contract) {
  if (assumption == Assumption::renewals_get_through) return contract.renews;
  if (assumption == Assumption::holds_within_lease) {
    return contract.family != model::LockFamily::semaphore &&
           contract.family != model::LockFamily::latch;
  }
  if (assumption == Assumption::executed_once) {
    return !contract.executed_once.empty() || !contract.remembers.empty();
  }
  return true;
}

std::string executed_once_clause(const model::Contract& contract) {
  if (is_of_any_request(contract)) return std::string(as_long_as(Assumption::executed_once));
  if (contract.executed_once.empty()) {
    return fmt::format("no request is executed twice later than its {} says",
                       sanitized(contract.remembers));
  }
  std::vector<std::string> labels;
  for (const std::string& each : contract.executed_once) labels.push_back(sanitized(each));
  const std::vector<std::string_view> names(labels.begin(), labels.end());
  std::string text =
      fmt::format("no {} that is sent again is executed twice", scenario::listed(names, "or"));
  if (!contract.remembers.empty()) {
    text += fmt::format(" (nor any other request later than its {} says)",
                        sanitized(contract.remembers));
  } else if (contract.forgets_answers) {
    text += " (nor any other request, where its answer matters)";
  }
  return text;
}

/// "all", "all but fifo", or those there are.
std::string short_list(const std::vector<checker::Property>& some,
                       const std::vector<checker::Property>& all) {
  std::vector<checker::Property> others;
  for (const checker::Property each : all) {
    if (std::find(some.begin(), some.end(), each) == some.end()) others.push_back(each);
  }
  if (others.empty()) return "all";
  return others.size() < some.size() ? "all but " + listed_promises(others) : listed_promises(some);
}

AssumptionSet what_means_something(AssumptionSet assumptions, const model::Contract& contract) {
  AssumptionSet some;
  assumptions.visit([&](Assumption each) {
    if (means_something(each, contract)) some.insert(each);
  });
  return some;
}

/// Wrapped, each line indented: what others wrote never begins one.
void add_item(std::string& text, std::string_view mark, const std::string& words) {
  std::string_view lead = mark;
  const std::string hanging(mark.size(), ' ');
  for (const std::string& line : wrapped(words, contract_columns - mark.size())) {
    text += fmt::format("{}{}\n", lead, line);
    lead = hanging;
  }
}

void add_clauses(std::string& text, const std::string& head, AssumptionSet assumed,
                 const model::Contract& contract) {
  text += '\n';
  add_item(text, "", head);
  assumed.visit([&](Assumption each) {
    std::string words = clause_of(each, contract);
    const auto reason = contract.reasons.find(each);
    if (reason != contract.reasons.end()) words += fmt::format(": {}", sanitized(reason->second));
    add_item(text, "  - ", words);
  });
}

}  // namespace

std::vector<PromisesAlike> promises_alike(const model::Contract& contract,
                                          const std::vector<checker::Property>& promises) {
  std::vector<PromisesAlike> groups;
  for (const checker::Property promise : promises) {
    const AssumptionSet assumed =
        what_means_something(contract.assumed_for(promise).value_or(AssumptionSet{}), contract);
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const PromisesAlike& each) {
      return each.assumed == assumed;
    });
    if (group == groups.end()) {
      groups.push_back({{promise}, assumed});
    } else {
      group->promises.push_back(promise);
    }
  }
  return groups;
}

std::string clause_of(Assumption assumption, const model::Contract& contract) {
  if (assumption == Assumption::executed_once) return executed_once_clause(contract);
  if (assumption == Assumption::renewals_get_through && !contract.own_lease.empty()) {
    return fmt::format("no fault keeps a holder from renewing for a third of its {}",
                       sanitized(contract.own_lease));
  }
  if (assumption == Assumption::clocks_steady && contract.drift_ppm > 0) {
    return fmt::format("no clock steps, stops or drifts by more than {} ppm", contract.drift_ppm);
  }
  return std::string(as_long_as(assumption));
}

std::string clauses_of(AssumptionSet assumptions, const model::Contract& contract) {
  const AssumptionSet assumed = what_means_something(assumptions, contract);
  std::string text;
  std::size_t left = assumed.size();
  assumed.visit([&](Assumption each) {
    --left;
    if (!text.empty()) text += left == 0 ? ", and " : ", ";
    text += clause_of(each, contract);
  });
  return text;
}

std::vector<AskedRule> asked_rules(const model::Contract& contract,
                                   const std::vector<checker::Property>& promises) {
  std::vector<AskedRule> rules;
  for (const model::UsageForm& form : model::usage_forms()) {
    if (!concerns(form.usage, contract.family)) continue;
    AskedRule rule{form.word, form.sentence, {}};
    for (const checker::Property promise : promises) {
      if (contract.asks_for(form.usage, promise)) rule.promises.push_back(promise);
    }
    if (!rule.promises.empty()) rules.push_back(std::move(rule));
  }
  return rules;
}

AssumptionSet assumed_by_all(const std::vector<PromisesAlike>& groups) {
  if (groups.empty()) return {};
  AssumptionSet common = groups.front().assumed;
  for (const PromisesAlike& each : groups) common = common & each.assumed;
  return common;
}

std::vector<std::string> contract_sentences(const model::Contract& contract,
                                            const std::vector<checker::Property>& promises) {
  const std::vector<PromisesAlike> groups = promises_alike(contract, promises);
  const AssumptionSet common = assumed_by_all(groups);
  std::vector<std::string> sentences;
  if (!common.empty()) {
    sentences.push_back(
        fmt::format("All promises hold as long as {}.", clauses_of(common, contract)));
  }
  for (const PromisesAlike& group : groups) {
    const AssumptionSet besides = group.assumed.without(common);
    if (besides.empty()) continue;
    sentences.push_back(fmt::format("{} need{} {}that {}.", listed_promises(group.promises),
                                    group.promises.size() == 1 ? "s" : "",
                                    common.empty() ? "" : "besides ",
                                    clauses_of(besides, contract)));
  }
  if (sentences.empty()) sentences.emplace_back("All promises hold whatever happens.");
  return sentences;
}

std::string whose_contract(const model::Contract& contract) {
  if (!contract.is_standard) return "its [contract]";
  return fmt::format("the standard contract of {} locks", model::to_string(contract.family));
}

std::string own_lease_sentence(const model::Contract& contract) {
  const bool has_permits = contract.family == model::LockFamily::semaphore ||
                           contract.family == model::LockFamily::latch;
  if (contract.own_lease.empty()) {
    return has_permits ? "" : "A hold taken without a lease lasts until it is given back.";
  }
  return fmt::format("A hold taken without a lease has that of the option {}, which {}.",
                     sanitized(contract.own_lease),
                     contract.renews ? "the lock renews by itself" : "nothing renews");
}

std::string contract_console(const ExplainedLock& lock) {
  std::string text = fmt::format("{}: {}\n", sanitized(lock.name), sanitized(lock.title));
  if (!lock.flaw.empty()) text += fmt::format("known bad: {}\n", sanitized(lock.flaw));
  text += fmt::format("judged by {}\n", whose_contract(lock.contract));
  const std::string own_lease = own_lease_sentence(lock.contract);
  if (!own_lease.empty()) text += own_lease + "\n";
  const std::vector<PromisesAlike> groups = promises_alike(lock.contract, lock.promises);
  const AssumptionSet common = assumed_by_all(groups);
  add_clauses(text,
              fmt::format("It promises {}{}", listed_promises(lock.promises),
                          common.empty() ? "" : ", as long as"),
              common, lock.contract);
  for (const PromisesAlike& group : groups) {
    const AssumptionSet besides = group.assumed.without(common);
    if (besides.empty()) continue;
    add_clauses(
        text,
        fmt::format("{} need{} {}that", listed_promises(group.promises),
                    group.promises.size() == 1 ? "s" : "", common.empty() ? "" : "besides "),
        besides, lock.contract);
  }
  const std::vector<AskedRule> rules = asked_rules(lock.contract, lock.promises);
  if (!rules.empty()) text += "\nRules for callers, and the promises that need them\n";
  for (const AskedRule& rule : rules) {
    add_item(text, "  - ",
             fmt::format("{} ({})", rule.sentence, short_list(rule.promises, lock.promises)));
  }
  if (!lock.contract.known.empty()) text += "\nKnown flaws\n";
  for (const model::KnownFlaw& flaw : lock.contract.known) {
    add_item(text, "  - ",
             fmt::format("{}: {}{}", checker::to_string(flaw.property), sanitized(flaw.what),
                         flaw.issue.empty() ? "" : fmt::format(" ({})", sanitized(flaw.issue))));
    if (flaw.scenario.empty()) continue;
    const auto shown = (lock.folder / flaw.scenario).lexically_normal();
    text += fmt::format("    shown by {}\n", sanitized(shown.string()));
  }
  return text;
}

}  // namespace lockstep::reports
