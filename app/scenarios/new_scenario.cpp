#include "app/scenarios/new_scenario.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "app/context.h"
#include "checker/property.h"
#include "model/lock/lock_package.h"
#include "redis/values/key_slot.h"
#include "scenario/scenario.h"

namespace lockstep::app {
namespace {

std::string_view redis_of(NewTopology topology) {
  switch (topology) {
    case NewTopology::standalone:
      return "";
    case NewTopology::replicated:
      return "[redis]\nreplicas = 1\n\n";
    case NewTopology::independent:
      return "[redis]\nmasters = 5\n\n";
    case NewTopology::sentinel:
      return "[redis]\ntopology = \"sentinel\"\nreplicas = 2\n"
             "sentinel = { count = 3, quorum = 2, down_after = \"2s\" }\n\n";
    case NewTopology::cluster:
      return "[redis]\ntopology = \"cluster\"\nmasters  = 3\nreplicas = 1\n"
             "cluster  = { node_timeout = \"2s\" }\n\n";
  }
  return "";
}

/// Clients that use a lock of this kind: as many as have to queue up. Each keeps what it took for
/// longer than a failover takes: else there is nothing that it could lose. The first has it before
/// another asks: who waits on one node of a vote already may wait there until all is over.
std::string clients_of(model::StateShape shape, bool has_queue) {
  const auto client = [](std::string_view name, std::string_view start, std::string_view rounds,
                         std::string_view steps) {
    std::string text = fmt::format("[[client]]\nname   = \"{}\"\n", name);
    if (!rounds.empty()) text += fmt::format("rounds = {}\n", rounds);
    if (!start.empty()) text += fmt::format("start  = \"{}\"\n", start);
    return text + fmt::format("run    = [{}]\n", steps);
  };
  switch (shape) {
    case model::StateShape::holds_by_owner:
    case model::StateShape::owner_token: {
      constexpr std::string_view steps = R"("lock lease=30s", "write", "sleep 15s", "unlock")";
      std::string text =
          client("a", "", "2", steps) + "\n" + client("b", "100ms..200ms", "2", steps);
      if (has_queue) text += "\n" + client("c", "200ms..300ms", "2", steps);
      return text;
    }
    case model::StateShape::readers_and_writer: {
      constexpr std::string_view writes =
          R"("write_lock lease=30s", "write", "sleep 15s", "write_unlock")";
      return client("a", "", "2", writes) + "\n" +
             client("b", "100ms..200ms", "2",
                    R"("read_lock lease=30s", "sleep 15s", "read_unlock")") +
             "\n" + client("c", "200ms..300ms", "2", writes);
    }
    case model::StateShape::permits:
      return client("a", "", "",
                    R"("try_set_permits permits=3", "sleep 1s", "acquire permits=2", "sleep 15s", )"
                    R"("release permits=2")") +
             "\n" +
             client("b", "1005ms..1010ms", "2",
                    R"("acquire permits=2", "sleep 15s", "release permits=2")");
    case model::StateShape::permits_in_use: {
      constexpr std::string_view steps = R"("acquire", "sleep 15s", "release")";
      return client("a", "", "2", steps) + "\n" + client("b", "100ms..200ms", "2", steps);
    }
    case model::StateShape::count:
      return client("a", "", "", R"("try_set_count count=1", "sleep 15s", "count_down")") + "\n" +
             client("b", "5ms", "", R"("await")") + "\n" + client("c", "10s", "", R"("await")");
  }
  return "";
}

/// The master that has the lock's key, of so many.
std::string master_of(const model::LockPackage& lock, std::size_t masters) {
  const std::string key = model::expand_pattern(lock.state_key, scenario::Scenario{}.lock_name);
  return fmt::format("n{}", redis::master_of_slot(redis::key_slot(key), masters) + 1);
}

/// When the node dies: a latch has been set, and whoever set it knows.
std::string end_of(std::string_view node, model::StateShape shape) {
  if (shape == model::StateShape::count) {
    return fmt::format(
        "# crash = \"{0}\"\n# when  = \"{0} executed try_set_count\"\n# after = \"1s\"\n", node);
  }
  return fmt::format("# crash = \"{}\"\n# when  = \"a acquired\"\n", node);
}

/// From when on replicas lag behind: a semaphore's permits are to be there.
std::string_view lag_begins(model::StateShape shape) {
  return shape == model::StateShape::permits ? "# at  = \"500ms\"\n" : "";
}

/// The crash of a master that has nothing on its disk, and its restart.
std::string forgetting(std::string_view node, model::StateShape shape) {
  return fmt::format(
      "# [[fault]]\n{1}#\n"
      "# [[fault]]\n# restart = \"{0}\"\n# when    = \"{0} crashed\"\n",
      node, end_of(node, shape));
}

std::string faults_of_standalone(model::StateShape shape) {
  // Nothing of these ends by itself, however long somebody stops.
  if (shape == model::StateShape::count || shape == model::StateShape::permits) {
    return "# The server dies and comes back with nothing: nothing is stored, unless [redis] "
           "config "
           "says so:\n" +
           forgetting("n1", shape);
  }
  return "# A stop of a's process (as for garbage collection) that is longer than the lease:\n"
         "# [[fault]]\n# pause = \"a\"\n# when  = \"a acquired\"\n# for   = \"45s\"\n";
}

std::string faults_of_independent(const model::LockPackage& lock) {
  if (lock.state_nodes != model::StateNodes::quorum) {
    return "# The master of the lock's slot forgets its locks: nothing is stored, unless [redis] "
           "config says so:\n" +
           forgetting(master_of(lock, 5), lock.state_shape);
  }
  return "# A majority of the masters forget their votes: nothing is stored, unless [redis] config "
         "says so:\n" +
         forgetting("n1", lock.state_shape) + "#\n" + forgetting("n2", lock.state_shape) + "#\n" +
         forgetting("n3", lock.state_shape);
}

/// The most instructive faults of a topology, commented out. Without the marks of comments they
/// break a lock of one node's key.
std::string faults_at(NewTopology topology, const model::LockPackage& lock) {
  const std::string_view lag_at = lag_begins(lock.state_shape);
  switch (topology) {
    case NewTopology::standalone:
      return faults_of_standalone(lock.state_shape);
    case NewTopology::replicated:
      return fmt::format(
          R"(# The master dies, and an operator promotes a replica that lags behind. What had not left the master
# is lost with it:
# [[fault]]
# lag = "n1-replica-1"
# by  = "60s"
{1}#
# [[fault]]
{0}#
# [[fault]]
# promote = "n1-replica-1"
# when    = "n1 crashed"
# after   = "1s"
)",
          end_of("n1", lock.state_shape), lag_at);
    case NewTopology::independent:
      return faults_of_independent(lock);
    case NewTopology::sentinel:
      return fmt::format(
          R"(# The master dies, and a replica that lags behind takes its place. What had not left the master is
# lost with it:
# [[fault]]
# delay = "replication"
# by    = "60s"
# times = "always"
{1}#
# [[fault]]
{0})",
          end_of("n1", lock.state_shape), lag_at);
    case NewTopology::cluster: {
      const std::string master = master_of(lock, 3);
      return fmt::format(
          R"(# The master of the lock's slot dies, and its replica, which lags behind, takes its place. What had
# not left the master is lost with it:
# [[fault]]
# lag = "{2}-replica-1"
# by  = "60s"
{1}#
# [[fault]]
{0})",
          end_of(master, lock.state_shape), lag_at, master);
    }
  }
  return "";
}

