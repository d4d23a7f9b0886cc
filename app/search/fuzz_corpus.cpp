#include "app/search/fuzz_corpus.h"

#include <memory>
#include <utility>

#include "app/context.h"
#include "model/engine/engine.h"
#include "scenario/text/input_error.h"

namespace lockstep::app {

FuzzCorpus::FuzzCorpus(const std::filesystem::path& folder, const scenario::Scenario& scenario,
                       const Context& context, const std::function<bool()>& interrupted)
    : context_(context) {
  model::Engine engine(context.script_folders, context.programs);
  const std::unique_ptr<model::Simulation> simulation = engine.prepare(scenario);
  scenario_digest_ = search::digest_of(scenario);
  lock_digest_ = simulation->lock_digest();
  folder_.emplace(folder, scenario_digest_, context);
  CorpusFolder::Contents read = folder_->read();
  counts_ = {folder.string(), read.entries.size(), read.passed_over, 0, 0};
  std::vector<std::vector<search::ChoiceTrack>> entries;
  for (search::CorpusEntry& entry : read.entries) {
    counts_.of_another_lock += entry.lock_digest != lock_digest_ ? 1 : 0;
    entries.push_back(std::move(entry.tracks));
  }
  corpus_ = search::make_corpus(std::move(entries), *simulation, interrupted);
}

void FuzzCorpus::keep(const search::Discovery& discovery) {
  try {
    if (folder_->add({scenario_digest_, lock_digest_, discovery.tracks})) ++counts_.added;
  } catch (const scenario::InputError& error) {
    if (!has_failed_) print_error(context_, error);
    has_failed_ = true;
  }
}

}  // namespace lockstep::app
