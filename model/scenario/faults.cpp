#include "model/scenario/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "model/scenario/durations.h"
#include "model/scenario/fault_forms.h"
#include "model/scenario/placed_numbers.h"
#include "model/scenario/suggest.h"
#include "model/scenario/triggers.h"

namespace lockstep::model {
namespace {

constexpr std::int64_t nth_max = 1'000'000;

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
      : table_(table), cast_(cast), scenario_(scenario), form_(find_form(table)) {}

  FaultSpec read() {
    fault_.kind = form_.kind;
    fault_.place = table_.key_place(form_.word);
    read_what();
    read_trigger();
    return fault_;
  }

  [[nodiscard]] PlacedText when() const {
    return table_.text("when").value_or(PlacedText{{}, fault_.place, false});
  }

 private:
  void read_what() {
    switch (form_.kind) {
      case FaultKind::pause:
      case FaultKind::crash:
        fault_.target = cast_.process(subject()).name;
        break;
      case FaultKind::power_loss:
      case FaultKind::shutdown:
      case FaultKind::restart:
        fault_.target = cast_.node(subject()).name;
        break;
      case FaultKind::promote:
        read_promote();
        break;
      case FaultKind::cut:
        read_cut();
        break;
      case FaultKind::drop:
      case FaultKind::delay:
      case FaultKind::reset:
        read_message();
        break;
      case FaultKind::clock_step:
      case FaultKind::clock_drift:
        read_clock();
        break;
      case FaultKind::delete_key:
        read_delete();
        break;
    }
    fault_.for_ns = table_.duration("for", DurationSign::positive);
  }

  /// The string that the kind's key has.
  [[nodiscard]] PlacedText subject() const { return *table_.text(form_.word); }

  void read_promote() {
    const CastMember& target = cast_.process(subject());
    if (target.role != Role::replica) {
      const std::string hint = scenario_.redis.replicas == 0
                                   ? "; this scenario has none, [redis] replicas adds them"
                                   : fmt::format(", as in '{}'", first_replica());
      subject().complain(
          fmt::format("{} is no replica; expected one{}", in_quotes(target.name), hint));
    }
    fault_.target = target.name;
  }

  [[nodiscard]] std::string first_replica() const {
    const auto found =
        std::find_if(cast_.members().begin(), cast_.members().end(),
                     [](const CastMember& member) { return member.role == Role::replica; });
    return found->name;
  }

  void read_cut() {
    const std::vector<PlacedText> ends = table_.texts("cut");
    if (ends.size() != 2) {
      throw InputError(
          table_.value_place("cut"),
          fmt::format("'cut' names {} hosts; expected the two that can't reach each other",
                      ends.size()));
    }
    const CastMember& one = cast_.host(ends[0]);
    const CastMember& other = cast_.host(ends[1]);
    require_talk(ends[1], one, other);
    fault_.target = one.name;
    fault_.other = other.name;
  }

  static void require_talk(const PlacedText& at, const CastMember& one, const CastMember& other) {
    if (one.name == other.name) at.complain("a host can't be parted from itself; expected another");
    if (!ever_talk(one, other)) {
      at.complain(
          fmt::format("'{}' and '{}' never talk to each other; expected a client and a node or the "
                      "resource, or two nodes of one shard",
                      one.name, other.name));
    }
  }

  void read_message() {
    const PlacedText label = subject();
    const std::vector<PlacedText> words = label.words();
    if (words.empty()) label.complain("the message is not named; expected one as in 'acquire'");
    for (const PlacedText& word : words) {
      if (!fault_.message_label.empty()) fault_.message_label += ' ';
      fault_.message_label += word.text;
    }
    const auto from = table_.text("from");
    const auto to = table_.text("to");
    if (from) fault_.message_from = cast_.actor(*from).name;
    if (to) fault_.message_to = cast_.actor(*to).name;
    if (from && to) require_talk(*to, cast_.actor(*from), cast_.actor(*to));
    fault_.nth = static_cast<std::uint32_t>(table_.whole_number("nth", {1, nth_max}).value_or(1));
    if (form_.kind != FaultKind::delay) return;
    const auto by_ns = table_.duration("by", DurationSign::positive);
    if (!by_ns) table_.complain_missing("by", "by = \"2s\"");
    fault_.by_ns = *by_ns;
  }

  void read_clock() {
    fault_.target = cast_.process(subject()).name;
    if (form_.kind == FaultKind::clock_drift) {
      const auto rate = table_.ppm("rate");
      if (!rate) table_.complain_missing("rate", "rate = \"200ppm\"");
      fault_.drift_ppm = *rate;
      return;
    }
    const auto by_ns = table_.duration("by", DurationSign::any);
    if (!by_ns) table_.complain_missing("by", "by = \"-3s\"");
    if (*by_ns == 0) table_.text("by")->complain("a step by zero is none; expected as in '-3s'");
    fault_.by_ns = *by_ns;
  }

  void read_delete() {
    const PlacedText name = subject();
    std::set<std::string_view> used;
    for (const ClientSpec& client : scenario_.clients) {
      for (const ThreadSpec& thread : client.threads) {
        for (const Step& step : thread.steps) {
          used.insert(step.lock_names.begin(), step.lock_names.end());
        }
      }
    }
    if (used.count(name.text) == 0) {
      const std::vector<std::string_view> names(used.begin(), used.end());
      name.complain(fmt::format("no step uses a lock {}{} (they use {})", in_quotes(name.text),
                                did_you_mean(name.text, names), listed(names)));
    }
    const auto on = table_.text("on");
    if (!on) table_.complain_missing("on", "on = \"n1\"");
    fault_.lock_name = name.text;
    fault_.target = cast_.node(*on).name;
    const auto key = table_.text("key");
    if (!key) return;
    if (key->text.empty())
      key->complain("the key has no name; expected one as in '{name}:tickets'");
    fault_.key_pattern = key->text;
  }

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
  const Cast& cast_;
  const Scenario& scenario_;
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
