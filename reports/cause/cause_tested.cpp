// Causes that were tested: whether they are some also where those faults and wrong clocks alone
// strike that a violation needs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "reports/cause/cause.h"
#include "reports/cause/cause_parts.h"
#include "search/runs/run_record.h"
#include "search/runs/scenario_outcome.h"

namespace lockstep::reports {
namespace {

using checker::Property;

bool is_same(const Cause& one, const Cause& other) {
  return one.kind == other.kind && one.victim == other.victim && one.culprit == other.culprit &&
         one.operation == other.operation;
}

/// Of these verdicts of a run alone; of harm also what went wrong before it, which only a lock that
/// promises it may be blamed for.
std::vector<Cause> found_in(const search::RunRecord& run, Property property) {
  std::vector<checker::Verdict> asked;
  std::copy_if(
      run.verdicts.begin(), run.verdicts.end(), std::back_inserter(asked),
      [property](const checker::Verdict& verdict) {
        return verdict.property == property ||
               (property == Property::harm && (verdict.property == Property::mutual_exclusion ||
                                               verdict.property == Property::valid_grant));
      });
  return find_causes(run, asked);
}

/// "a/1's acquire was refused": what is said of a violation, without its numbers.
std::string blamed_in(const search::RunRecord& run, Property property) {
  for (const checker::Verdict& verdict : run.verdicts) {
    if (verdict.property != property || verdict.evidence.empty()) continue;
    std::vector<std::string> parts;
    // Two who believe at once may come in either order.
    const std::size_t count = property == Property::mutual_exclusion ? 2 : 1;
    for (std::size_t i = 0; i < std::min(count, verdict.evidence.size()); ++i) {
      parts.push_back(verdict.evidence[i].what);
      std::erase_if(parts.back(), [](char each) { return each >= '0' && each <= '9'; });
      if (verdict.evidence[i].who != checker::no_name) {
        parts.back() += " " + run.judged->names.text(verdict.evidence[i].who);
      }
    }
    std::sort(parts.begin(), parts.end());
    return fmt::format("{}", fmt::join(parts, "; "));
  }
  return {};
}

/// Without what only a fault that the violations do not need makes look like a cause; all of them,
/// where the runs without it break in another way. `is_asked` says of which properties they are.
template <typename IsAsked>
std::vector<Cause> tested(const search::RunRecord& example, std::vector<Cause> causes,
                          IsAsked is_asked) {
  if (!example.with_fewer_faults) return causes;
  std::vector<Cause> confirmed;
  std::vector<Cause> untried;  // of violations that are others where less goes wrong
  for (const search::RunWithFewerFaults& each : *example.with_fewer_faults) {
    if (!is_asked(each.property)) continue;
    // Where a property needs all faults the run itself was the test.
    const search::RunRecord& run = each.run == nullptr ? example : *each.run;
    const bool is_the_same =
        &run == &example || blamed_in(run, each.property) == blamed_in(example, each.property);
    for (Cause& cause : found_in(is_the_same ? run : example, each.property)) {
      (is_the_same ? confirmed : untried).push_back(std::move(cause));
    }
  }
  const auto has = [](const std::vector<Cause>& list, const Cause& cause) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Cause& other) { return is_same(cause, other); });
  };
  for (Cause& cause : causes) {
    if (has(confirmed, cause)) {
      cause.is_tested = true;
    } else if (!has(untried, cause)) {
      cause.is_tested = false;
    }
  }
  const auto is_refuted = [](const Cause& cause) { return cause.is_tested == false; };
  if (!std::all_of(causes.begin(), causes.end(), is_refuted)) std::erase_if(causes, is_refuted);
  return causes;
}

}  // namespace

std::vector<Cause> causes_of(const search::ScenarioOutcome& outcome) {
  const search::RunRecord& example = outcome.example;
  return tested(example, find_causes(example, search::verdicts_as_told(outcome)),
                [](Property) { return true; });
}

std::vector<Cause> causes_of(const search::RunRecord& example, Property property) {
  return tested(example, found_in(example, property),
                [property](Property tried) { return tried == property; });
}

std::vector<std::string> explain(const search::RunRecord& example, Property property) {
  return sentences_of(found_in(example, property));
}

}  // namespace lockstep::reports
