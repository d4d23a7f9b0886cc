// Faults that strike single messages.
#include <fmt/format.h>

#include "scenario/faults/fault_syntax.h"
#include "scenario/text/durations.h"
#include "scenario/text/suggest.h"

namespace lockstep::scenario {
namespace {

constexpr std::int64_t message_nth_max = 1'000'000;

/// How many messages are struck: a number, or "always".
std::uint32_t read_times(const TableReader& table) {
  const auto* node = table.node("times");
  if (node == nullptr || !node->is_string()) {
    return static_cast<std::uint32_t>(
        table.whole_number("times", {1, message_nth_max}).value_or(1));
  }
  const LocatedText word = *table.text("times");
  if (word.text != "always") {
    word.complain(fmt::format("{} is no number of times; expected a whole number, or \"always\"",
                              in_quotes(word.text)));
  }
  return unlimited_times;
}

std::string read_label(const LocatedText& label) {
  const std::vector<LocatedText> words = label.words();
  if (words.empty()) label.complain("the message is not named; expected one as in 'acquire'");
  std::string text;
  for (const LocatedText& word : words) {
    if (!text.empty()) text += ' ';
    text += word.text;
  }
  return text;
}

/// " the 2nd 'acquire'", " every message", " 3 'acquire'".
std::string describe_which(const FaultSpec& fault) {
  const bool is_any = fault.message_label == any_message;
  const std::string noun =
      is_any ? std::string("message") : fmt::format("'{}'", fault.message_label);
  const std::string since =
      fault.nth == 1 ? std::string() : fmt::format(" from the {} on", format_ordinal(fault.nth));
  if (fault.times == unlimited_times) return fmt::format(" every {}{}", noun, since);
  if (fault.times != 1) return fmt::format(" {} times the {}{}", fault.times, noun, since);
  if (fault.nth == 1 && !is_any) return fmt::format(" the {}", noun);
  return fmt::format(" the {} {}", format_ordinal(fault.nth), noun);
}

}  // namespace

void read_message_fault(const FaultParse& text) {
  FaultSpec& fault = text.fault;
  const TableReader& table = text.table;
  fault.message_label = read_label(text.subject());
  const auto from = table.text("from");
  const auto to = table.text("to");
  if (from) fault.message_from = text.participants.actor(*from).name;
  if (to) fault.message_to = text.participants.actor(*to).name;
  if (from && to)
    require_communication(*to, text.participants.actor(*from), text.participants.actor(*to));
  fault.nth =
      static_cast<std::uint32_t>(table.whole_number("nth", {1, message_nth_max}).value_or(1));
  fault.times = read_times(table);
  if (text.form.kind == FaultKind::delay) read_by(text, DurationSign::positive, "2s");
  if (text.form.kind != FaultKind::reorder) return;
  const auto behind = table.text("behind");
  if (!behind) table.complain_missing("behind", "behind = \"release\"");
  fault.behind_label = read_label(*behind);
  fault.by_ns = table.duration("at_most", DurationSign::positive).value_or(default_hold_back_ns);
}

std::string describe_message_fault(const FaultSpec& fault) {
  std::string text(to_string(fault.kind));
  text += describe_which(fault);
  if (!fault.message_from.empty()) text += fmt::format(" from {}", fault.message_from);
  if (!fault.message_to.empty()) text += fmt::format(" to {}", fault.message_to);
  if (fault.kind == FaultKind::reorder) {
    text += fmt::format(" behind the next '{}', for {} at most", fault.behind_label,
                        format_duration(fault.by_ns));
  }
  if (fault.kind == FaultKind::delay) text += fmt::format(" by {}", describe_by(fault));
  return text;
}

}  // namespace lockstep::scenario
