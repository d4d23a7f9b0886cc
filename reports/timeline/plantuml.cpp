#include "reports/timeline/plantuml.h"

#include <fmt/format.h>

#include "reports/timeline/sequence.h"

namespace lockstep::reports {
namespace {

class PlantUmlForm final : public SequenceForm {
 public:
  [[nodiscard]] std::string beginning() const override { return "@startuml"; }
  [[nodiscard]] std::string title(std::string_view text) const override {
    return "title " + plantuml_escaped(text);
  }
  [[nodiscard]] std::string participant(LaneIndex lane, std::string_view text) const override {
    return fmt::format("participant \"{}\" as L{}", plantuml_escaped(text), lane);
  }
  [[nodiscard]] std::string note(LaneIndex first, LaneIndex last,
                                 std::string_view text) const override {
    const std::string lanes =
        first == last ? fmt::format("L{}", first) : fmt::format("L{}, L{}", first, last);
    return fmt::format("note over {} : {}", lanes, plantuml_escaped(text));
  }
  [[nodiscard]] std::string message(const Flight& flight, std::string_view label,
                                    std::string_view times) const override {
    std::string arrow = flight.is_reply ? "-->" : "->";
    if (flight.fate == Fate::lost) arrow += "x";
    if (flight.fate == Fate::under_way) arrow += "o";
    return fmt::format("L{} {} L{} : {} ({})", flight.from, arrow, flight.to,
                       plantuml_escaped(label), times);
  }
  [[nodiscard]] std::string activation(LaneIndex lane) const override {
    return fmt::format("activate L{}", lane);
  }
  [[nodiscard]] std::string deactivation(LaneIndex lane) const override {
    return fmt::format("deactivate L{}", lane);
  }
  [[nodiscard]] std::string area_beginning() const override { return "group both believe"; }
  [[nodiscard]] std::string area_end() const override { return "end"; }
  [[nodiscard]] std::string ending() const override { return "@enduml"; }
};

}  // namespace

std::string plantuml_escaped(std::string_view sanitized_text) {
  constexpr std::string_view special = "#;:&<>\"'`%{}\\*_~[]()|@!/-=^$";
  std::string escaped;
  for (const char each : sanitized_text) {
    if (special.find(each) == std::string_view::npos) {
      escaped += each;
    } else {
      escaped += fmt::format("<U+{:04X}>", static_cast<unsigned>(static_cast<unsigned char>(each)));
    }
  }
  return escaped;
}

std::string plantuml_of(const TimelineSubject& subject, const TimelineOptions& options) {
  return sequence_of(subject, options, PlantUmlForm());
}

}  // namespace lockstep::reports
