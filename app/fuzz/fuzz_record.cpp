#include "app/fuzz/fuzz_record.h"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "app/output_file.h"
#include "model/engine/engine.h"
#include "reports/formats/search_record_file.h"

namespace lockstep::app {

FuzzRecord::FuzzRecord(const FuzzArguments& arguments, const FuzzTarget& target,
                       const search::FuzzPlan& plan, const Context& context)
    : arguments_(arguments) {
  reports::SearchIdentity identity;
  identity.target = target.name;
  identity.file_name = target.file_name;
  identity.scenario = target.scenario;
  model::Engine engine(context.script_folders);
  identity.lock_digest = engine.prepare(target.scenario)->lock_digest();
  identity.plan = plan;
  identity.ends = arguments.time_ms ? reports::SearchIdentity::Ends::by_clock
                                    : reports::SearchIdentity::Ends::by_runs;
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

void FuzzRecord::write(const std::string& name, std::uint64_t elapsed_ms) {
  record_.elapsed_ms = elapsed_ms;
  const std::filesystem::path path = std::filesystem::path(arguments_.output.folder) /
                                     fmt::format("{}.{}-of-{}{}", name, arguments_.plan.shard + 1,
                                                 arguments_.plan.shards, record_suffix);
  write_file(path, [this](std::ostream& out) { reports::write_search_record(out, record_); });
}

}  // namespace lockstep::app
