// [contract] and [[known]] of a lock.toml.
#include <algorithm>
#include <array>
#include <vector>

#include "checker/property.h"
#include "model/lock/contract_declaration.h"
#include "model/lock/usage.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/located_text.h"
#include "scenario/text/suggest.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::model {
namespace {

using scenario::LocatedText;

/// These happen on any network; a lock that cannot stand them must give a reason.
constexpr AssumptionSet needs_reason = {Assumption::messages_arrive, Assumption::calls_answered,
                                        Assumption::clients_survive};

[[noreturn]] void complain(const LocatedText& text, std::string_view what,
                           std::span<const std::string_view> words) {
  text.complain("unknown " + std::string(what) + " " + scenario::in_quotes(text.text) +
                scenario::did_you_mean(text.text, words) + " (there are " +
                scenario::listed(words) + ")");
}

checker::Property read_property(const LocatedText& text) {
  if (const auto property = checker::property_from(text.text)) return *property;
  std::vector<std::string_view> names;
  for (const checker::Property each : checker::all_properties()) {
    names.push_back(checker::to_string(each));
  }
  complain(text, "property", names);
}

Assumption read_assumption(const LocatedText& text) {
  if (const auto assumption = assumption_from(text.text)) return *assumption;
  complain(text, "assumption", assumption_words());
}

LockFamily read_family(const LocatedText& text) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(LockFamily::latch); ++i) {
    const auto family = static_cast<LockFamily>(i);
    if (to_string(family) == text.text) return family;
    words.push_back(to_string(family));
  }
  complain(text, "family of locks", words);
}

std::vector<std::string> texts_of(const std::vector<LocatedText>& texts) {
  std::vector<std::string> strings;
  for (const LocatedText& text : texts) strings.emplace_back(text.text);
  return strings;
}

PlacedWord placed(const LocatedText& text) {
  return {std::string(text.text), text.place.file, text.place.line, text.place.column};
}

void read_assumes(const scenario::TableReader& contract, ContractDeclaration& read) {
  const auto assumes = contract.table("assumes");
  if (!assumes) return;
  for (const LocatedText& key : assumes->keys()) {
    AssumptionSet assumed;
    for (const LocatedText& word : assumes->texts(key.text)) assumed.insert(read_assumption(word));
    read.assumes[read_property(key)] = assumed;
  }
}

Usage read_usage(const LocatedText& text) {
  if (const auto usage = find_usage(text.text)) return *usage;
  std::vector<std::string_view> words;
  for (const UsageForm& form : usage_forms()) words.push_back(form.word);
  complain(text, "rule for callers", words);
}

void read_usages(const scenario::TableReader& contract, ContractDeclaration& read) {
  const auto usages = contract.table("usage");
  if (!usages) return;
  for (const LocatedText& key : usages->keys()) {
    std::vector<Usage>& asked = read.usage[read_property(key)];
    for (const LocatedText& word : usages->texts(key.text)) asked.push_back(read_usage(word));
  }
}

void read_reasons(const scenario::TableReader& contract, ContractDeclaration& read) {
  const auto reasons = contract.table("reasons");
  if (!reasons) return;
  for (const LocatedText& key : reasons->keys()) {
    read.reasons[read_assumption(key)] = std::string(reasons->text(key.text)->text);
  }
}

void require_reasons(const scenario::TableReader& contract, const ContractDeclaration& read) {
  for (const auto& [property, assumed] : read.assumes) {
    (assumed & needs_reason).visit([&](Assumption each) {
      if (read.reasons.contains(each)) return;
      throw scenario::InputError(contract.place(),
                                 "a lock that assumes '" + std::string(to_string(each)) +
                                     "' says why it may, as in [contract.reasons] " +
                                     std::string(to_string(each)) + " = \"…\"");
    });
  }
}

void read_known(const scenario::TableReader& lock_toml, ContractDeclaration& read) {
  constexpr std::array<std::string_view, 6> words = {"property", "what",     "cause",
                                                     "issue",    "scenario", "of_client"};
  for (const scenario::TableReader& table : lock_toml.tables("known")) {
    table.allow_only(words);
    KnownFlaw flaw;
    const std::vector<LocatedText> properties = table.text_or_texts("property");
    if (properties.empty()) {
      table.complain_missing("property", "property = \"no-lost-wakeup\"");
    }
    const auto what = table.text("what");
    if (!what) table.complain_missing("what", "what = \"a release wakes one that has given up\"");
    flaw.what = std::string(what->text);
    flaw.cause = texts_of(table.text_or_texts("cause"));
    if (flaw.cause.empty()) table.complain_missing("cause", "cause = [\"wakes\"]");
    if (const auto issue = table.text("issue")) flaw.issue = std::string(issue->text);
    if (const auto path = table.text("scenario")) flaw.scenario = std::string(path->text);
    flaw.is_of_client = table.boolean("of_client").value_or(false);
    for (const LocatedText& property : properties) {
      flaw.property = read_property(property);
      read.known.push_back(flaw);
    }
  }
}

}  // namespace

ContractDeclaration read_contract(const scenario::TableReader& lock_toml) {
  ContractDeclaration read;
  read_known(lock_toml, read);
  const auto contract = lock_toml.table("contract");
  if (!contract) return read;
  constexpr std::array<std::string_view, 9> words = {"family",    "assumes", "executed_once",
                                                     "remembers", "lease",   "renews",
                                                     "reasons",   "drift",   "usage"};
  contract->allow_only(words);
  read.is_there = true;
  if (const auto family = contract->text("family")) read.family = read_family(*family);
  if (contract->has("executed_once")) {
    read.executed_once.emplace();
    for (const LocatedText& label : contract->texts("executed_once")) {
      read.executed_once->push_back(placed(label));
    }
  }
  const auto read_option = [&](std::string_view key, std::optional<PlacedWord>& option) {
    if (const auto word = contract->text(key)) option = placed(*word);
  };
  read_option("remembers", read.remembers);
  read_option("lease", read.own_lease);
  read_option("renews", read.renews);
  read.drift_ppm = contract->ppm("drift");
  if (read.drift_ppm.value_or(0) < 0) {
    contract->text("drift")->complain("a bound on drift is zero or more");
  }
  read_usages(*contract, read);
  read_assumes(*contract, read);
  read_reasons(*contract, read);
  require_reasons(*contract, read);
  return read;
}

}  // namespace lockstep::model
