// The state of a whole simulation between two events, as a number.
//
// Times count from the next event. What somebody looks at is part of the state, and the clocks are
// the hard case: a client model that asks for the time may do anything with the answer, so that
// where one does so at all, the same situation at another time is another state. The names in the
// code that the scenario's steps can reach say whether one might (a client model can use `client`
// in no other way than by its functions' names); of commands, their names in the sources do
// (source_commands.h).
//
// Not state: package_, runtime_, lock_digest_, judged_, initial_, faults_actor_, client_list_,
// node_list_, sentinel_list_, run_profile_, fault_generator_, step_listener_ (the same in all
// runs), messages_ (written by those who have them), topology_tracker_ (the topology is written),
// abstract_state_tracker_, checker_, measurer_, measures_, result_, unhealed_ (they look, and
// nothing depends on them), fault_environment_ (what it refers to is written), unfinished_client_
// (where one looks first).
#include <algorithm>
#include <array>
#include <string>

#include "model/engine/simulated_cluster.h"
#include "model/engine/source_commands.h"
#include "redis/server/config.h"
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

sim::DigestGrain SimulatedCluster::digest_grain() const {
  const SourceCommands sources(package_);
  const scenario::RedisSpec& redis = scenario_.redis;
  sim::DigestGrain grain;
  const bool is_cluster = redis.topology == scenario::TopologyKind::cluster;
  bool has_seconds = is_cluster || counts_seconds(config_of(redis));
  for (const scenario::NodeSpec& node : redis.nodes) {
    has_seconds |= counts_seconds(config_of(redis, node));
  }
  if (has_seconds) grain.wall_clock_ns = sim::second_ns;
  const std::string code = clients_.front()->reachable_code(steps_of(scenario_));
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
      std::any_of(scenario_.faults.begin(), scenario_.faults.end(),
                  [](const scenario::FaultSpec& fault) { return is_of_clocks(fault.kind); }) ||
      (scenario_.open_faults && std::any_of(scenario_.open_faults->kinds.begin(),
                                            scenario_.open_faults->kinds.end(), &is_of_clocks));
  return grain;
}

StateDigest SimulatedCluster::digest() {
  write_digest();
  const sim::Digest::Value value = digest_.value();
  return {value.high, value.low};
}

std::vector<DigestPart> SimulatedCluster::digest_parts() {
  write_digest();
  std::vector<DigestPart> parts;
  for (std::size_t i = 0; i < digest_.parts().size(); ++i) {
    parts.push_back({digest_.parts()[i].name, digest_.value_of_part(i)});
  }
  if (digest_.is_unmergeable()) parts.push_back({"history", trace_.hash()});
  return parts;
}

void SimulatedCluster::write_digest() {
  if (!grain_) grain_ = digest_grain();
  const sim::TimeNs next_ns = queue_.next_at();
  const sim::TimeNs now_ns = next_ns == sim::never_ns ? queue_.now() : next_ns;
  digest_.begin(now_ns, trace_.hash(), network_, *grain_);
  if (grain_->replicates && !nodes_.empty()) {
    std::int64_t oldest = nodes_.front()->oldest_offset_wanted();
    for (const auto& node : nodes_) oldest = std::min(oldest, node->oldest_offset_wanted());
    digest_.set_stream(nodes_.front()->server().replication_offset(), oldest);
  }

  digest_.begin_part("time");
  digest_.add(now_ns > last_step_at_ns_);  // what strikes by the clock may strike before the event
  // So long after the last step as it takes to say that what goes on goes on for ever (finish_run).
  const bool are_finished = clients_finished_at_ns_ != sim::never_ns;
  digest_.add(are_finished);
  if (are_finished) {
    const sim::DurationNs lease_ns = observer_.longest_lease_ns();
    const sim::DurationNs since_ns = now_ns - clients_finished_at_ns_ - lease_ns;
    digest_.add(std::min(since_ns, lease_ns + 1));
  }
  digest_.begin_part("topology");
  for (const Shard& shard : topology_.shards) {
    digest_.add(shard.master);
    digest_.add(shard.replicas.size());
    for (const sim::HostId replica : shard.replicas) digest_.add(replica);
  }
  digest_.begin_part("network");
  network_.digest_into(digest_);
  const sim::DurationNs nobody_looks = 1;
  const bool is_read = grain_->wall_clock_ns == 0;
  for (const auto& client : clients_) {
    digest_.begin_part(client->name());
    digest_.set_wall_clock_grain(is_read ? 0 : nobody_looks);
    client->digest_into(digest_);
  }
  digest_.set_wall_clock_grain(grain_->wall_clock_ns);
  for (const auto& node : nodes_) {
    digest_.begin_part(node->name());
    node->digest_into(digest_);
  }
  for (const auto& sentinel : sentinels_) {
    digest_.begin_part(sentinel->name());
    sentinel->digest_into(digest_);
  }
  digest_.begin_part("resource");
  resource_->digest_into(digest_);
  digest_.begin_part("events");
  queue_.digest_into(digest_);
  digest_.begin_part("locks");
  observer_.digest_into(digest_);
  digest_.begin_part("beliefs");
  recorder_.digest_into(digest_);
  digest_.begin_part("faults");
  faults_->digest_into(digest_);
  if (sometimes_) sometimes_->digest_into(digest_);
  if (scenario_.redis.topology == scenario::TopologyKind::cluster) layout_.digest_into(digest_);
}

}  // namespace lockstep::model
