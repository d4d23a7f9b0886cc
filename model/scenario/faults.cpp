#include "model/scenario/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/scenario/durations.h"
#include "model/scenario/fault_forms.h"
#include "model/scenario/fault_texts.h"
#include "model/scenario/placed_numbers.h"
#include "model/scenario/suggest.h"
#include "model/scenario/triggers.h"

namespace lockstep::model {
namespace {

std::vector<std::string_view> kind_words() {
  std::vector<std::string_view> words;
  for (const FaultForm& form : fault_forms()) words.push_back(form.word);
  return words;
}

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether any fault has this key.
bool is_fault_key(std::string_view key) {
  const auto forms = fault_forms();
  return is_one_of(key, trigger_keys()) ||
         std::any_of(forms.begin(), forms.end(), [key](const FaultForm& form) {
           return form.word == key || is_one_of(key, form.keys);
         });
}

/// Typing errors come first: a misspelt kind is not a missing one.
void require_fault_keys(const TableReader& table) {
  std::vector<std::string_view> known = kind_words();
  for (const FaultForm& form : fault_forms()) {
    known.insert(known.end(), form.keys.begin(), form.keys.end());
  }
  known.insert(known.end(), trigger_keys().begin(), trigger_keys().end());
  for (const PlacedText& key : table.keys()) {
    if (is_fault_key(key.text)) continue;
    key.complain(fmt::format(
        "unknown key {}{} (a [[fault]] has one of {}, and says more with its keys)",
        in_quotes(key.text), did_you_mean(key.text, known), listed(kind_words(), "or")));
  }
}

const FaultForm& find_form(const TableReader& table) {
  require_fault_keys(table);
  const FaultForm* found = nullptr;
  for (const PlacedText& key : table.keys()) {
    for (const FaultForm& form : fault_forms()) {
      if (form.word != key.text) continue;
      if (found != nullptr) {
        key.complain(
            fmt::format("a [[fault]] has one kind, and this one is '{}' already; expected another "
                        "[[fault]] for '{}'",
                        found->word, form.word));
      }
      found = &form;
    }
  }
  if (found == nullptr) {
    throw InputError(
        table.place(),
        fmt::format("this [[fault]] does not say what strikes; expected one of the keys {}",
                    listed(kind_words(), "or")));
  }
  std::vector<std::string_view> keys = {found->word};
  keys.insert(keys.end(), found->keys.begin(), found->keys.end());
  keys.insert(keys.end(), trigger_keys().begin(), trigger_keys().end());
  for (const PlacedText& key : table.keys()) {
    if (is_one_of(key.text, keys)) continue;
    key.complain(fmt::format("'{}' has no key {}{} (its keys are {})", found->word,
                             in_quotes(key.text), did_you_mean(key.text, keys), listed(keys)));
  }
  return *found;
}

/// One [[fault]] being read.
class FaultReader {
 public:
  FaultReader(const TableReader& table, const Cast& cast, const Scenario& scenario)
      : table_(table), scenario_(scenario), cast_(cast), form_(find_form(table)) {}

  FaultSpec read() {
    fault_.kind = form_.kind;
    fault_.place = table_.key_place(form_.word);
    read_fault_text({table_, cast_, scenario_, form_, fault_});
    fault_.for_ns = table_.duration("for", DurationSign::positive);
    read_trigger();
    return fault_;
  }

  [[nodiscard]] PlacedText when() const {
    return table_.text("when").value_or(PlacedText{{}, fault_.place, false});
  }

 private:
  void read_trigger() {
    const auto at_ns = table_.duration("at", DurationSign::not_negative);
    const auto when_text = table_.text("when");
    const auto after_ns = table_.duration("after", DurationSign::positive);
    if (at_ns && when_text) {
      throw InputError(table_.key_place("when"),
                       "a fault strikes 'at' a time or 'when' something happens, not both");
    }
    if (after_ns && !when_text) {
      throw InputError(table_.key_place("after"),
                       "'after' goes with 'when'; expected 'at' for a time since the start");
    }
    if (!at_ns && !when_text && form_.onset == Onset::to_be_said) {
      throw InputError(
          fault_.place,
          fmt::format("this '{}' does not say when it strikes; expected 'at' or 'when', as in {}",
                      form_.word, form_.example));
    }
    if (at_ns && *at_ns >= scenario_.horizon_ns) {
      table_.text("at")->complain(fmt::format(
          "the run ends at {}, before this; expected less, or a larger [limits] horizon",
          write_duration(scenario_.horizon_ns)));
    }
    if (when_text) fault_.trigger.when = read_when(*when_text, cast_);
    fault_.trigger.after_ns = at_ns.value_or(after_ns.value_or(0));
  }

  const TableReader& table_;
  const Scenario& scenario_;
  const Cast& cast_;
  const FaultForm& form_;
  FaultSpec fault_{};
};

}  // namespace

void read_faults(const std::vector<TableReader>& tables, const Cast& cast, Scenario& scenario) {
  std::vector<PlacedText> whens;
  for (const TableReader& table : tables) {
    FaultReader reader(table, cast, scenario);
    scenario.faults.push_back(reader.read());
    whens.push_back(reader.when());
  }
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    require_possible(scenario, i, whens[i]);
  }
}

}  // namespace lockstep::model
