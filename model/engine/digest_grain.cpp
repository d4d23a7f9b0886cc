#include "model/engine/digest_grain.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "model/engine/source_commands.h"
#include "model/lock/lock_package.h"
#include "redis/server/config.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/scenario.h"
#include "scenario/step_forms.h"

namespace lockstep::model {
namespace {

constexpr std::array<std::string_view, 1> telling_time = {"time"};  // EXPIRETIME, too
constexpr std::array<std::string_view, 10> telling_of_servers = {
    "info",   "client",   "role",   "object",  "debug",
    "memory", "lastsave", "config", "cluster", "hello"};
/// Replies have texts in their order, or as a table has them; or messages go out in that order.
constexpr auto ordering_texts = std::to_array<std::string_view>(
    {"zrandmember", "zinter",      "zunion", "zdiff",  "sort",      "sort_ro", "smembers",
     "spop",        "srandmember", "sinter", "sunion", "sdiff",     "hkeys",   "hvals",
     "hgetall",     "hrandfield",  "keys",   "scan",   "randomkey", "pubsub",  "psubscribe"});
/// By score, and members of the same score by their texts: these tell where that, or a range of
/// texts, has decided anything.
constexpr auto ordering_scores = std::to_array<std::string_view>(
    {"zrange", "zrangebyscore", "zrangebylex", "zrevrange", "zrevrangebyscore", "zrevrangebylex",
     "zrangestore", "zrank", "zrevrank", "zpopmin", "zpopmax", "zmpop", "zlexcount",
     "zremrangebyrank", "zremrangebylex"});
constexpr std::array<std::string_view, 1> scanning = {"scan"};
constexpr std::array<std::string_view, 2> moving_masters = {"replicaof", "slaveof"};

/// What persistence, replication and the cluster bus count in whole seconds.
bool counts_seconds(const redis::Config& config) {
  return config.append_only || !config.save.empty() || config.min_replicas_to_write > 0;
}

/// The functions of the client model that some step may call, each once.
std::vector<scenario::StepKind> steps_of(const scenario::Scenario& scenario) {
  std::vector<scenario::StepKind> kinds;
  for (const scenario::ClientSpec& client : scenario.clients) {
    for (const scenario::ThreadSpec& thread : client.threads) {
      scenario::visit_possible_steps(thread, [&](const scenario::Step& step) {
        const bool calls_lock = scenario::form_of(step.kind).role != scenario::StepRole::none;
        const bool is_known = std::find(kinds.begin(), kinds.end(), step.kind) != kinds.end();
        if (calls_lock && !is_known) kinds.push_back(step.kind);
      });
    }
  }
  return kinds;
}

bool is_of_clocks(scenario::FaultKind kind) {
  return scenario::form_of(kind).theme == scenario::Theme::clock;
}

}  // namespace

sim::DigestGrain digest_grain(const scenario::Scenario& scenario, const LockPackage& package,
                              const Client& client) {
  const SourceCommands sources(package);
  const scenario::RedisSpec& redis = scenario.redis;
  sim::DigestGrain grain;
  const bool is_cluster = redis.topology == scenario::TopologyKind::cluster;
  bool has_seconds = is_cluster || counts_seconds(config_of(redis));
  for (const scenario::NodeSpec& node : redis.nodes) {
    has_seconds |= counts_seconds(config_of(redis, node));
  }
  if (has_seconds) grain.wall_clock_ns = sim::second_ns;
  const std::string code = client.reachable_code(steps_of(scenario));
  const bool is_time_told =
      code.find("wall_ms") != std::string::npos || sources.may_name(telling_time);
  if (is_time_told) grain.wall_clock_ns = 0;
  grain.reads_monotonic_clocks = code.find("monotonic_ms") != std::string::npos;
  grain.compares_wall_clocks = is_cluster;
  grain.asks_servers = sources.may_name(telling_of_servers);
  grain.orders_texts = sources.may_name(ordering_texts);
  grain.orders_scores = sources.may_name(ordering_scores);
  grain.scans = sources.may_name(scanning);
  grain.replicates = redis.replicas > 0 || redis.topology != scenario::TopologyKind::independent ||
                     sources.may_name(moving_masters);
  grain.clocks_go_back =
      std::any_of(scenario.faults.begin(), scenario.faults.end(),
                  [](const scenario::FaultSpec& fault) { return is_of_clocks(fault.kind); }) ||
      (scenario.open_faults && std::any_of(scenario.open_faults->kinds.begin(),
                                           scenario.open_faults->kinds.end(), &is_of_clocks));
  return grain;
}

}  // namespace lockstep::model
