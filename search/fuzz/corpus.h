// A corpus: runs that reached abstract states which no run before had reached, kept from one search
// for the next.
//
// A search begins by making them once more, so that what changes kept runs or branches off from
// them has something to begin with, and so that only what is new from there on counts as new. The
// order of the entries matters to what a search then does; it is that of their names.
//
// Not covered: where the entries lie (app/search/corpus_folder.h) and what they look like
// (corpus_entry.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "search/fuzz/state_set.h"
#include "search/fuzz/strategy.h"
#include "search/runs/choice_tracks.h"

namespace lockstep::model {
class Simulation;
}  // namespace lockstep::model

namespace lockstep::search {

struct Corpus {
  /// All, in order. A search looks whether they break anything, too.
  std::vector<std::vector<ChoiceTrack>> entries;
  std::vector<KeptRun> runs;  ///< of those that reach what none before them reached
  StateSet states;            ///< of all
  std::uint64_t digest = 0;   ///< of the entries; 0 where there are none
};

/// Makes all runs once. `interrupted`, asked between runs, may end that early (empty: never).
[[nodiscard]] Corpus make_corpus(std::vector<std::vector<ChoiceTrack>> entries,
                                 model::Simulation& simulation,
                                 const std::function<bool()>& interrupted);

/// A few entries, by their numbers, ascending, that together reach all states that all do. Not the
/// fewest there can be, which is hard to find: always the one that adds most, of equals the one
/// with the fewest choices, of these the first (at most 1 + ln n times as many as needed, Chvátal
/// 1979; usually hardly more). None can be left out of what comes of it. `interrupted` as above;
/// the result is then all of them.
[[nodiscard]] std::vector<std::size_t> few_with_all_states(
    const std::vector<std::vector<ChoiceTrack>>& entries, model::Simulation& simulation,
    const std::function<bool()>& interrupted);

}  // namespace lockstep::search
