#include "model/engine/ground_truth.h"

#include <algorithm>
#include <string>
#include <vector>

#include "scenario/scenario.h"

namespace lockstep::model {
namespace {

/// Every lock that some step names; the scenario's own first, if one does, or it is a program's.
std::vector<std::string> lock_names(const scenario::Scenario& scenario) {
  std::vector<std::string> names = {scenario.lock_name};
  bool is_own_named = scenario::has_program(scenario);
  for (const scenario::ClientSpec& client : scenario.clients) {
    for (const scenario::ThreadSpec& thread : client.threads) {
      scenario::visit_possible_steps(
          thread, [&names, &is_own_named, &scenario](const scenario::Step& step) {
            for (const std::string& name : step.lock_names) {
              is_own_named |= name == scenario.lock_name;
              const bool is_known = std::find(names.begin(), names.end(), name) != names.end();
              if (!is_known) names.push_back(name);
            }
          });
    }
  }
  // Where its key would be nothing can befall a lock that nobody uses.
  if (!is_own_named && names.size() > 1) names.erase(names.begin());
  return names;
}

}  // namespace

void GroundTruth::watch(const scenario::Scenario& scenario, std::span<Client* const> clients,
                        std::span<RedisNode* const> nodes) {
  locks.watch(lock_names(scenario), clients, nodes);
  masters.watch(nodes);
}

}  // namespace lockstep::model
