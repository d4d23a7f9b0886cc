// --redis-version: scenarios with another version of the server than their files say, and where the
// verdicts depend on it.
#pragma once

#include <optional>
#include <string>

#include "app/exit_code.h"
#include "redis/server/server_version.h"
#include "search/runs/seed_runs.h"

namespace CLI {
class App;
}

namespace lockstep::scenario {
struct Scenario;
}

namespace lockstep::search {
struct ScenarioOutcome;
}

namespace lockstep::app {

struct VersionChoice {
  std::optional<redis::ServerVersion> only;  ///< nothing: what the file says
  bool is_all = false;                       ///< compare the verdicts under each
};

void add_redis_version(CLI::App& command, VersionChoice& choice);

/// Lets every node be the chosen version, if one was. The scenario's text says so afterwards, since
/// traces of it are replayed from there.
void use_version(scenario::Scenario& scenario, const VersionChoice& choice);

struct VersionComparison {
  std::string line;    ///< for the reader, without a line end
  ExitCode exit_code;  ///< the worst of the other versions
};

/// Runs the scenario under each other version and compares the verdicts with those of `outcome`.
[[nodiscard]] VersionComparison compare_versions(const scenario::Scenario& scenario,
                                                 const search::ScenarioOutcome& outcome,
                                                 search::SeedRunOptions options,
                                                 model::Engine& engine);

}  // namespace lockstep::app
