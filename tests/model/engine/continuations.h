// Two ways to the same state, and what becomes of each: the proof of model/engine/run_listeners.h.
//
// Runs draw from few answers, so that different ways meet. Where two of them come to states with
// one digest, both are gone again and go on with the same answers (and the same fault, if one is to
// strike): then what happens must be the same, event by event, but for the numbers of things that
// have numbers only to be told apart, and for the instant that times count from.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_listeners.h"
#include "model/engine/run_result.h"
#include "model/recorded_trace.h"
#include "scenario/faults/fault_spec.h"
#include "sim/choice_source.h"

namespace lockstep::model::test {

/// The answers of a prefix, then mostly the first: one in `rarely` is another.
class SparseChoices final : public sim::ChoiceSource {
 public:
  SparseChoices(std::vector<std::uint64_t> prefix, std::uint64_t seed, std::uint64_t rarely)
      : prefix_(std::move(prefix)), seed_(seed), rarely_(rarely) {}
  [[nodiscard]] const std::vector<std::uint64_t>& given() const { return given_; }

 private:
  std::uint64_t draw(sim::Stream stream, std::uint64_t count) override;
  [[nodiscard]] std::uint64_t answer(sim::Stream stream, std::uint64_t count);

  std::vector<std::uint64_t> prefix_;
  std::uint64_t seed_;
  std::uint64_t rarely_;
  std::vector<std::uint64_t> given_;
  std::map<std::pair<sim::Purpose, std::uint32_t>, std::uint64_t> asked_;  // since the prefix
};

/// A state of a run, as its way to there.
struct RunPrefix {
  std::vector<std::uint64_t> answers;
  std::size_t step = 0;       ///< how many events came before
  std::uint64_t history = 0;  ///< the trace's hash there
};

struct MergedPair {
  RunPrefix one;
  RunPrefix other;
};

struct MergedStates {
  std::vector<MergedPair> places;  ///< some of those where different ways meet
  std::size_t states = 0;          ///< told apart
  std::size_t steps = 0;           ///< of all runs
  std::size_t merged = 0;          ///< steps to a state that another way had led to
};

struct Search {
  std::uint64_t ways = 0;       ///< each by its seed
  std::uint64_t rarely = 8;     ///< one answer in so many is not the first
  std::size_t places_max = 0;   ///< of those where ways meet
  std::size_t steps_max = 250;  ///< of each way
};

[[nodiscard]] MergedStates find_merged_states(Simulation& simulation, const Search& search);

/// A fault that strikes before the nth event of the future.
struct ContinuationFault {
  scenario::FaultSpec fault;
  std::size_t before_event = 0;
};

struct Continuation {
  std::vector<std::string> events;  ///< from the state on, as text
  std::vector<StateDigest> states;
  std::vector<std::vector<DigestPart>> parts;
  std::vector<checker::VerdictKind> before;  ///< of what is judged, up to the state…
  std::vector<checker::VerdictKind> after;   ///< …and at the end
  RunEnd end = RunEnd::at_rest;
};

/// Of a way's end: what comes then is drawn as by this seed.
[[nodiscard]] Continuation continuation_of(Simulation& simulation, const RunPrefix& way,
                                           std::uint64_t seed,
                                           const std::optional<ContinuationFault>& fault);

/// Where two futures first differ, in words; empty: nowhere.
[[nodiscard]] std::string difference(const Simulation& simulation, const Continuation& one,
                                     const Continuation& other);

}  // namespace lockstep::model::test
