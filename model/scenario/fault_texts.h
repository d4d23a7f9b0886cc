// How the faults of each theme are read from a [[fault]] table and told in words.
//
// A theme has a file of its own, fault_texts_THEME.cpp. What all faults share (the trigger, `for`)
// is read in faults.cpp and told in describe.cpp.
#pragma once

#include <string>

#include "model/scenario/cast.h"
#include "model/scenario/fault_forms.h"
#include "model/scenario/scenario.h"
#include "model/scenario/toml_reader.h"

namespace lockstep::model {

/// A [[fault]] being read: `fault` has its kind and place already.
struct FaultText {
  const TableReader& table;
  const Cast& cast;
  const Scenario& scenario;  ///< whole but for the faults
  const FaultForm& form;
  FaultSpec& fault;

  /// The string that the kind's key has.
  [[nodiscard]] PlacedText subject() const { return *table.text(form.word); }
};

/// Reads the keys of the fault's kind. Throws InputError.
void read_fault_text(const FaultText& text);
/// "pause a", without how long and when.
[[nodiscard]] std::string tell_fault(const FaultSpec& fault);

/// Throws InputError where the two are one, or never exchange messages.
void require_talk(const PlacedText& at, const CastMember& one, const CastMember& other);

// One of each for every theme.
void read_process_fault(const FaultText& text);
void read_network_fault(const FaultText& text);
void read_message_fault(const FaultText& text);
void read_replication_fault(const FaultText& text);
void read_clock_fault(const FaultText& text);
void read_operator_fault(const FaultText& text);
void read_client_fault(const FaultText& text);
[[nodiscard]] std::string tell_process_fault(const FaultSpec& fault);
[[nodiscard]] std::string tell_network_fault(const FaultSpec& fault);
[[nodiscard]] std::string tell_message_fault(const FaultSpec& fault);
[[nodiscard]] std::string tell_replication_fault(const FaultSpec& fault);
[[nodiscard]] std::string tell_clock_fault(const FaultSpec& fault);
[[nodiscard]] std::string tell_operator_fault(const FaultSpec& fault);
[[nodiscard]] std::string tell_client_fault(const FaultSpec& fault);

}  // namespace lockstep::model
