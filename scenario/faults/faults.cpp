#include "scenario/faults/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "scenario/faults/fault_parts.h"
#include "scenario/faults/triggers.h"
#include "scenario/located_numbers.h"
#include "scenario/scenario.h"
#include "scenario/text/durations.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/source_location.h"
#include "scenario/text/suggest.h"

namespace lockstep::scenario {
namespace {

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether any fault has this key.
bool is_fault_key(std::string_view key) {
  const auto all_forms = fault_forms();
  return is_one_of(key, trigger_keys()) || key == "every" || key == "times" ||
         std::any_of(all_forms.begin(), all_forms.end(), [key](const FaultForm& form) {
           return form.word == key || form.keys.contain(key);
         });
}

/// The keys of a kind: its word, its own, and those that say when it strikes.
std::vector<std::string_view> keys_of(const FaultForm& form) {
  std::vector<std::string_view> keys = {form.word};
  keys.insert(keys.end(), form.keys.begin(), form.keys.end());
  keys.insert(keys.end(), trigger_keys().begin(), trigger_keys().end());
  for (const std::string_view key : repetition_keys(form)) {
    if (!is_one_of(key, keys)) keys.push_back(key);
  }
  return keys;
}

[[noreturn]] void complain_foreign(const LocatedText& key, const FaultForm& form) {
  const std::vector<std::string_view> keys = keys_of(form);
  key.complain(fmt::format("'{}' has no key {}{} (its keys are {})", form.word, in_quotes(key.text),
                           did_you_mean(key.text, keys), listed(keys)));
}

/// Of what newcomers call a fault, how it is said here. Empty: nobody is known to say so.
std::string_view said_here(std::string_view word) {
  struct Saying {
    std::string_view word;
    std::string_view here;
  };
  constexpr Saying sayings[] = {
      {"failover",
       "a failover is the 'crash' or 'isolate' of a master that sentinels or a cluster replace, or "
       "the 'promote' of a replica"},
      {"latency",
       "a slow network is 'clog', 'slow', 'delay', or latency in [redis] or in a [[link]]"},
      {"jitter", "jitter is latency = \"1ms..50ms\" in [redis] or in a [[link]]"},
      {"loss", "messages are lost by 'drop'"},
      {"gc", "a stop for garbage collection is 'pause'"},
      {"kill", "a process is killed by 'crash', and shut down by 'shutdown'"},
      {"stop", "a process stands still by 'pause', and is shut down by 'shutdown'"},
      {"disk", "what was not on the disk is lost by 'power_loss'"},
      {"skew", "a clock is wrong by 'clock_step' or 'clock_drift'"},
  };
  for (const Saying& saying : sayings) {
    if (saying.word == word) return saying.here;
  }
  return {};
}

/// Typing errors come first: a misspelt kind is not a missing one.
void require_fault_keys(const TableReader& table) {
  std::vector<std::string_view> known = fault_words();
  for (const FaultForm& form : fault_forms()) {
    known.insert(known.end(), form.keys.begin(), form.keys.end());
  }
  known.insert(known.end(), trigger_keys().begin(), trigger_keys().end());
  known.insert(known.end(), {"every", "times"});
  for (const LocatedText& key : table.keys()) {
    if (is_fault_key(key.text)) continue;
    for (const FaultForm& form : fault_forms()) {
      if (table.has(form.word)) complain_foreign(key, form);
    }
    if (const std::string_view here = said_here(key.text); !here.empty()) {
      key.complain(fmt::format("unknown key {}: {}", in_quotes(key.text), here));
    }
    key.complain(fmt::format(
        "unknown key {}{} (a [[fault]] has one of {}, and says more with its keys)",
        in_quotes(key.text), did_you_mean(key.text, known), listed(fault_words(), "or")));
  }
}

const FaultForm& form_of_fault(const TableReader& table) {
  require_fault_keys(table);
  const FaultForm* found = nullptr;
  for (const LocatedText& key : table.keys()) {
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
                    listed(fault_words(), "or")));
  }
  const std::vector<std::string_view> keys = keys_of(*found);
  for (const LocatedText& key : table.keys()) {
    if (!is_one_of(key.text, keys)) complain_foreign(key, *found);
  }
  return *found;
}

/// One [[fault]] being read.
class FaultReader {
 public:
  FaultReader(const TableReader& table, const Participants& participants, const Scenario& scenario)
      : table_(table),
        scenario_(scenario),
        participants_(participants),
        form_(form_of_fault(table)),
        place_(table.key_place(form_.word)) {}

  FaultSpec read() {
    fault_ = fault_of(form_.kind);
    read_what();
    fault_.for_ns = read_open_duration(table_, "for", DurationSign::positive,
                                       OpenDuration::What::lasting, fault_);
    read_trigger();
    if (form_.theme != Theme::message) read_repetition();
    fault_.stays = table_.boolean("stays").value_or(false);
    return fault_;
  }

  [[nodiscard]] LocatedText when() const {
    return table_.text("when").value_or(LocatedText{{}, place_, false});
  }
  [[nodiscard]] const SourceLocation& place() const { return place_; }