std::string expected_of(const model::LockPackage& lock) {
  std::string names;
  for (const checker::Property property : lock.promises) {
    if (!names.empty()) names += ", ";
    names += fmt::format("\"{}\"", checker::to_string(property));
  }
  return names.empty() ? "\"no-deadlock\"" : names;
}

bool is_vote(const model::LockPackage& lock) {
  return lock.state_nodes == model::StateNodes::quorum;
}

/// In a cluster only one node has the slot of a lock's key, so a vote among nodes is never won;
/// with one master there is none.
void require_fit(NewTopology topology, const model::LockPackage& lock) {
  if (!is_vote(lock) || topology == NewTopology::independent) return;
  throw scenario::InputError::about(
      "--topology", fmt::format("the lock '{}' asks independent masters for votes; expected "
                                "--topology independent",
                                lock.full_name()));
}

}  // namespace

std::string new_scenario_text(const NewScenario& wanted, const Context& context) {
  scenario::Scenario scenario;
  scenario.path = wanted.name + ".toml";
  scenario.lock = wanted.lock;
  scenario.lock_place = {"--lock", 0, 0};
  const model::LockPackage lock = model::load_lock(scenario, context.script_folders);
  const NewTopology topology =
      wanted.topology.value_or(is_vote(lock) ? NewTopology::independent : NewTopology::standalone);
  require_fit(topology, lock);
  return fmt::format(
      "# Nothing goes wrong yet, and the lock keeps what it promises.\n"
      "title  = \"{}\"\nlock   = \"{}\"\nexpect = {{ holds = [{}] }}\n\n{}{}\n"
      "# What may go wrong (lockstep list faults; docs/scenarios.md has every key). What then "
      "breaks in\n"
      "# every run goes to violates; what happens in some, as in sometimes = \"b acquired while a "
      "believes\".\n#\n{}",
      wanted.name, wanted.lock, expected_of(lock), redis_of(topology),
      clients_of(lock.state_shape, !lock.queue_key.empty()), faults_at(topology, lock));
}

}  // namespace lockstep::app
