#include "search/fuzz/corpus.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "model/engine/engine.h"
#include "model/engine/run_listeners.h"
#include "model/engine/run_result.h"
#include "sim/mixing.h"
#include "sim/recorded_choices.h"

namespace lockstep::search {
namespace {

std::uint64_t corpus_digest(const std::vector<std::vector<ChoiceTrack>>& entries) {
  std::uint64_t digest = 0;
  for (const std::vector<ChoiceTrack>& entry : entries) {
    digest = sim::mixed(digest, entry.size());
    for (const ChoiceTrack& track : entry) {
      digest = sim::mixed(digest, static_cast<std::uint64_t>(track.stream.purpose));
      digest = sim::mixed(digest, track.stream.owner);
      digest = sim::mixed(digest, track.values.size());
      for (const std::uint64_t value : track.values) digest = sim::mixed(digest, value);
    }
  }
  return digest;
}

/// Puts the states of a run into the set, and notes when the first came that was not there.
class FirstOfRun final : public model::AbstractStateListener {
 public:
  FirstOfRun(StateSet& states, const sim::RecordingChoices& recording)
      : states_(states), recording_(recording) {}
  void start_run() { first_.reset(); }
  [[nodiscard]] const std::optional<std::size_t>& first() const { return first_; }
  void on_state(std::uint64_t state) override {
    if (states_.insert(state) && !first_) first_ = recording_.record().size();
  }

 private:
  StateSet& states_;
  const sim::RecordingChoices& recording_;
  std::optional<std::size_t> first_;
};

/// The states of one run.
class StatesOfRun final : public model::AbstractStateListener {
 public:
  std::set<std::uint64_t> states;
  void on_state(std::uint64_t state) override { states.insert(state); }
};

std::size_t choices_of(const std::vector<ChoiceTrack>& entry) {
  return std::accumulate(
      entry.begin(), entry.end(), std::size_t{0},
      [](std::size_t sum, const ChoiceTrack& each) { return sum + each.values.size(); });
}

std::size_t count_new(const std::set<std::uint64_t>& states,
                      const std::set<std::uint64_t>& reached) {
  return static_cast<std::size_t>(std::count_if(
      states.begin(), states.end(), [&](std::uint64_t state) { return !reached.contains(state); }));
}

/// Takes away what the others reach without it, the smallest gain first.
std::vector<std::size_t> without_superfluous(std::vector<std::size_t> chosen,
                                             const std::vector<std::set<std::uint64_t>>& states) {
  std::map<std::uint64_t, std::size_t> owners;
  for (const std::size_t entry : chosen) {
    for (const std::uint64_t state : states[entry]) ++owners[state];
  }
  for (std::size_t i = chosen.size(); i-- > 0;) {
    const std::set<std::uint64_t>& own = states[chosen[i]];
    const bool is_needed = std::any_of(own.begin(), own.end(), [&](std::uint64_t state) {
      return owners.find(state)->second == 1;
    });
    if (is_needed) continue;
    for (const std::uint64_t state : own) --owners[state];
    chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return chosen;
}

}  // namespace

Corpus make_corpus(std::vector<std::vector<ChoiceTrack>> entries, model::Simulation& simulation,
                   const std::function<bool()>& interrupted) {
  Corpus corpus;
  corpus.digest = corpus_digest(entries);
  TrackChoices choices;
  sim::RecordingChoices recording(choices);
  FirstOfRun first(corpus.states, recording);
  simulation.set_abstract_state_listener(&first);
  for (const std::vector<ChoiceTrack>& entry : entries) {
    if (interrupted && interrupted()) break;
    choices.reset(entry);
    recording.clear();
    first.start_run();
    (void)simulation.run(recording);
    if (first.first()) corpus.runs.push_back({recording.record(), *first.first()});
  }
  simulation.set_abstract_state_listener(nullptr);
  corpus.entries = std::move(entries);
  return corpus;
}

// What an entry adds only gets less as others are chosen. So an upper bound is known for each, and
// only those with the highest need a closer look (Minoux 1978).
std::vector<std::size_t> few_with_all_states(const std::vector<std::vector<ChoiceTrack>>& entries,
                                             model::Simulation& simulation,
                                             const std::function<bool()>& interrupted) {
  std::vector<std::set<std::uint64_t>> states;
  StatesOfRun listener;
  simulation.set_abstract_state_listener(&listener);
  TrackChoices choices;
  for (const std::vector<ChoiceTrack>& entry : entries) {
    if (interrupted && interrupted()) break;
    choices.reset(entry);
    (void)simulation.run(choices);
    states.push_back(std::exchange(listener.states, {}));
  }
  simulation.set_abstract_state_listener(nullptr);
  if (states.size() < entries.size()) {
    std::vector<std::size_t> all(entries.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  // The best last: most gained, then fewest choices, then first.
  using Bound = std::tuple<std::size_t, std::size_t, std::size_t>;
  std::set<Bound> bounds;
  const auto bound_of = [&](std::size_t entry, std::size_t gain) {
    return Bound{gain, SIZE_MAX - choices_of(entries[entry]), SIZE_MAX - entry};
  };
  for (std::size_t i = 0; i < entries.size(); ++i) bounds.insert(bound_of(i, states[i].size()));
  std::set<std::uint64_t> reached;
  std::vector<std::size_t> chosen;
  while (!bounds.empty()) {
    const Bound best = *bounds.rbegin();
    bounds.erase(best);
    const std::size_t entry = SIZE_MAX - std::get<2>(best);
    const std::size_t gain = count_new(states[entry], reached);
    if (gain == 0) continue;
    if (gain < std::get<0>(best)) {
      bounds.insert(bound_of(entry, gain));
      continue;
    }
    chosen.push_back(entry);
    reached.insert(states[entry].begin(), states[entry].end());
  }
  chosen = without_superfluous(std::move(chosen), states);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace lockstep::search
