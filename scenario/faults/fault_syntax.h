// How the faults of each theme are read from a [[fault]] table and told in words.
//
// A theme has a file of its own, fault_texts_THEME.cpp. What all faults share (the trigger, `for`)
// is read in faults.cpp and told in describe.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scenario/faults/fault_forms.h"
#include "scenario/participants.h"
#include "scenario/scenario.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {

/// A [[fault]] being read: `fault` has its kind and place already.
struct FaultParse {
  const TableReader& table;
  const Participants& participants;
  const Scenario& scenario;  ///< whole but for the faults
  const FaultForm& form;
  FaultSpec& fault;

  std::optional<LocatedText> chosen = std::nullopt;  ///< of a list to choose from

  /// The string that the kind's key has.
  [[nodiscard]] LocatedText subject() const { return chosen ? *chosen : *table.text(form.word); }
};

/// "1s", or "1s..30s", which leaves the duration open: returns the least, and none where the key is
/// absent. Throws InputError.
std::optional<sim::DurationNs> read_open_duration(const TableReader& table, std::string_view key,
                                                  DurationSign sign, OpenDuration::What what,
                                                  FaultSpec& fault);
/// Reads `by`, which must be there: as in `example`, say "2s".
void read_by(const FaultParse& text, DurationSign sign, std::string_view example);
/// by_ns, or what it is drawn from.
[[nodiscard]] std::string describe_by(const FaultSpec& fault);
[[nodiscard]] std::string describe_duration(sim::DurationNs duration_ns, const OpenDuration* open);

/// Reads the keys of the fault's kind. Throws InputError.
void read_fault_text(const FaultParse& text);
/// "pause a", without how long and when.
[[nodiscard]] std::string describe_fault(const FaultSpec& fault);

/// How long a message waits at most to be overtaken, where the file does not say it.
inline constexpr sim::DurationNs default_hold_back_ns = 10 * sim::second_ns;
/// Which clock a fault is about where the file does not say it.
[[nodiscard]] ClockChoice default_clock(FaultKind kind);
[[nodiscard]] std::string_view to_string(ClockChoice clock);

/// Throws InputError where the two are one, or never exchange messages.
void require_communication(const LocatedText& at, const Participant& one, const Participant& other);

// One of each for every theme.
void read_process_fault(const FaultParse& text);
void read_network_fault(const FaultParse& text);
void read_message_fault(const FaultParse& text);
void read_replication_fault(const FaultParse& text);
void read_clock_fault(const FaultParse& text);
void read_operator_fault(const FaultParse& text);
void read_client_fault(const FaultParse& text);
[[nodiscard]] std::string describe_process_fault(const FaultSpec& fault);
[[nodiscard]] std::string describe_network_fault(const FaultSpec& fault);
[[nodiscard]] std::string describe_message_fault(const FaultSpec& fault);
[[nodiscard]] std::string describe_replication_fault(const FaultSpec& fault);
[[nodiscard]] std::string describe_clock_fault(const FaultSpec& fault);
[[nodiscard]] std::string describe_operator_fault(const FaultSpec& fault);
[[nodiscard]] std::string describe_client_fault(const FaultSpec& fault);

}  // namespace lockstep::scenario
