// Faults of clocks.
#include <fmt/format.h>

#include <array>

#include "scenario/faults/fault_syntax.h"
#include "scenario/located_numbers.h"
#include "scenario/text/durations.h"
#include "scenario/text/suggest.h"

namespace lockstep::scenario {
namespace {

constexpr std::array<std::string_view, 3> clock_words = {"wall", "monotonic", "both"};

/// More than this many steps of a strobing clock would be the whole run.
constexpr sim::DurationNs strobe_ns_min = sim::millisecond_ns;

ClockChoice read_clock(const TableReader& table, FaultKind kind) {
  const auto word = table.text("clock");
  if (!word) return default_clock(kind);
  for (std::size_t i = 0; i < clock_words.size(); ++i) {
    if (word->text == clock_words[i]) return static_cast<ClockChoice>(i);
  }
  const std::vector<std::string_view> words(clock_words.begin(), clock_words.end());
  word->complain(fmt::format("{} is no clock{}; expected {}", in_quotes(word->text),
                             did_you_mean(word->text, words), listed(words, "or")));
}

void read_step(const FaultParse& text) {
  FaultSpec& fault = text.fault;
  read_by(text, DurationSign::any, "-3s");
  const LocatedText by = *text.table.text("by");
  if (fault.by_ns == 0 && fault.open.empty()) {
    by.complain("a step by zero is none; expected as in '-3s'");
  }
  fault.clock = read_clock(text.table, fault.kind);
  if (fault.by_ns < 0 && fault.clock != ClockChoice::wall) {
    by.complain("a monotonic clock never goes back; expected a step forward, or clock = \"wall\"");
  }
}

void read_strobe(const FaultParse& text) {
  FaultSpec& fault = text.fault;
  read_by(text, DurationSign::positive, "200ms");
  const auto every_ns = text.table.duration("every", DurationSign::positive);
  if (!every_ns) text.table.complain_missing("every", "every = \"10ms\"");
  if (*every_ns < strobe_ns_min) {
    text.table.text("every")->complain("a clock strobes every 1ms at most; expected more");
  }
  if (!text.table.has("for")) text.table.complain_missing("for", "for = \"5s\"");
  fault.strobe_ns = *every_ns;
}

std::string_view clocks_of(const FaultSpec& fault) {
  switch (fault.clock) {
    case ClockChoice::wall:
      return "wall clock";
    case ClockChoice::monotonic:
      return "monotonic clock";
    case ClockChoice::both:
      break;
  }
  return "clocks";
}

}  // namespace

ClockChoice default_clock(FaultKind kind) {
  const bool is_about_both = kind == FaultKind::clock_drift || kind == FaultKind::clock_freeze;
  return is_about_both ? ClockChoice::both : ClockChoice::wall;
}

std::string_view to_string(ClockChoice clock) {
  return clock_words[static_cast<std::size_t>(clock)];
}

void read_clock_fault(const FaultParse& text) {
  FaultSpec& fault = text.fault;
  fault.target = text.participants.process(text.subject()).name;
  switch (fault.kind) {
    case FaultKind::clock_drift: {
      const auto rate = text.table.ppm("rate");
      if (!rate) text.table.complain_missing("rate", "rate = \"200ppm\"");
      fault.drift_ppm = *rate;
      fault.clock = read_clock(text.table, fault.kind);
      return;
    }
    case FaultKind::clock_freeze:
      fault.clock = read_clock(text.table, fault.kind);
      return;
    case FaultKind::clock_strobe:
      return read_strobe(text);
    case FaultKind::clock_leap:
      fault.by_ns = -sim::second_ns;
      return;
    default:
      return read_step(text);
  }
}

std::string describe_clock_fault(const FaultSpec& fault) {
  switch (fault.kind) {
    case FaultKind::clock_drift:
      return fmt::format("let the {} of {} drift by {}ppm", clocks_of(fault), fault.target,
                         fault.drift_ppm);
    case FaultKind::clock_freeze:
      return fmt::format("freeze the {} of {}", clocks_of(fault), fault.target);
    case FaultKind::clock_strobe:
      return fmt::format("strobe the wall clock of {} by {} every {}", fault.target,
                         describe_by(fault), format_duration(fault.strobe_ns));
    case FaultKind::clock_leap:
      return fmt::format("let the wall clock of {} repeat a leap second", fault.target);
    default:
      break;
  }
  const std::string_view which = fault.clock == ClockChoice::wall ? "clock" : clocks_of(fault);
  return fmt::format("step the {} of {} by {}", which, fault.target, describe_by(fault));
}

}  // namespace lockstep::scenario
