#include "reports/timeline/mermaid.h"

#include <fmt/format.h>

#include "reports/timeline/sequence.h"

namespace lockstep::reports {
namespace {

class MermaidForm final : public SequenceForm {
 public:
  [[nodiscard]] std::string beginning() const override { return "sequenceDiagram"; }
  [[nodiscard]] std::string title(std::string_view text) const override {
    return "    title: " + mermaid_escaped(text);
  }
  [[nodiscard]] std::string participant(LaneIndex lane, std::string_view text) const override {
    return fmt::format("    participant L{} as {}", lane, mermaid_escaped(text));
  }
  [[nodiscard]] std::string note(LaneIndex first, LaneIndex last,
                                 std::string_view text) const override {
    const std::string lanes =
        first == last ? fmt::format("L{}", first) : fmt::format("L{},L{}", first, last);
    return fmt::format("    Note over {}: {}", lanes, mermaid_escaped(text));
  }
  [[nodiscard]] std::string message(const Flight& flight, std::string_view label,
                                    std::string_view times) const override {
    std::string_view arrow = flight.is_reply ? "-->>" : "->>";
    if (flight.fate == Fate::lost) arrow = flight.is_reply ? "--x" : "-x";
    if (flight.fate == Fate::under_way) arrow = "--)";
    return fmt::format("    L{}{}L{}: {} ({})", flight.from, arrow, flight.to,
                       mermaid_escaped(label), times);
  }
  [[nodiscard]] std::string activation(LaneIndex lane) const override {
    return fmt::format("    activate L{}", lane);
  }
  [[nodiscard]] std::string deactivation(LaneIndex lane) const override {
    return fmt::format("    deactivate L{}", lane);
  }
  [[nodiscard]] std::string area_beginning() const override {
    return "    rect rgb(253, 234, 221)";
  }
  [[nodiscard]] std::string area_end() const override { return "    end"; }
  [[nodiscard]] std::string ending() const override { return {}; }
};

}  // namespace

std::string mermaid_escaped(std::string_view sanitized_text) {
  // Mermaid reads "#35;" as the character 35. A word "end" would close a block.
  constexpr std::string_view special = "#;:&<>\"'`%{}\\*_~[]()|@!";
  std::string escaped;
  const auto is_letter = [&](std::size_t index) {
    if (index >= sanitized_text.size()) return false;
    const char each = sanitized_text[index];
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
           (each >= '0' && each <= '9');
  };
  const auto is_end_at = [&](std::size_t index) {
    std::string word(sanitized_text.substr(index, 3));
    for (char& character : word) character = static_cast<char>(character | 0x20);
    return word == "end";
  };
  for (std::size_t i = 0; i < sanitized_text.size(); ++i) {
    const char each = sanitized_text[i];
    const bool begins_word = i == 0 || !is_letter(i - 1);
    const bool is_end = begins_word && is_end_at(i) && !is_letter(i + 3);
    const bool is_reference = special.find(each) != std::string_view::npos || is_end;
    if (is_reference) {
      escaped += fmt::format("#{};", static_cast<int>(static_cast<unsigned char>(each)));
    } else {
      escaped += each;
    }
  }
  return escaped;
}

std::string mermaid_of(const TimelineSubject& subject, const TimelineOptions& options) {
  return sequence_of(subject, options, MermaidForm());
}

}  // namespace lockstep::reports
