#include "scenario/faults/fault_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "scenario/faults/fault_forms.h"
#include "scenario/faults/open_faults.h"
#include "scenario/file/scenario_file.h"
#include "scenario/file/write_scenario.h"
#include "scenario/scenario.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"

namespace lockstep::scenario {
namespace {

bool contains(const std::vector<FaultKind>& kinds, FaultKind kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

std::string joined(const std::vector<FaultKind>& kinds) {
  std::string words;
  for (const FaultKind kind : kinds) {
    words += fmt::format("{}{}", words.empty() ? "" : ",", to_string(kind));
  }
  return words;
}

std::vector<std::string_view> words_of(const std::vector<FaultKind>& kinds) {
  std::vector<std::string_view> words;
  for (const FaultKind kind : kinds) words.push_back(to_string(kind));
  return words;
}

/// "any", as read_open_faults reads it.
OpenFaults any_faults() {
  OpenFaults open;
  open.any = true;
  for (const FaultForm& form : fault_forms()) {
    if (form.search.by_default == SearchDefault::allowed) open.kinds.push_back(form.kind);
  }
  return open;
}

/// What is named takes the place of "any"; of kinds that a file names, only those are left.
void keep_only(const std::vector<FaultKind>& only, const Scenario& scenario, OpenFaults& open) {
  if (open.any) {
    open.any = false;
    open.kinds = only;
    return;
  }
  const std::vector<FaultKind> before = open.kinds;
  std::erase_if(open.kinds, [&](FaultKind kind) { return !contains(only, kind); });
  if (!open.kinds.empty()) return;
  throw InputError::about("--faults",
                          fmt::format("{} leaves {} open; expected some of these",
                                      in_quotes(scenario.name()), listed(words_of(before))));
}

void leave_out(const std::vector<FaultKind>& without, OpenFaults& open) {
  for (const FaultKind kind : without) {
    const bool is_among_any = form_of(kind).search.by_default == SearchDefault::allowed;
    if (open.any && is_among_any) {
      open.at_most_of[static_cast<std::size_t>(kind)] = 0;
    } else {
      std::erase(open.kinds, kind);
    }
  }
}

}  // namespace

bool FaultChoice::allows(FaultKind kind) const {
  return (only.empty() || contains(only, kind)) && !contains(without, kind);
}

std::string FaultChoice::in_words() const {
  std::string words;
  if (any || !only.empty()) words += fmt::format(" --faults {}", any ? "any" : joined(only));
  if (!without.empty()) words += fmt::format(" --except {}", joined(without));
  return words;
}

Scenario narrowed(const Scenario& scenario, const FaultChoice& choice) {
  Scenario edited = scenario;
  if (!edited.open_faults) {
    if (!choice.any && choice.only.empty()) {
      throw InputError::about("--except", fmt::format("{} leaves no fault open; expected --faults "
                                                      "too, which opens it",
                                                      in_quotes(scenario.name())));
    }
    edited.open_faults = any_faults();
  }
  OpenFaults& open = *edited.open_faults;
  if (!choice.only.empty()) keep_only(choice.only, scenario, open);
  leave_out(choice.without, open);
  const bool is_some_left = std::any_of(open.kinds.begin(), open.kinds.end(),
                                        [&](FaultKind kind) { return open.allows(kind); });
  if (!is_some_left) {
    throw InputError::about("--except",
                            fmt::format("no fault of {} is left", in_quotes(scenario.name())));
  }
  return parse_scenario(scenario.path, write_scenario(edited, scenario.path));
}

}  // namespace lockstep::scenario
