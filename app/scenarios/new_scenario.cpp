#include "app/scenarios/new_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "app/context.h"
#include "checker/property.h"
#include "model/lock/lock_package.h"
#include "scenario/faults/fault_forms.h"
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

/// How long a client keeps what it took.
enum class Hold : std::uint8_t {
  moments,  ///< a search tries many runs: what matters in them is the order of things
  seconds,  ///< longer than a failover takes: else there is nothing that it could lose
};

/// Clients that use a lock of this kind: as many as have to queue up.
std::string clients_of(model::StateShape shape, Hold hold, bool has_queue) {
  const bool is_long = hold == Hold::seconds;
  const std::string_view lease = is_long ? "30s" : "10s";
  const std::string_view pause = is_long ? "15s" : "1ms..3ms";
  const auto client = [](std::string_view name, std::string_view start, std::string_view rounds,
                         std::string_view steps) {
    std::string text = fmt::format("[[client]]\nname   = \"{}\"\n", name);
    if (!rounds.empty()) text += fmt::format("rounds = {}\n", rounds);
    if (!start.empty()) text += fmt::format("start  = \"{}\"\n", start);
    return text + fmt::format("run    = [{}]\n", steps);
  };
  const std::string_view rounds = is_long ? "2" : "3";
  switch (shape) {
    case model::StateShape::holds_by_owner:
    case model::StateShape::owner_token: {
      const std::string steps = fmt::format(R"("lock lease={}", "write", {}"unlock")", lease,
                                            is_long ? "\"sleep 15s\", " : "");
      std::string text =
          client("a", "", rounds, steps) + "\n" + client("b", "0ms..5ms", rounds, steps);
      if (has_queue && is_long) text += "\n" + client("c", "5ms..10ms", rounds, steps);
      return text;
    }
    case model::StateShape::readers_and_writer: {
      const std::string writes = fmt::format(R"("write_lock lease={}", "write", {}"write_unlock")",
                                             lease, is_long ? "\"sleep 15s\", " : "");
      std::string text =
          client("a", "", rounds, writes) + "\n" +
          client("b", "0ms..5ms", rounds,
                 fmt::format(R"("read_lock lease={}", "sleep {}", "read_unlock")", lease, pause));
      if (is_long) text += "\n" + client("c", "5ms..10ms", rounds, writes);
      return text;
    }
    case model::StateShape::permits:
      return client("a", "", "",
                    fmt::format("\"try_set_permits permits=3\", {}\"acquire permits=2\", "
                                "\"sleep {}\", \"release permits=2\"",
                                is_long ? "\"sleep 1s\", " : "", pause)) +
             "\n" +
             client("b", is_long ? "1005ms..1010ms" : "5ms..10ms", rounds,
                    fmt::format(R"("acquire permits=2", "sleep {}", "release permits=2")", pause));
    case model::StateShape::permits_in_use: {
      const std::string steps = fmt::format(R"("acquire", "sleep {}", "release")", pause);
      return client("a", "", rounds, steps) + "\n" + client("b", "0ms..5ms", rounds, steps);
    }
    case model::StateShape::count:
      return client("a", "", "", R"("try_set_count count=1", "sleep 10ms..20ms", "count_down")") +
             "\n" + client("b", "5ms", "", R"("await")");
  }
  return "";
}

std::string_view example_moment(model::StateShape shape) {
  return shape == model::StateShape::count ? "a finished" : "a acquired";
}

/// From when on replicas lag behind: a semaphore's permits are to be there.
std::string_view lag_begins(model::StateShape shape) {
  return shape == model::StateShape::permits ? "# at  = \"500ms\"\n" : "";
}

/// The crash of a master that has nothing on its disk, and its restart.
std::string forgetting(std::string_view node, std::string_view moment) {
  return fmt::format(
      "# [[fault]]\n# crash = \"{0}\"\n# when  = \"{1}\"\n#\n"
      "# [[fault]]\n# restart = \"{0}\"\n# when    = \"{0} crashed\"\n",
      node, moment);
}

