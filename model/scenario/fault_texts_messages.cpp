// Faults that strike single messages.
#include <fmt/format.h>

#include "model/scenario/durations.h"
#include "model/scenario/fault_texts.h"
#include "model/scenario/suggest.h"

namespace lockstep::model {
namespace {

constexpr std::int64_t message_nth_max = 1'000'000;

/// How many messages are struck: a number, or "always".
std::uint32_t read_times(const TableReader& table) {
  const auto* node = table.node("times");
  if (node == nullptr || !node->is_string()) {
    return static_cast<std::uint32_t>(
        table.whole_number("times", {1, message_nth_max}).value_or(1));
  }
  const PlacedText word = *table.text("times");
  if (word.text != "always") {
    word.complain(fmt::format("{} is no number of times; expected a whole number, or \"always\"",
                              in_quotes(word.text)));
  }
  return times_always;
}

std::string read_label(const PlacedText& label) {
  const std::vector<PlacedText> words = label.words();
  if (words.empty()) label.complain("the message is not named; expected one as in 'acquire'");
  std::string text;
  for (const PlacedText& word : words) {
    if (!text.empty()) text += ' ';
    text += word.text;
  }
  return text;
}

/// " the 2nd 'acquire'", " every message", " 3 'acquire'".
std::string tell_which(const FaultSpec& fault) {
  const bool is_any = fault.message_label == any_message;
  const std::string noun =
      is_any ? std::string("message") : fmt::format("'{}'", fault.message_label);
  const std::string since =
      fault.nth == 1 ? std::string() : fmt::format(" from the {} on", write_ordinal(fault.nth));
  if (fault.times == times_always) return fmt::format(" every {}{}", noun, since);
  if (fault.times != 1) return fmt::format(" {} times the {}{}", fault.times, noun, since);
  if (fault.nth == 1 && !is_any) return fmt::format(" the {}", noun);
  return fmt::format(" the {} {}", write_ordinal(fault.nth), noun);
}

}  // namespace

void read_message_fault(const FaultText& text) {
  FaultSpec& fault = text.fault;
  const TableReader& table = text.table;
  fault.message_label = read_label(text.subject());
  const auto from = table.text("from");
  const auto to = table.text("to");
  if (from) fault.message_from = text.cast.actor(*from).name;
  if (to) fault.message_to = text.cast.actor(*to).name;
  if (from && to) require_talk(*to, text.cast.actor(*from), text.cast.actor(*to));
  fault.nth =
      static_cast<std::uint32_t>(table.whole_number("nth", {1, message_nth_max}).value_or(1));
  fault.times = read_times(table);
  if (text.form.kind == FaultKind::delay) read_by(text, DurationSign::positive, "2s");
  if (text.form.kind != FaultKind::reorder) return;
  const auto behind = table.text("behind");
  if (!behind) table.complain_missing("behind", "behind = \"release\"");
  fault.behind_label = read_label(*behind);
  fault.by_ns = table.duration("at_most", DurationSign::positive).value_or(held_back_ns_by_default);
}

std::string tell_message_fault(const FaultSpec& fault) {
  std::string text(to_string(fault.kind));
  text += tell_which(fault);
  if (!fault.message_from.empty()) text += fmt::format(" from {}", fault.message_from);
  if (!fault.message_to.empty()) text += fmt::format(" to {}", fault.message_to);
  if (fault.kind == FaultKind::reorder) {
    text += fmt::format(" behind the next '{}', for {} at most", fault.behind_label,
                        write_duration(fault.by_ns));
  }
  if (fault.kind == FaultKind::delay) text += fmt::format(" by {}", tell_by(fault));
  return text;
}

}  // namespace lockstep::model
