#include "search/campaign/permit_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "checker/observations.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/lock/lock_package.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/step_kind.h"
#include "search/campaign/offered_words.h"
#include "search/campaign/workloads.h"
#include "sim/seeded_choices.h"

namespace lockstep::search {
namespace {

using scenario::StepKind;

/// More than these no workload asks for.
constexpr int permits_max = 4;

/// One client that asks once. Nobody else wants any, so a wait that does not end is a refusal.
std::string asking_for(int permits, const OfferedWords& words, std::string_view lock_name) {
  const bool sets = words.has(StepKind::try_set_permits);
  return fmt::format(
      "title = \"permits at once\"\nlock = \"{}\"\nexpect = {{ holds = \"no-deadlock\" }}\n"
      "[limits]\nhorizon = \"1m\"\nevents = 10000\n"
      "[[client]]\nname = \"a\"\nrun = [{}\"{} permits={}\"]\n",
      lock_name, sets ? fmt::format("\"try_set_permits permits={}\", ", permits_max) : "",
      words.has(StepKind::try_acquire) ? "try_acquire" : "acquire", permits);
}

/// The most permits that were out together.
std::int64_t most_out(const checker::Observations& observations) {
  std::map<checker::NameId, std::int64_t> out;
  std::int64_t sum = 0;
  std::int64_t most = 0;
  for (const checker::HoldChange& change : observations.hold_changes) {
    std::int64_t& of_owner = out[change.owner];
    sum += change.count_after - of_owner;
    of_owner = change.count_after;
    most = std::max(most, sum);
  }
  return most;
}

/// Whether the client was told that it has them, and has them.
bool grants(model::Engine& engine, const std::string& text, std::string_view path, int permits) {
  const scenario::Scenario asking = scenario::parse_scenario(std::string(path), text);
  const std::unique_ptr<model::Simulation> simulation = engine.prepare(asking);
  sim::SeededChoices choices(1);
  const model::RunResult& result = simulation->run(choices);
  return result.client_failures.empty() && !result.observations->grants.empty() &&
         most_out(*result.observations) == permits;
}

}  // namespace

PermitsAtOnce probe_permits(model::Engine& engine, const model::LockPackage& lock,
                            std::span<const StepKind> offered, const LockPlace& place) {
  if (lock.state_shape != model::StateShape::permits_in_use) return {};
  const OfferedWords words(offered);
  for (int permits = permits_max; permits > 1; --permits) {
    const std::string text = asking_for(permits, words, place.lock_name);
    if (grants(engine, text, place.path, permits)) return {permits};
  }
  return {};
}

}  // namespace lockstep::search
