#include "app/search/fuzz_record.h"

#include <fmt/format.h>

#include <ostream>

#include "app/context.h"
#include "app/output/output_file.h"
#include "app/search/fuzz_targets.h"
#include "model/engine/engine.h"
#include "search/fuzz/fuzz.h"

namespace lockstep::app {

FuzzRecord::FuzzRecord(const FuzzTarget& target, const search::FuzzPlan& plan,
                       reports::SearchIdentity::Ends ends, const Context& context)
    : part_(fmt::format("{}-of-{}", plan.shard + 1, plan.shards)) {
  reports::SearchIdentity identity;
  identity.target = target.name;
  identity.file_name = target.file_name;
  identity.scenario = target.scenario;
  model::Engine engine(context.script_folders, context.programs);
  identity.lock_digest = engine.prepare(*target.scenario)->lock_digest();
  identity.plan = plan;
  identity.faults = target.faults;
  identity.ends = ends;
  if (plan.corpus != nullptr) {
    identity.corpus_entries = plan.corpus->entries.size();
    identity.corpus_digest = plan.corpus->digest;
    for (const std::uint64_t state : plan.corpus->states.ascending()) {
      record_.first_reached[state] = 0;
    }
  }
  record_.search = reports::write_identity(identity);
  record_.shards.insert({plan.shard + 1, plan.shards});
}

void FuzzRecord::add(const search::BatchResult& batch) {
  search::add_to(record_, batch.batch, {batch.outcome.runs, reports::write_batch(batch)},
                 batch.states);
}

void FuzzRecord::write(const std::filesystem::path& folder, const std::string& name,
                       std::uint64_t elapsed_ms) {
  record_.elapsed_ms = elapsed_ms;
  write_file(folder / fmt::format("{}.{}{}", name, part_, record_suffix),
             [this](std::ostream& out) { reports::write_search_record(out, record_); });
}

}  // namespace lockstep::app
