#include "app/new_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "app/output_file.h"
#include "model/client/lock_package.h"
#include "model/scenario/placed_text.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t scenario_characters_max = 64;

void check_scenario_name(const std::string& name) {
  const auto is_plain = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '-';
  };
  const bool is_right = !name.empty() && name.size() <= scenario_characters_max &&
                        name.front() != '-' && std::all_of(name.begin(), name.end(), is_plain);
  if (is_right) return;
  throw model::InputError(
      {}, fmt::format("{} can't be a scenario's name; expected up to {} small letters, digits and "
                      "hyphens, as in long-pause",
                      model::in_quotes(name), scenario_characters_max));
}

std::string_view redis_of(NewTopology topology) {
  switch (topology) {
    case NewTopology::standalone:
      return "";
    case NewTopology::replicated:
      return "[redis]\nreplicas = 1\n\n";
    case NewTopology::independent:
      return "[redis]\nmasters = 5\n\n";
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
  check_scenario_name(arguments.name);
  const fs::path path(arguments.name + ".toml");
  std::error_code error;
  if (fs::exists(fs::symlink_status(path, error))) {
    throw model::InputError({path.string(), 0, 0}, "this is there already, and was left as it is");
  }
  model::Scenario scenario;
  scenario.path = path.string();
  scenario.lock = arguments.lock;
  scenario.lock_place = {"--lock", 0, 0};
  const std::string text = story_of(arguments, model::load_lock(scenario, context.script_folders));
  write_file(path, [&text](std::ostream& stream) { stream << text; });
  context.output << fmt::format("{0}\ntry it: {1} run {0} --seeds 200\n", path.string(),
                                context.program);
  return ExitCode::as_expected;
}

}  // namespace lockstep::app
