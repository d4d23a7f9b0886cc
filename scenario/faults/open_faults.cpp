#include "scenario/faults/open_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scenario/faults/fault_forms.h"
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

void read_kinds(const TableReader& file, OpenFaults& open) {
  const std::vector<LocatedText> words = file.text_or_texts("faults");
  if (words.empty()) {
    throw InputError(file.value_place("faults"),
                     "no kind of fault is named; expected \"any\", or a list as in [\"pause\"]");
  }
  open.place = words.front().place;
  if (words.size() == 1 && words.front().text == "any") {
    open.any = true;
    for (const FaultForm& form : fault_forms()) open.kinds.push_back(form.kind);
    return;
  }
  std::set<FaultKind> kinds;
  for (const LocatedText& word : words) {
    if (word.text == "any") word.complain("\"any\" is every kind; expected it alone");
    if (!kinds.insert(kind_of(word)).second) {
      word.complain(fmt::format("{} is named twice", in_quotes(word.text)));
    }
  }
  open.kinds.assign(kinds.begin(), kinds.end());
}

void read_budget(const TableReader& table, OpenFaults& open) {
  for (const LocatedText& key : table.keys()) {
    const auto most = static_cast<std::uint32_t>(*table.whole_number(key.text, {0, budget_max}));
    if (key.text == "faults") {
      if (most == 0) key.complain("a budget of no faults leaves nothing open; expected 1 or more");
      open.at_most = most;
      continue;
    }
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

}  // namespace lockstep::scenario
