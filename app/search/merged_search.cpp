#include "app/search/merged_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "app/context.h"
#include "app/search/fuzz_targets.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "search/fuzz/batch_sizes.h"
#include "search/fuzz/fuzz.h"
#include "search/runs/tally.h"
#include "sim/recorded_choices.h"

namespace lockstep::app {
namespace {

using TracksByRun = std::map<std::uint64_t, std::vector<search::ChoiceTrack>>;

/// Fills in what a record does not hold, by making the run with its choices.
void make_again(search::NotableRun& found, const TracksByRun& tracks,
                model::Simulation& simulation) {
  search::TrackChoices choices;
  choices.reset(tracks.at(found.run));
  sim::RecordingChoices recording(choices);
  const model::RunResult& came = simulation.run(recording);
  if (came.hash != found.hash) {
    throw std::logic_error(
        fmt::format("run {} came to something else here than where it was found", found.run));
  }
  found.faults = *came.faults;
  found.choices = recording.record();
}

}  // namespace

MergedSearch::MergedSearch(const search::SearchRecord& record, const std::string& path,
                           const Context& context)
    : record_(record), identity_(reports::read_identity(record.search)) {
  model::Engine engine(context.script_folders, context.programs);
  const std::unique_ptr<model::Simulation> simulation = engine.prepare(*identity_.scenario);
  if (simulation->lock_digest() != identity_.lock_digest) {
    throw scenario::InputError::about(
        path, fmt::format("the files of lock {} are not those that were searched",
                          identity_.scenario->lock));
  }
  target_ = {identity_.scenario, false, identity_.target, identity_.file_name, identity_.faults};
  report_.name = identity_.target;
  report_.command = search_command(target_, identity_.plan);
  report_.root_seed = identity_.plan.root_seed;
  report_.strategy = search::to_string(identity_.plan.strategy);
  report_.elapsed_ms = record.elapsed_ms;
  put_together(*simulation);
}

void MergedSearch::put_together(model::Simulation& simulation) {
  report_.result = search::empty_result(*identity_.scenario, identity_.plan, simulation.judged());
  const search::ScenarioOutcome empty = report_.result.outcome;
  const bool may_stop = identity_.plan.after_finding == search::FuzzPlan::AfterFinding::stop;
  TracksByRun tracks;
  std::uint64_t wanted = 0;  // the next batch; all before it are complete
  std::uint64_t last = 0;
  bool is_over = false;
  for (const auto& [number, batch] : record_.batches) {
    reports::ReadBatch read = reports::read_batch(number, batch, empty);
    if (number == wanted && is_whole(number, read.result)) ++wanted;
    last = number;
    tracks.merge(read.tracks);
    search::add_batch(report_.result, std::move(read.result));
    is_over = may_stop && search::is_enough(report_.result.outcome);
    if (is_over) break;
  }
  for (const auto& [state, first] : record_.first_reached) {
    if (!is_over || first <= last) report_.result.states.push_back(state);
  }
  for (search::Finding& finding : report_.result.findings) make_again(finding, tracks, simulation);
  for (search::Incident& each : report_.result.incidents) make_again(each, tracks, simulation);
  note_missing(is_over && wanted == last + 1 ? identity_.plan.batches() : wanted);
  report_.result.outcome.interrupted = !missing_.empty();
}

/// Whether the batch has all runs that the search would have made.
bool MergedSearch::is_whole(std::uint64_t number, const search::BatchResult& batch) const {
  const bool may_stop = identity_.plan.after_finding == search::FuzzPlan::AfterFinding::stop;
  if (may_stop && search::is_enough(batch.outcome)) return true;
  const search::BatchSizes& sizes = identity_.plan.sizes;
  const std::uint64_t end = std::min(identity_.plan.runs, sizes.first_run(number + 1));
  const std::uint64_t entries = number == 0 ? identity_.corpus_entries : 0;
  return batch.outcome.runs == end - sizes.first_run(number) + entries;
}

void MergedSearch::note_missing(std::uint64_t batches_made) {
  if (identity_.ends == reports::SearchIdentity::Ends::by_clock) return note_missing_shards();
  if (batches_made >= identity_.plan.batches()) return;
  note_missing_shards();
  if (!missing_.empty()) return;
  missing_.push_back(
      fmt::format("{}: a part was interrupted: runs from {} on are missing", identity_.target,
                  identity_.plan.sizes.first_run(batches_made) + identity_.corpus_entries + 1));
}

void MergedSearch::note_missing_shards() {
  std::map<std::uint64_t, std::set<std::uint64_t>> by_count;
  for (const auto& [number, of] : record_.shards) by_count[of].insert(number);
  std::string words;
  for (const auto& [of, numbers] : by_count) {
    if (numbers.size() == of) return;
    for (std::uint64_t number = 1; number <= of; ++number) {
      if (numbers.contains(number)) continue;
      words += fmt::format("{}{}/{}", words.empty() ? "" : ", ", number, of);
    }
  }
  missing_.push_back(
      fmt::format("{}: not all shards are there; {} would be missing", identity_.target, words));
}

}  // namespace lockstep::app
