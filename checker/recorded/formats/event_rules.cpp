#include "checker/recorded/formats/event_rules.h"

#include <fmt/format.h>

#include "checker/recorded/history.h"

namespace lockstep::checker::recorded {

std::string_view without_colon(std::string_view word) {
  if (word.starts_with(':')) word.remove_prefix(1);
  return word;
}

void refuse_event(const Event& event, Field field, const std::string& message) {
  throw ReadError(event.place_of(field), message);
}

std::string shown(std::string_view text) {
  constexpr std::size_t bytes_max = 40;
  std::string shortened(text.substr(0, bytes_max));
  while (text.size() > bytes_max && !shortened.empty() &&
         (static_cast<unsigned char>(shortened.back()) & 0x80U) != 0) {
    shortened.pop_back();
  }
  if (text.size() > bytes_max) shortened += "…";
  return shortened;
}

void require_whole(const Event& event, Field field, const Value& value) {
  if (value.kind == ValueKind::whole_number && value.number != no_number) return;
  refuse_event(
      event, field,
      fmt::format("expected a whole number as {}, not {}", name_of(field), shown(value.text)));
}

}  // namespace lockstep::checker::recorded
