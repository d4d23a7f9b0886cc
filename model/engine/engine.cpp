#include "model/engine/engine.h"

#include <utility>

#include "lua/interpreter/state.h"
#include "model/engine/run_result.h"
#include "model/engine/simulated_cluster.h"
#include "model/lock/lock_package.h"
#include "redis/scripting/script_engine.h"

namespace lockstep::model {

std::string_view to_string(RunEnd end) {
  switch (end) {
    case RunEnd::at_rest:
      return "at-rest";
    case RunEnd::stopped:
      return "stopped";
    case RunEnd::horizon:
      return "horizon";
    case RunEnd::event_limit:
      return "event-limit";
  }
  return "at-rest";
}

struct Engine::Implementation {
  std::vector<std::filesystem::path> script_folders;
  lua::State lua;
  redis::ScriptEngine scripts{lua};
};

Engine::Engine(std::vector<std::filesystem::path> script_folders)
    : implementation_(std::make_unique<Implementation>()) {
  implementation_->script_folders = std::move(script_folders);
}

Engine::~Engine() = default;

std::unique_ptr<Simulation> Engine::prepare(const scenario::Scenario& scenario,
                                            OpenFaultsBy open_faults) {
  return std::make_unique<Simulation>(std::make_unique<SimulatedCluster>(
      scenario, open_faults, implementation_->lua, implementation_->scripts,
      load_lock(scenario, implementation_->script_folders)));
}

}  // namespace lockstep::model
