#include "model/engine/ground_truth.h"

#include <algorithm>
#include <string>
#include <vector>

#include "scenario/scenario.h"

namespace lockstep::model {
namespace {

/// Every lock that some step names.
std::vector<std::string> lock_names(const scenario::Scenario& scenario) {
  std::vector<std::string> names = {scenario.lock_name};
  for (const scenario::ClientSpec& client : scenario.clients) {
    for (const scenario::ThreadSpec& thread : client.threads) {
      scenario::visit_possible_steps(thread, [&names](const scenario::Step& step) {
        for (const std::string& name : step.lock_names) {
          const bool is_known = std::find(names.begin(), names.end(), name) != names.end();
          if (!is_known) names.push_back(name);
        }
      });
    }
  }
  return names;
}

}  // namespace

void GroundTruth::watch(const scenario::Scenario& scenario, std::span<Client* const> clients,
                        std::span<RedisNode* const> nodes) {
  locks.watch(lock_names(scenario), clients, nodes);
  masters.watch(nodes);
}

}  // namespace lockstep::model
