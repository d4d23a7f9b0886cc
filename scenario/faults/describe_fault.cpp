// How reports name a fault: "pause a for 15s when a acquired".
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "scenario/faults/fault_parts.h"
#include "scenario/faults/fault_table.h"
#include "scenario/faults/triggers.h"
#include "scenario/file/scenario_fields.h"
#include "scenario/steps.h"
#include "scenario/text/durations.h"
#include "scenario/text/suggest.h"
#include "scenario/text/toml_text.h"

namespace lockstep::scenario {
namespace {

std::string describe_duration(sim::DurationNs duration_ns, const OpenDuration* open) {
  if (open == nullptr) return format_duration(duration_ns);
  return fmt::format("{} to {}", format_duration(open->min_ns), format_duration(open->max_ns));
}

// -- the parts of a phrase --

std::string describe_by(const FaultSpec& fault) {
  return describe_duration(fault.by_ns, fault.find_open(OpenDuration::What::by));
}

std::string describe_clock(const FaultSpec& fault) {
  switch (fault.clock) {
    case ClockChoice::wall:
      return form_of(fault.kind).clock == ClockChoice::wall ? "clock" : "wall clock";
    case ClockChoice::monotonic:
      return "monotonic clock";
    case ClockChoice::both:
      return "clocks";
  }
  return {};
}

std::string describe_count(std::uint32_t count, const OpenDuration* open) {
  if (open == nullptr) return std::to_string(count);
  return fmt::format("{} to {}", open->min_ns, open->max_ns);
}

/// "2nd", "one of the 1st to 5th"
std::string describe_nth(const FaultSpec& fault) {
  const OpenDuration* const open = fault.find_open(OpenDuration::What::nth);
  if (open == nullptr) return format_ordinal(fault.nth);
  return fmt::format("one of the {} to {}",
                     format_ordinal(static_cast<std::uint64_t>(open->min_ns)),
                     format_ordinal(static_cast<std::uint64_t>(open->max_ns)));
}

/// "the 2nd 'acquire'", "every message", "3 times the 'acquire' from the 2nd on"
std::string describe_which(const FaultSpec& fault) {
  const bool is_any = fault.message_label == any_message;
  const std::string noun =
      is_any ? std::string("message") : fmt::format("'{}'", fault.message_label);
  const OpenDuration* const open = fault.find_open(OpenDuration::What::nth);
  const bool is_first = fault.nth == 1 && open == nullptr;
  const std::string nth = (open == nullptr ? "the " : "") + describe_nth(fault);
  const std::string since = is_first ? std::string() : fmt::format(" from {} on", nth);
  const OpenDuration* const times = fault.find_open(OpenDuration::What::times);
  if (fault.times == unlimited_times) return fmt::format("every {}{}", noun, since);
  if (fault.times != 1 || times != nullptr) {
    return fmt::format("{} times the {}{}", describe_count(fault.times, times), noun, since);
  }
  if (is_first && !is_any) return fmt::format("the {}", noun);
  return fmt::format("{} {}", nth, noun);
}

std::string describe_message(const FaultSpec& fault) {
  std::string text = describe_which(fault);
  if (!fault.message_from.empty()) text += fmt::format(" from {}", fault.message_from);
  if (!fault.message_to.empty()) text += fmt::format(" to {}", fault.message_to);
  return text;
}

std::string describe_callback(const FaultSpec& fault) {
  const bool is_first = fault.nth == 1 && fault.find_open(OpenDuration::What::nth) == nullptr;
  const std::string nth = is_first ? "" : describe_nth(fault) + " ";
  const std::string_view what = fault.callback == CallbackKind::task ? "task" : "reply to";
  return fmt::format("{}{} '{}'", nth, what, fault.callback_name);
}

std::string describe_key(const FaultSpec& fault) {
  if (fault.key_pattern.empty()) return fmt::format("'{}'", fault.lock_name);
  return fmt::format("'{}' of '{}'", fault.key_pattern, fault.lock_name);
}

std::string describe_groups(const FaultSpec& fault) {
  std::string text;
  for (std::size_t i = 0; i < fault.groups.size(); ++i) {
    const auto& group = fault.groups[i];
    if (i > 0) text += " from ";
    text += listed(std::vector<std::string_view>(group.begin(), group.end()));
  }
  return text;
}

std::string describe_limit(const FaultSpec& fault) {
  if (!fault.limit) return "no more connections";
  return fmt::format("{} connections at most",
                     describe_count(*fault.limit, fault.find_open(OpenDuration::What::limit)));
}

struct PhrasePart {
  std::string_view name;
  std::string (*describe)(const FaultSpec&);
};

/// What stands for {name} in a phrase.
constexpr std::array phrase_parts = {
    PhrasePart{"target", [](const FaultSpec& fault) { return fault.target; }},
    PhrasePart{"other", [](const FaultSpec& fault) { return fault.other; }},
    PhrasePart{"by", describe_by},
    PhrasePart{"message", describe_message},
    PhrasePart{"behind", [](const FaultSpec& fault) { return fault.behind_label; }},
    PhrasePart{"key", describe_key},
    PhrasePart{"clock", describe_clock},
    PhrasePart{"rate",
               [](const FaultSpec& fault) {
                 const OpenDuration* const open = fault.find_open(OpenDuration::What::rate);
                 return open == nullptr ? fmt::format("{}ppm", fault.drift_ppm)
                                        : fmt::format("{}ppm to {}ppm", open->min_ns, open->max_ns);
               }},
    PhrasePart{"every",
               [](const FaultSpec& fault) {
                 return describe_duration(fault.strobe_ns,
                                          fault.find_open(OpenDuration::What::strobe));
               }},
    PhrasePart{"limit", describe_limit},
    PhrasePart{"callback", describe_callback},
    PhrasePart{"groups", describe_groups},
};

constexpr const PhrasePart* find_part(std::string_view name) {
  const auto* const found =
      std::find_if(phrase_parts.begin(), phrase_parts.end(),
                   [name](const PhrasePart& part) { return part.name == name; });
  return found != phrase_parts.end() ? found : nullptr;
}

/// Calls add_text and add_part with what the phrase is made of, in order.
template <typename AddText, typename AddPart>
constexpr void visit_phrase(std::string_view phrase, AddText add_text, AddPart add_part) {
  while (!phrase.empty()) {
    const std::size_t begin = std::min(phrase.find('{'), phrase.size());
    add_text(phrase.substr(0, begin));
    if (begin == phrase.size()) return;
    const std::size_t end = phrase.find('}', begin);
    add_part(find_part(phrase.substr(begin + 1, end - begin - 1)));
    phrase.remove_prefix(end + 1);
  }
}

consteval bool can_describe_all() {
  bool can = true;
  for (const FaultForm& form : fault_table) {
    visit_phrase(
        form.phrase, [](std::string_view) {},
        [&can](const PhrasePart* part) { can &= part != nullptr; });
  }
  return can;
}
static_assert(can_describe_all(), "a phrase of fault_table has a part that phrase_parts lacks");

/// "pause a", without how long and when.
std::string describe_what(const FaultSpec& fault) {
  std::string text;
  visit_phrase(
      form_of(fault.kind).phrase, [&](std::string_view words) { text += words; },
      [&](const PhrasePart* part) { text += part->describe(fault); });
  return text;
}

// -- when --

std::string describe_trigger(const FaultSpec& fault) {
  const Trigger& trigger = fault.trigger;
  const OpenDuration* const open = fault.find_open(OpenDuration::What::after);
  const std::string after = describe_duration(std::max(trigger.after_ns, -trigger.after_ns), open);
  if (trigger.when) {
    const std::string moment = write_when(*trigger.when);
    if (trigger.after_ns < 0) return fmt::format(" {} before {}", after, moment);
    return trigger.after_ns == 0 && open == nullptr ? fmt::format(" when {}", moment)
                                                    : fmt::format(" {} after {}", after, moment);
  }
  const bool lasts = form_of(fault.kind).timing.onset == DefaultOnset::from_the_start;
  if (trigger.after_ns == 0 && open == nullptr) return lasts ? " from the start" : " at the start";
  return lasts ? fmt::format(" from {} on", after) : fmt::format(" at {}", after);
}

std::string describe_repetition(const FaultSpec& fault) {
  const Trigger& trigger = fault.trigger;
  const OpenDuration* const open = fault.find_open(OpenDuration::What::strikes);
  std::string text;
  if (trigger.every_ns > 0) text += fmt::format(", every {}", format_duration(trigger.every_ns));
  if (trigger.times == Trigger::always && trigger.every_ns == 0) text += ", each time";
  if (open != nullptr || (trigger.times > 1 && trigger.times != Trigger::always)) {
    text += fmt::format(", {} times", describe_count(trigger.times, open));
  }
  return text;
}

}  // namespace

std::vector<std::string_view> FaultSpec::struck() const {
  std::vector<std::string_view> names;
  for (const std::string& name : {std::cref(target), std::cref(other)}) {
    if (!name.empty()) names.push_back(name);
  }
  for (const auto& group : groups) names.insert(names.end(), group.begin(), group.end());
  return names;
}

std::string FaultSpec::describe() const {
  std::string text;
  if (targets.empty()) {
    text = describe_what(*this);
  } else {
    FaultSpec of_all = *this;
    of_all.target = fmt::format("{}", fmt::join(targets, " or "));
    text = describe_what(of_all);
  }
  if (for_ns) {
    text +=
        fmt::format(" for {}", describe_duration(*for_ns, find_open(OpenDuration::What::lasting)));
  }
  text += describe_trigger(*this);
  return text + describe_repetition(*this);
}

void set_open(FaultSpec& fault, OpenDuration::What what, std::int64_t value) {
  switch (what) {
    case OpenDuration::What::after:
      fault.trigger.after_ns = value;
      return;
    case OpenDuration::What::lasting:
      fault.for_ns = value;
      return;
    case OpenDuration::What::by:
      fault.by_ns = value;
      return;
    case OpenDuration::What::strobe:
      fault.strobe_ns = value;
      return;
    case OpenDuration::What::rate:
      fault.drift_ppm = value;
      return;
    case OpenDuration::What::nth:
      fault.nth = static_cast<std::uint32_t>(value);
      return;
    case OpenDuration::What::times:
      fault.times = static_cast<std::uint32_t>(value);
      return;
    case OpenDuration::What::limit:
      fault.limit = static_cast<std::uint32_t>(value);
      return;
    case OpenDuration::What::strikes:
      fault.trigger.times = static_cast<std::uint32_t>(value);
      return;
  }
}

const OpenDuration* FaultSpec::find_open(OpenDuration::What what) const {
  const auto found = std::find_if(open.begin(), open.end(),
                                  [what](const OpenDuration& each) { return each.what == what; });
  return found == open.end() ? nullptr : &*found;
}

std::uint32_t FaultSpec::most_strikes() const {
  const OpenDuration* const drawn = find_open(OpenDuration::What::strikes);
  return drawn == nullptr ? trigger.times : static_cast<std::uint32_t>(drawn->max_ns);
}

// A fault as a [[fault]] table: the inverse of faults.cpp.

namespace {

std::optional<std::string> write_for(const FaultSpec& fault) {
  if (!fault.for_ns) return std::nullopt;
  return write_open_duration(fault, OpenDuration::What::lasting, *fault.for_ns);
}

void add_trigger(const FaultSpec& fault, TomlTable& table) {
  const Trigger& trigger = fault.trigger;
  const bool has_delay =
      trigger.after_ns != 0 || fault.find_open(OpenDuration::What::after) != nullptr;
  const std::string delay = write_open_duration(fault, OpenDuration::What::after,
                                                std::max(trigger.after_ns, -trigger.after_ns));
  if (trigger.when) {
    table.add_text("when", write_when(*trigger.when));
    if (has_delay) table.add(trigger.after_ns < 0 ? "before" : "after", delay);
    return;
  }
  const bool is_to_be_said = form_of(fault.kind).timing.onset == DefaultOnset::must_be_given;
  if (has_delay || (is_to_be_said && trigger.every_ns == 0)) table.add("at", delay);
}

void add_repetition(const FaultSpec& fault, TomlTable& table) {
  const Trigger& trigger = fault.trigger;
  if (trigger.every_ns > 0) table.add_text("every", format_duration(trigger.every_ns));
  const std::uint32_t by_default = trigger.every_ns > 0 ? Trigger::always : 1;
  if (fault.find_open(OpenDuration::What::strikes) != nullptr) {
    table.add("times", *write_open_count(fault, OpenDuration::What::strikes, trigger.times));
  } else if (trigger.times != by_default) {
    table.add("times", write_count(trigger.times));
  }
}

}  // namespace

std::string write_open_duration(const FaultSpec& fault, OpenDuration::What what,
                                sim::DurationNs duration_ns) {
  const OpenDuration* const open = fault.find_open(what);
  return toml_string(open == nullptr ? format_duration(duration_ns)
                                     : write_range(open->min_ns, open->max_ns));
}

std::optional<std::string> write_open_count(const FaultSpec& fault, OpenDuration::What what,
                                            std::uint32_t count) {
  if (const OpenDuration* const open = fault.find_open(what)) {
    return toml_string(fmt::format("{}..{}", open->min_ns, open->max_ns));
  }
  return count == 1 ? std::nullopt : std::optional(write_count(count));
}

std::string write_count(std::uint32_t times) {
  return times == unlimited_times ? toml_string("always") : std::to_string(times);
}

std::string write_fault(const FaultSpec& fault) {
  static_assert(Trigger::always == unlimited_times);
  const FaultForm& form = form_of(fault.kind);
  TomlTable table;
  table.add(form.word, write_target(fault));
  for (const std::string_view key : form.keys) {
    if (key == "for") continue;
    if (auto value = write_own_key(key, fault)) table.add(key, std::move(*value));
  }
  add_trigger(fault, table);
  add_repetition(fault, table);
  if (auto value = write_for(fault)) table.add("for", std::move(*value));
  if (fault.stays) table.add("stays", "true");
  return fmt::format("[[fault]]\n{}", table.lines());
}

}  // namespace lockstep::scenario
