// The parts of a [[fault]] table: what the fault strikes, and the keys that only some kinds have.
//
// What all faults share (the trigger, `for`, `stays`) is read in faults.cpp and written in
// describe_fault.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/located_numbers.h"
#include "scenario/participants.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {

struct Scenario;

/// A [[fault]] being read. `fault` has what its kind implies (fault_of), and its place.
struct FaultParse {
  const TableReader& table;
  const Participants& participants;
  const Scenario& scenario;  ///< whole but for the faults
  const FaultForm& form;
  FaultSpec& fault;

  std::optional<LocatedText> chosen = std::nullopt;  ///< of a list to choose from

  /// The string that the kind's word has.
  [[nodiscard]] LocatedText subject() const { return chosen ? *chosen : *table.text(form.word); }
};

/// How long a message waits at most to be overtaken, where the file does not say it.
inline constexpr sim::DurationNs default_hold_back_ns = 10 * sim::second_ns;

/// Reads what the kind's word says. Throws InputError.
void read_target(const FaultParse& text);
/// The value of the kind's word, as TOML.
[[nodiscard]] std::string write_target(const FaultSpec& fault);

/// Reads the kind's own keys. Throws InputError. REQUIRES: the target is read.
void read_own_keys(const FaultParse& text);
/// The value of one of the kind's own keys, as TOML; none where it is as by default.
[[nodiscard]] std::optional<std::string> write_own_key(std::string_view key,
                                                       const FaultSpec& fault);

/// "1s", or "1s..30s", which leaves the duration open: returns the least, and none where the key is
/// absent. Throws InputError.
std::optional<sim::DurationNs> read_open_duration(const TableReader& table, std::string_view key,
                                                  DurationSign sign, OpenDuration::What what,
                                                  FaultSpec& fault);
/// A duration, or what it is drawn from, as TOML.
[[nodiscard]] std::string write_open_duration(const FaultSpec& fault, OpenDuration::What what,
                                              sim::DurationNs duration_ns);
/// 3, or "1..3", which leaves the number open: returns the least, and none where the key is absent.
/// Throws InputError.
std::optional<std::uint32_t> read_open_count(const TableReader& table, std::string_view key,
                                             NumberRange limits, OpenDuration::What what,
                                             FaultSpec& fault);
/// `times`: a number from 1 on, a range, or "always" (unlimited_times). Throws InputError.
std::optional<std::uint32_t> read_open_times(const TableReader& table, OpenDuration::What what,
                                             FaultSpec& fault);
/// A number, or what it is drawn from, as TOML; none where it is one.
[[nodiscard]] std::optional<std::string> write_open_count(const FaultSpec& fault,
                                                          OpenDuration::What what,
                                                          std::uint32_t count);
/// A number of times as TOML, "always" for unlimited_times.
[[nodiscard]] std::string write_count(std::uint32_t times);
/// A message's label: words with one blank between them. Throws InputError where there are none.
[[nodiscard]] std::string read_label(const LocatedText& label);
/// Throws InputError where the two are one, or never exchange messages.
void require_communication(const LocatedText& at, const Participant& one, const Participant& other);
/// As in a scenario file.
[[nodiscard]] std::string_view to_string(ClockChoice clock);

}  // namespace lockstep::scenario