/// The most instructive faults of a topology, commented out. Without the marks of comments they
/// break a lock of one node's key.
std::string faults_at(NewTopology topology, const model::LockPackage& lock) {
  const std::string_view moment = example_moment(lock.state_shape);
  const std::string_view lag_at = lag_begins(lock.state_shape);
  switch (topology) {
    case NewTopology::standalone:
      return fmt::format(
          R"(# A stop of a's process (as for garbage collection) that is longer than the lease:
# [[fault]]
# pause = "a"
# when  = "{}"
# for   = "45s"
)",
          moment);
    case NewTopology::replicated:
      return fmt::format(
          R"(# The master dies, and an operator promotes a replica that lags behind. What had not left the master
# is lost with it:
# [[fault]]
# lag = "n1-replica-1"
# by  = "60s"
{1}#
# [[fault]]
# crash = "n1"
# when  = "{0}"
#
# [[fault]]
# promote = "n1-replica-1"
# when    = "n1 crashed"
# after   = "1s"
)",
          moment, lag_at);
    case NewTopology::independent: {
      if (lock.state_nodes != model::StateNodes::quorum) {
        return "# The master of the lock's slot forgets its locks: nothing is stored, unless "
               "[redis] "
               "config says so:\n" +
               forgetting("n3", moment);
      }
      return "# A majority of the masters forget their votes: nothing is stored, unless [redis] "
             "config "
             "says so:\n" +
             forgetting("n1", moment) + "#\n" + forgetting("n2", moment) + "#\n" +
             forgetting("n3", moment);
    }
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
# crash = "n1"
# when  = "{0}"
)",
          moment, lag_at);
    case NewTopology::cluster:
      return fmt::format(
          R"(# The master of the lock's slot dies, and its replica, which lags behind, takes its place. What had
# not left the master is lost with it:
# [[fault]]
# lag = "n2-replica-1"
# by  = "60s"
{1}#
# [[fault]]
# crash = "n2"
# when  = "{0}"
)",
          moment, lag_at);
  }
  return "";
}

/// Runs without trouble take a few hundred events. In others a waiter retries for as long as it
/// may, and a search learns nothing from that. Asking five nodes for votes takes some seventy
/// events, every few milliseconds, even while another client just holds the lock.
std::string_view limits_of_search(bool is_vote) {
  return is_vote ? "[limits]\nevents = 200000\n" : "[limits]\nevents = 20000\n";
}

std::string expected_of(const model::LockPackage& lock) {
  std::string names;
  for (const checker::Property property : lock.promises) {
    if (!names.empty()) names += ", ";
    names += fmt::format("\"{}\"", checker::to_string(property));
  }
  return names.empty() ? "\"no-deadlock\"" : names;
}

/// [budget] without the kinds that a search spares (SearchDefault).
std::string budget_of_search() {
  std::size_t widest = 0;
  std::vector<std::string_view> spared;
  for (const scenario::FaultForm& form : scenario::fault_forms()) {
    if (form.search.by_default == scenario::SearchDefault::allowed) continue;
    spared.push_back(form.word);
    widest = std::max(widest, form.word.size());
  }
  std::string text = "[budget]\n";
  for (const std::string_view word : spared) text += fmt::format("{:{}} = 0\n", word, widest);
  return text;
}

/// In a cluster only one node has the slot of a lock's key, so a vote among nodes is never won.
void require_fit(const NewScenario& wanted, const model::LockPackage& lock) {
  const bool is_vote = lock.state_nodes == model::StateNodes::quorum;
  if (!is_vote || wanted.topology != NewTopology::cluster) return;
  throw scenario::InputError::about(
      "--topology", fmt::format("the lock '{}' asks independent masters for votes; expected "
                                "--topology independent",
                                wanted.lock));
}

}  // namespace

std::string new_scenario_text(const NewScenario& wanted, const Context& context) {
  scenario::Scenario scenario;
  scenario.path = wanted.name + ".toml";
  scenario.lock = wanted.lock;
  scenario.lock_place = {"--lock", 0, 0};
  const model::LockPackage lock = model::load_lock(scenario, context.script_folders);
  require_fit(wanted, lock);
  return fmt::format(
      "# Nothing goes wrong yet, and the lock keeps what it promises.\n"
      "title  = \"{}\"\nlock   = \"{}\"\nexpect = {{ holds = [{}] }}\n\n{}{}\n"
      "# What may go wrong (lockstep list faults; docs/scenarios.md has every key). What then "
      "breaks in\n"
      "# every run goes to violates; what happens in some, as in sometimes = \"b acquired while a "
      "believes\".\n#\n{}",
      wanted.name, wanted.lock, expected_of(lock), redis_of(wanted.topology),
      clients_of(lock.state_shape, Hold::seconds, !lock.queue_key.empty()),
      faults_at(wanted.topology, lock));
}

std::string open_scenario_of(const std::string& name, const Context& context) {
  scenario::Scenario scenario;
  scenario.lock = name;
  scenario.lock_place = {name, 0, 0};
  const model::LockPackage lock = model::load_lock(scenario, context.script_folders);
  const bool is_vote = lock.state_nodes == model::StateNodes::quorum;
  return fmt::format(
      "title  = \"{0}, whatever happens\"\nlock   = \"{0}\"\n"
      "expect = {{ holds = [{1}] }}\nfaults = \"any\"\n\n{2}\n{3}{4}\n{5}",
      name, expected_of(lock), budget_of_search(),
      redis_of(is_vote ? NewTopology::independent : NewTopology::replicated),
      clients_of(lock.state_shape, Hold::moments, !lock.queue_key.empty()),
      limits_of_search(is_vote));
}

}  // namespace lockstep::app
