// The choices of a run, stream by stream: the form in which a corpus keeps them and fuzzers change
// them.
//
// In a record (sim/recorded_choices.h) a choice has its place among all others; here it has its
// place in its stream only. A run of the same scenario, lock and model is the same run with either.
// A changed one goes on meaning something here: what a stream still asks for it is given, in its
// own order, whatever others do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/choice_source.h"
#include "sim/recorded_choices.h"
#include "sim/seeded_choices.h"

namespace lockstep::search {

struct ChoiceTrack {
  sim::Stream stream;
  std::vector<std::uint64_t> values;

  friend bool operator==(const ChoiceTrack&, const ChoiceTrack&) = default;
};

/// In the order in which the record first asks for them.
[[nodiscard]] std::vector<ChoiceTrack> tracks_of(std::span<const sim::Choice> record);

// Bytes of numbers, and back: groups of seven bits, the least first, the eighth bit set in all but
// the last (LEB128).
void append_number(std::string& bytes, std::uint64_t number);
/// Takes a number off the front. False, and nothing taken, where none is whole or it is above 2^64.
[[nodiscard]] bool take_number(std::string_view& bytes, std::uint64_t& number);

/// Gives the values of tracks. One that is too large for what is asked is taken modulo the number
/// of alternatives; where a stream has no more, chance answers, the same chance each time.
class TrackChoices final : public sim::ChoiceSource {
 public:
  /// Begins again with these, which outlive the run.
  void reset(std::span<const ChoiceTrack> tracks);

 private:
  std::uint64_t draw(sim::Stream stream, std::uint64_t count) override;

  std::span<const ChoiceTrack> tracks_;
  std::vector<std::size_t> next_;  // of each track
  sim::SeededChoices seeded_{0};
};

}  // namespace lockstep::search
