#include "scenario/faults/open_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "scenario/faults/fault_choice.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/file/scenario_file.h"
#include "scenario/file/write_scenario.h"
#include "scenario/scenario.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {
namespace {

constexpr std::int64_t budget_max = 100;

/// Throws InputError where no kind is called so.
FaultKind kind_of(const LocatedText& word) {
  if (const FaultForm* const form = find_form(word.text)) return form->kind;
  const auto known = fault_words();
  word.complain(fmt::format("{} is no kind of fault{} (expected \"any\", or some of {})",
                            in_quotes(word.text), did_you_mean(word.text, known), listed(known)));
}

bool is_spared(FaultKind kind) { return form_of(kind).search.by_default == SearchDefault::spared; }

std::vector<std::string_view> spared_words() {
  std::vector<std::string_view> words;
  for (const FaultForm& form : fault_forms()) {
    if (is_spared(form.kind)) words.push_back(form.word);
  }
  return words;
}

bool is_spared_word(std::string_view word) {
  const FaultForm* const form = find_form(word);
  return form != nullptr && is_spared(form->kind);
}

void read_kinds(const TableReader& file, OpenFaults& open) {
  const std::vector<LocatedText> words = file.text_or_texts("faults");
  if (words.empty()) {
    throw InputError(file.value_place("faults"),
                     "no kind of fault is named; expected \"any\", or a list as in [\"pause\"]");
  }
  open.place = words.front().place;
  std::set<FaultKind> named;
  for (const LocatedText& word : words) {
    const bool is_new = word.text == "any" ? !open.any : named.insert(kind_of(word)).second;
    if (!is_new) word.complain(fmt::format("{} is named twice", in_quotes(word.text)));
    open.any = open.any || word.text == "any";
  }
  if (!open.any) {
    open.kinds.assign(named.begin(), named.end());
    return;
  }
  for (const FaultForm& form : fault_forms()) {
    if (!is_spared(form.kind) || named.contains(form.kind)) open.kinds.push_back(form.kind);
  }
  for (const LocatedText& word : words) {
    if (word.text == "any" || is_spared(kind_of(word))) continue;
    word.complain(fmt::format("\"any\" has {} already; expected beside it only {}",
                              in_quotes(word.text), listed(spared_words())));
  }
}

void read_budget(const TableReader& table, OpenFaults& open) {
  for (const LocatedText& key : table.keys()) {
    const auto most = static_cast<std::uint32_t>(*table.whole_number(key.text, {0, budget_max}));
    if (key.text == "faults") {
      if (most == 0) key.complain("a budget of no faults leaves nothing open; expected 1 or more");
      open.at_most = most;
      continue;
    }
    // "any" leaves it out already.
    if (open.any && most == 0 && is_spared_word(key.text)) continue;
    std::vector<std::string_view> known = {"faults"};
    for (const FaultKind kind : open.kinds) known.push_back(to_string(kind));
    const auto kind = std::find_if(open.kinds.begin(), open.kinds.end(),
                                   [&key](FaultKind each) { return to_string(each) == key.text; });
    if (kind == open.kinds.end()) {
      key.complain(fmt::format("unknown key {}{} in [budget] (its keys are {})",
                               in_quotes(key.text), did_you_mean(key.text, known), listed(known)));
    }
    open.at_most_of[static_cast<std::size_t>(*kind)] = most;
  }
}

}  // namespace

bool OpenFaults::allows(FaultKind kind) const {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end() &&
         at_most_of[static_cast<std::size_t>(kind)] > 0;
}

void read_open_faults(const TableReader& file, Scenario& scenario) {
  const auto budget = file.table("budget");
  if (!file.has("faults")) {
    if (budget) {
      throw InputError(budget->place(),
                       "[budget] is for faults that are left open; expected faults = \"any\" too");
    }
    return;
  }
  OpenFaults& open = scenario.open_faults.emplace();
  read_kinds(file, open);
  if (budget) read_budget(*budget, open);
  if (!scenario.heal_at_ns && open_faults_heal_ns < scenario.horizon_ns) {
    scenario.heal_at_ns = open_faults_heal_ns;
  }
}

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
