// Faults that strike single messages.
#include <fmt/format.h>

#include "model/scenario/durations.h"
#include "model/scenario/fault_texts.h"

namespace lockstep::model {
namespace {

constexpr std::int64_t nth_max = 1'000'000;

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
  fault.nth = static_cast<std::uint32_t>(table.whole_number("nth", {1, nth_max}).value_or(1));
  if (text.form.kind != FaultKind::delay) return;
  read_by(text, DurationSign::positive, "2s");
}

std::string tell_message_fault(const FaultSpec& fault) {
  std::string text(to_string(fault.kind));
  text += " the ";
  if (fault.nth != 1) text += fmt::format("{} ", write_ordinal(fault.nth));
  text += fmt::format("'{}'", fault.message_label);
  if (!fault.message_from.empty()) text += fmt::format(" from {}", fault.message_from);
  if (!fault.message_to.empty()) text += fmt::format(" to {}", fault.message_to);
  if (fault.kind == FaultKind::delay) text += fmt::format(" by {}", tell_by(fault));
  return text;
}

}  // namespace lockstep::model
