#include "app/new_scenario.h"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "app/new_name.h"
#include "app/output_file.h"
#include "model/client/lock_package.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

std::string_view redis_of(NewTopology topology) {
  switch (topology) {
    case NewTopology::standalone:
      return "";
    case NewTopology::replicated:
      return "[redis]\nreplicas = 1\n\n";
    case NewTopology::independent:
      return "[redis]\nmasters = 5\n\n";
    case NewTopology::sentinel:
      return "[redis]\ntopology = \"sentinel\"\nreplicas = 2\n\n";
    case NewTopology::cluster:
      return "[redis]\ntopology = \"cluster\"\nmasters  = 3\nreplicas = 1\n\n";
  }
  return "";
}

/// Two clients that use the lock as one of its kind is used.
std::string_view clients_of(model::StateShape shape) {
  switch (shape) {
    case model::StateShape::holds_by_owner:
    case model::StateShape::owner_token:
      return R"([[client]]
name   = "a"
rounds = 3
run    = ["lock lease=10s", "write", "unlock"]

[[client]]
name   = "b"
rounds = 3
start  = "0ms..5ms"
run    = ["lock lease=10s", "write", "unlock"]
)";
    case model::StateShape::readers_and_writer:
      return R"([[client]]
name   = "a"
rounds = 3
run    = ["write_lock lease=10s", "write", "write_unlock"]

[[client]]
name   = "b"
rounds = 3
start  = "0ms..5ms"
run    = ["read_lock lease=10s", "sleep 1ms..3ms", "read_unlock"]
)";
    case model::StateShape::permits:
      return R"([[client]]
name = "a"
run  = ["try_set_permits permits=3", "acquire permits=2", "sleep 1ms..3ms", "release permits=2"]

[[client]]
name   = "b"
rounds = 3
start  = "5ms..10ms"
run    = ["acquire permits=2", "sleep 1ms..3ms", "release permits=2"]
)";
    case model::StateShape::count:
      return R"([[client]]
name = "a"
run  = ["try_set_count count=1", "sleep 10ms..20ms", "count_down"]

[[client]]
name  = "b"
start = "5ms"
run   = ["await"]
)";
  }
  return "";
}

std::string_view example_moment(model::StateShape shape) {
  return shape == model::StateShape::count ? "a finished" : "a acquired";
}

std::string expected_of(const model::LockPackage& lock) {
  std::string names;
  for (const checker::Property property : lock.promises) {
    if (!names.empty()) names += ", ";
    names += fmt::format("\"{}\"", checker::to_string(property));
  }
  return names.empty() ? "\"no-deadlock\"" : names;
}

/// In a cluster one node alone has the slot of a lock's key: a vote among nodes is never won.
void require_fit(const NewScenarioArguments& arguments, const model::LockPackage& lock) {
  const bool is_vote = lock.state_nodes == model::StateNodes::quorum;
  if (!is_vote || arguments.topology != NewTopology::cluster) return;
  throw model::InputError({"--topology", 0, 0},
                          fmt::format("the lock '{}' asks independent masters for votes; expected "
                                      "--topology independent",
                                      arguments.lock));
}

std::string story_of(const NewScenarioArguments& arguments, const model::LockPackage& lock) {
  return fmt::format(
      "# Nothing goes wrong yet, and the lock keeps what it promises.\n"
      "title  = \"{}\"\nlock   = \"{}\"\nexpect = {{ holds = [{}] }}\n\n{}{}\n"
      "# What goes wrong (lockstep list faults; docs/scenarios.md has every key):\n"
      "# [[fault]]\n# pause = \"a\"\n# when  = \"{}\"\n# for   = \"15s\"\n",
      arguments.name, arguments.lock, expected_of(lock), redis_of(arguments.topology),
      clients_of(lock.state_shape), example_moment(lock.state_shape));
}

}  // namespace

ExitCode make_new_scenario(const NewScenarioArguments& arguments, const Context& context) {
  require_new_name(arguments.name, "a scenario", "long-pause");
  const fs::path path(arguments.name + ".toml");
  require_nothing_at(path);
  model::Scenario scenario;
  scenario.path = path.string();
  scenario.lock = arguments.lock;
  scenario.lock_place = {"--lock", 0, 0};
  const model::LockPackage lock = model::load_lock(scenario, context.script_folders);
  require_fit(arguments, lock);
  const std::string text = story_of(arguments, lock);
  write_file(path, [&text](std::ostream& stream) { stream << text; });
  context.output << fmt::format("{0}\ntry it: {1} run {0} --seeds 200\n", path.string(),
                                context.program);
  return ExitCode::as_expected;
}

}  // namespace lockstep::app
