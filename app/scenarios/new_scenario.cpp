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
             "sentinel = { count = 3, quorum = 2, down_after = \"5s\" }\n\n";
    case NewTopology::cluster:
      return "[redis]\ntopology = \"cluster\"\nmasters  = 3\nreplicas = 1\n"
             "cluster  = { node_timeout = \"5s\" }\n\n";
  }
  return "";
}

/// Two clients that use a lock of this kind.
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

/// The most instructive faults of a topology, commented out; {} is a moment.
std::string_view faults_of(NewTopology topology) {
  switch (topology) {
    case NewTopology::standalone:
      return R"(# A stop of a's process (as for garbage collection) that is longer than the lease:
# [[fault]]
# pause = "a"
# when  = "{}"
# for   = "15s"
)";
    case NewTopology::replicated:
      return R"(# An operator's failover to a replica that lags behind. The old master stays a master, and clients
# go on asking it over the connections that they have:
# [[fault]]
# lag = "n1-replica-1"
# by  = "2s"
#
# [[fault]]
# promote = "n1-replica-1"
# when    = "{}"
)";
    case NewTopology::independent:
      return R"(# A master, that of the lock's slot, forgets its locks: nothing is stored, unless [redis] config says so:
# [[fault]]
# crash = "n3"
# when  = "{}"
#
# [[fault]]
# restart = "n3"
# when    = "n3 crashed"
)";
    case NewTopology::sentinel:
      return R"(# The master is cut off, and a replica that lags behind takes its place:
# [[fault]]
# delay = "replication"
# by    = "2s"
# times = "always"
#
# [[fault]]
# isolate = "n1"
# when    = "{}"
# for     = "60s"
)";
    case NewTopology::cluster:
      return R"(# The master of the lock's slot is cut off, and its replica, which lags behind, takes its place:
# [[fault]]
# lag = "n2-replica-1"
# by  = "2s"
#
# [[fault]]
# isolate = "n2"
# when    = "{}"
# for     = "60s"
)";
  }
  return "";
}

std::string faults_at(NewTopology topology, std::string_view moment) {
  std::string text(faults_of(topology));
  const std::string_view mark = "{}";
  text.replace(text.find(mark), mark.size(), moment);
  return text;
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
      clients_of(lock.state_shape), faults_at(wanted.topology, example_moment(lock.state_shape)));
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
      clients_of(lock.state_shape), limits_of_search(is_vote));
}

}  // namespace lockstep::app