 private:
  /// Once, or for each name of a list, of which one is chosen in a run.
  void read_what() {
    const bool is_list = table_.node(form_.word)->is_array();
    const bool names_one = form_.theme != Theme::network && form_.theme != Theme::message;
    if (!is_list || !names_one) {
      return read_named({table_, participants_, scenario_, form_, fault_});
    }
    const std::vector<LocatedText> names = table_.texts(form_.word);
    if (names.empty()) {
      throw InputError(table_.value_place(form_.word), "nobody to choose from; expected names");
    }
    const FaultSpec blank = fault_;
    std::vector<std::string> targets;
    for (std::size_t i = names.size(); i-- > 0;) {
      fault_ = blank;
      read_named({table_, participants_, scenario_, form_, fault_, names[i]});
      targets.insert(targets.begin(), fault_.target);
    }
    if (form_.target.kind == TargetKind::lock_key) {
      throw InputError(table_.value_place(form_.word), "one key at a time; expected a lock's name");
    }
    fault_.targets = std::move(targets);
  }

  static void read_named(const FaultParse& text) {
    read_target(text);
    read_own_keys(text);
  }

  void read_repetition() {
    Trigger& trigger = fault_.trigger;
    const bool has_own_every = form_.keys.contain("every");
    if (!has_own_every) {
      trigger.every_ns = table_.duration("every", DurationSign::positive).value_or(0);
      if (trigger.every_ns > 0 && trigger.every_ns < sim::millisecond_ns) {
        table_.text("every")->complain("a fault strikes every 1ms at most; expected more");
      }
    }
    const toml::node* const times = table_.node("times");
    if (times == nullptr) {
      if (trigger.every_ns > 0) trigger.times = Trigger::always;
      return;
    }
    if (trigger.every_ns == 0 && !trigger.when) {
      throw InputError(table_.key_place("times"),
                       "'times' goes with 'when' or 'every'; expected one of them too");
    }
    if (trigger.when && trigger.when->kind == Trigger::When::Kind::any && trigger.every_ns == 0) {
      throw InputError(
          table_.key_place("times"),
          "\"any\" is one moment of a run; expected 'every' beside 'times', or neither");
    }
    trigger.times = *read_open_times(table_, OpenDuration::What::strikes, fault_);
  }

  /// How long after, or before, the moment.
  sim::DurationNs read_delay() {
    const auto after_ns = read_open_duration(table_, "after", DurationSign::not_negative,
                                             OpenDuration::What::after, fault_);
    const auto before_ns = table_.duration("before", DurationSign::positive);
    if (!before_ns) return after_ns.value_or(0);
    const auto& when = fault_.trigger.when;
    const bool is_foreseen = when && when->kind == Trigger::When::Kind::lease_end;
    if (!is_foreseen) {
      throw InputError(table_.key_place("before"),
                       "only the end of a lease is known before it comes; expected 'before' with "
                       "when = \"the lease of a ends\"");
    }
    if (after_ns) {
      throw InputError(table_.key_place("before"), "either 'before' or 'after', not both");
    }
    return -*before_ns;
  }

  void read_trigger() {
    const auto at_ns = read_open_duration(table_, "at", DurationSign::not_negative,
                                          OpenDuration::What::after, fault_);
    const auto when_text = table_.text("when");
    const bool has_after = table_.has("after");
    if (at_ns && when_text) {
      throw InputError(table_.key_place("when"),
                       "a fault strikes 'at' a time or 'when' something happens, not both");
    }
    if (has_after && !when_text) {
      throw InputError(table_.key_place("after"),
                       "'after' goes with 'when'; expected 'at' for a time since the start");
    }
    const bool has_every = table_.has("every") && !form_.keys.contain("every");
    if (!at_ns && !when_text && !has_every && form_.timing.onset == DefaultOnset::must_be_given) {
      throw InputError(
          place_,
          fmt::format("this '{}' does not say when it strikes; expected 'at' or 'when', as in {}",
                      form_.word, form_.example));
    }
    if (at_ns && *at_ns >= scenario_.horizon_ns) {
      table_.text("at")->complain(fmt::format(
          "the run ends at {}, before this; expected less, or a larger [limits] horizon",
          format_duration(scenario_.horizon_ns)));
    }
    if (when_text) fault_.trigger.when = read_when(*when_text, participants_);
    fault_.trigger.after_ns = at_ns ? *at_ns : read_delay();
  }

  const TableReader& table_;
  const Scenario& scenario_;
  const Participants& participants_;
  const FaultForm& form_;
  const SourceLocation place_;
  FaultSpec fault_{};
};

}  // namespace

void read_faults(const std::vector<TableReader>& tables, const Participants& participants,
                 Scenario& scenario) {
  std::vector<LocatedText> whens;
  ErrorCollector mistakes;
  for (const TableReader& table : tables) {
    mistakes.note([&] {
      FaultReader reader(table, participants, scenario);
      scenario.faults.push_back(reader.read());
      scenario.fault_places.push_back(reader.place());
      whens.push_back(reader.when());
    });
  }
  mistakes.raise();
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    mistakes.note([&] { require_possible(scenario, i, whens[i]); });
  }
  mistakes.raise();
}

}  // namespace lockstep::scenario
