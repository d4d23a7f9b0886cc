// A fault as a [[fault]] table: the way back from faults.cpp and fault_texts_*.cpp.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_syntax.h"
#include "scenario/faults/triggers.h"
#include "scenario/file/scenario_fields.h"
#include "scenario/steps.h"
#include "scenario/text/durations.h"
#include "scenario/text/toml_text.h"

namespace lockstep::scenario {
namespace {

using FaultValue = std::optional<std::string>;  // as TOML; none where it is as by default

FaultValue text_unless_empty(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return toml_string(text);
}

/// A duration, or what it is drawn from.
std::string open_duration(const FaultSpec& fault, OpenDuration::What what,
                          sim::DurationNs duration_ns) {
  const OpenDuration* const open = fault.find_open(what);
  return toml_string(open == nullptr ? format_duration(duration_ns)
                                     : write_range(open->min_ns, open->max_ns));
}

FaultValue write_by(const FaultSpec& fault) {
  return open_duration(fault, OpenDuration::What::by, fault.by_ns);
}

FaultValue write_for(const FaultSpec& fault) {
  if (!fault.for_ns) return std::nullopt;
  return open_duration(fault, OpenDuration::What::lasting, *fault.for_ns);
}

FaultValue write_clock(const FaultSpec& fault) {
  if (fault.clock == default_clock(fault.kind)) return std::nullopt;
  return toml_string(to_string(fault.clock));
}

FaultValue write_at_most(const FaultSpec& fault) {
  if (fault.by_ns == default_hold_back_ns) return std::nullopt;
  return toml_string(format_duration(fault.by_ns));
}

FaultValue write_callback(const FaultSpec& fault, CallbackKind kind) {
  if (fault.callback != kind) return std::nullopt;
  return toml_string(fault.callback_name);
}

/// How often, with "always" for the greatest number.
std::string write_count(std::uint32_t times) {
  return times == unlimited_times ? toml_string("always") : std::to_string(times);
}

FaultValue count_unless_one(std::uint32_t times) {
  if (times == 1) return std::nullopt;
  return write_count(times);
}

struct OwnKey {
  std::string_view key;
  FaultValue (*write)(const FaultSpec&);
};

/// The keys of single kinds; `for` stands behind the trigger.
constexpr std::array<OwnKey, 15> own_keys = {{
    {"from", [](const FaultSpec& fault) { return text_unless_empty(fault.message_from); }},
    {"to", [](const FaultSpec& fault) { return text_unless_empty(fault.message_to); }},
    {"behind", [](const FaultSpec& fault) { return text_unless_empty(fault.behind_label); }},
    {"nth", [](const FaultSpec& fault) { return count_unless_one(fault.nth); }},
    {"times", [](const FaultSpec& fault) { return count_unless_one(fault.times); }},
    {"at_most", write_at_most},
    {"by", write_by},
    {"rate",
     [](const FaultSpec& fault) {
       return FaultValue(toml_string(fmt::format("{}ppm", fault.drift_ppm)));
     }},
    {"clock", write_clock},
    {"every",
     [](const FaultSpec& fault) {
       return FaultValue(toml_string(format_duration(fault.strobe_ns)));
     }},
    {"limit",
     [](const FaultSpec& fault) {
       return fault.limit ? FaultValue(std::to_string(*fault.limit)) : std::nullopt;
     }},
    {"task", [](const FaultSpec& fault) { return write_callback(fault, CallbackKind::task); }},
    {"reply", [](const FaultSpec& fault) { return write_callback(fault, CallbackKind::reply); }},
    {"on", [](const FaultSpec& fault) { return text_unless_empty(fault.target); }},
    {"key", [](const FaultSpec& fault) { return text_unless_empty(fault.key_pattern); }},
}};

/// Throws std::out_of_range where nobody has said how the key is written.
FaultValue write_own(std::string_view key, const FaultSpec& fault) {
  const auto* const found = std::find_if(own_keys.begin(), own_keys.end(),
                                         [key](const OwnKey& own) { return own.key == key; });
  if (found != own_keys.end()) return found->write(fault);
  throw std::out_of_range("nobody writes the key of faults '" + std::string(key) +
                          "': add it to own_keys in write_fault.cpp");
}

std::string write_groups(const std::vector<std::vector<std::string>>& groups) {
  std::vector<std::string> lists;
  lists.reserve(groups.size());
  for (const auto& group : groups) lists.push_back(toml_list(group));
  return fmt::format("[{}]", fmt::join(lists, ", "));
}

/// What the key says that makes it this kind.
std::string write_subject(const FaultSpec& fault) {
  if (form_of(fault.kind).theme == Theme::message) return toml_string(fault.message_label);
  if (!fault.lock_name.empty()) return toml_string(fault.lock_name);
  if (fault.kind == FaultKind::partition) return write_groups(fault.groups);
  if (!fault.groups.empty()) return toml_list(fault.groups.front());
  if (!fault.other.empty()) return toml_list(std::array{fault.target, fault.other});
  if (!fault.targets.empty()) return toml_list(fault.targets);
  return toml_string(fault.target);
}

void add_trigger(const FaultSpec& fault, TomlTable& table) {
  const Trigger& trigger = fault.trigger;
  const bool has_delay =
      trigger.after_ns != 0 || fault.find_open(OpenDuration::What::after) != nullptr;
  const std::string delay = open_duration(fault, OpenDuration::What::after,
                                          std::max(trigger.after_ns, -trigger.after_ns));
  if (trigger.when) {
    table.add_text("when", write_when(*trigger.when));
    if (has_delay) table.add(trigger.after_ns < 0 ? "before" : "after", delay);
    return;
  }
  const bool is_to_be_said = form_of(fault.kind).onset == DefaultOnset::must_be_given;
  if (has_delay || (is_to_be_said && trigger.every_ns == 0)) table.add("at", delay);
}

void add_repetition(const Trigger& trigger, TomlTable& table) {
  if (trigger.every_ns > 0) table.add_text("every", format_duration(trigger.every_ns));
  const std::uint32_t by_default = trigger.every_ns > 0 ? Trigger::always : 1;
  if (trigger.times != by_default) table.add("times", write_count(trigger.times));
}

}  // namespace

std::string write_fault(const FaultSpec& fault) {
  static_assert(Trigger::always == unlimited_times);
  const FaultForm& form = form_of(fault.kind);
  TomlTable table;
  table.add(form.word, write_subject(fault));
  for (const std::string_view key : form.keys) {
    if (key == "for") continue;
    if (auto value = write_own(key, fault)) table.add(key, std::move(*value));
  }
  add_trigger(fault, table);
  add_repetition(fault.trigger, table);
  if (auto value = write_for(fault)) table.add("for", std::move(*value));
  if (fault.stays) table.add("stays", "true");
  return fmt::format("[[fault]]\n{}", table.lines());
}

}  // namespace lockstep::scenario
