// The choices of a run once more, each stream in its own order, whatever the others do.
//
// A recorded run is replayed exactly by sim::ReplayedChoices, as long as it asks for the same
// things in the same order. A scenario from which something was taken asks for less, and in another
// order; what it still asks for is answered as before. Where a stream is used up or asks for
// something else, chance answers, from a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/choice_source.h"
#include "sim/recorded_choices.h"
#include "sim/seeded_choices.h"

namespace lockstep::search {

class StreamwiseChoices final : public sim::ChoiceSource {
 public:
  /// A stream of the record; some of its choices may be forgotten, so that chance answers instead.
  class Track {
   public:
    [[nodiscard]] sim::Stream stream() const { return stream_; }
    [[nodiscard]] std::size_t size() const { return places_.size(); }
    void forget_all() { is_forgotten_ = true; }
    void forget(std::size_t index) { forgotten_ = index; }

   private:
    friend class StreamwiseChoices;
    sim::Stream stream_{sim::Purpose::scenario, 0};
    std::vector<std::size_t> places_;  // of its choices in the record
    std::size_t next_ = 0;
    bool is_forgotten_ = false;
    std::size_t forgotten_ = SIZE_MAX;
  };

  /// Begins again with another record, which outlives the run, and another seed.
  void reset(std::span<const sim::Choice> record, std::uint64_t seed);
  /// Those of the record. Valid until the next reset.
  [[nodiscard]] std::span<Track> tracks() { return {tracks_.data(), used_}; }

 private:
  std::uint64_t draw(sim::Stream stream, std::uint64_t count) override;
  [[nodiscard]] Track* find(sim::Stream stream);

  std::span<const sim::Choice> record_;
  sim::SeededChoices seeded_{0};
  std::vector<Track> tracks_;  // the first used_ of them; the others keep their memory
  std::size_t used_ = 0;
};

}  // namespace lockstep::search
