#include "scenario/faults/fault_forms.h"

#include <algorithm>
#include <array>

#include "scenario/faults/fault_spec.h"
#include "scenario/faults/fault_table.h"

namespace lockstep::scenario {
namespace {

constexpr std::array<std::string_view, 5> triggers = {"at", "when", "after", "before", "stays"};
constexpr std::array<std::string_view, 2> repetitions = {"every", "times"};

}  // namespace

std::span<const FaultForm> fault_forms() { return fault_table; }

const FaultForm& form_of(FaultKind kind) { return fault_table[static_cast<std::size_t>(kind)]; }

std::string_view mattered_to_a_number(const FaultForm& form) {
  if (form.mattered == mattered::takes_time) return mattered::takes_time_of_a_number;
  if (form.mattered == mattered::ends_process) return mattered::ends_process_of_a_number;
  if (form.mattered == mattered::deletes) return mattered::deletes_a_number;
  return form.mattered;
}

const FaultForm* find_form(std::string_view word) {
  const auto* const found =
      std::find_if(fault_table.begin(), fault_table.end(),
                   [word](const FaultForm& form) { return form.word == word; });
  return found != fault_table.end() ? found : nullptr;
}

std::vector<std::string_view> fault_words() {
  std::vector<std::string_view> words;
  for (const FaultForm& form : fault_table) words.push_back(form.word);
  return words;
}

std::string_view to_string(FaultKind kind) { return form_of(kind).word; }

std::span<const std::string_view> trigger_keys() { return triggers; }

std::span<const std::string_view> repetition_keys(const FaultForm& form) {
  if (form.theme == Theme::message) return {};
  return repetitions;
}

FaultSpec fault_of(FaultKind kind) {
  const FaultForm& form = form_of(kind);
  FaultSpec fault{};
  fault.kind = kind;
  fault.clock = form.clock;
  if (form.amount == Amount::leap_second) fault.by_ns = -sim::second_ns;
  return fault;
}

}  // namespace lockstep::scenario
