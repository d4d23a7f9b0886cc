#include "model/engine/simulated_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "model/engine/host_settings.h"
#include "model/trace_vocabulary.h"
#include "redis/server/config.h"
#include "redis/server/node_event.h"
#include "scenario/sentinel_names.h"
#include "sim/seeded_choices.h"

namespace lockstep::model {
namespace {

/// FNV-1a, 64 bits: names the state of the lock's files, nothing more.
std::uint64_t digest_of(const LockPackage& package) {
  std::uint64_t digest = 14695981039346656037ULL;
  const auto feed = [&](std::string_view text) {
    for (const char character : text) {
      digest = (digest ^ static_cast<unsigned char>(character)) * 1099511628211ULL;
    }
    digest = (digest ^ 0xffU) * 1099511628211ULL;
  };
  feed(package.client_source);
  for (const LockLibrary& library : package.libraries) {
    feed(library.name);
    feed(library.source);
  }
  for (const LockScript& script : package.scripts) {
    feed(script.name);
    feed(script.body);
  }
  return digest;
}

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

SimulatedCluster::SimulatedCluster(const scenario::Scenario& scenario, OpenFaultsBy open_faults_by,
                                   lua::State& lua, redis::ScriptEngine& scripts,
                                   LockPackage package)
    : scenario_(scenario),
      scripts_(scripts),
      package_(std::move(package)),
      runtime_(lua, scripts, package_),
      lock_digest_(digest_of(package_)),
      judged_(judged_properties(package_, scenario)),
      observer_(queue_, trace_, recorder_, package_, topology_),
      faults_actor_(trace_.add_actor({"faults", "faults", "faults"})) {
  add_clients();
  add_nodes();
  set_latencies(scenario_, network_);
  watch_locks();
  watch_expectations();
  recorder_.keep_names();
  if (scenario_.open_faults && open_faults_by == OpenFaultsBy::each_run) open_faults();
  runtime_.require_offered(scenario_);
}

SimulatedCluster::~SimulatedCluster() = default;

void SimulatedCluster::add_clients() {
  // The resource's host comes first, so that the clients can be told of it.
  std::vector<std::pair<sim::ActorId, std::vector<sim::ActorId>>> actors;
  for (const scenario::ClientSpec& spec : scenario_.clients) {
    auto& [client, threads] = actors.emplace_back();
    client = trace_.add_actor({spec.name, "client", spec.name});
    for (std::size_t i = 0; i < spec.threads.size(); ++i) {
      threads.push_back(
          trace_.add_actor({fmt::format("{}/{}", spec.name, i + 1), "client-thread", spec.name}));
    }
  }
  const std::uint32_t node_count = scenario_.redis.masters * (1 + scenario_.redis.replicas);
  const scenario::RedisSpec& redis = scenario_.redis;
  auto next_host = static_cast<std::uint32_t>(scenario_.clients.size()) + node_count;
  if (redis.topology == scenario::TopologyKind::sentinel) {
    for (std::uint32_t i = 0; i < redis.sentinel.count; ++i) {
      sentinel_list_.push_back(sim::HostId{next_host++});
    }
  }
  const sim::HostId resource{next_host};
  const ClientEnvironment environment{queue_,    trace_,        network_,  messages_,
                                      recorder_, observer_,     topology_, redis.topology,
                                      resource,  sentinel_list_};
  for (std::size_t i = 0; i < scenario_.clients.size(); ++i) {
    clients_.push_back(std::make_unique<Client>(scenario_.clients[i], actors[i].first,
                                                actors[i].second, environment, runtime_));
    clients_.back()->set_host_id(network_.add_host(*clients_.back()));
  }
}

void SimulatedCluster::add_nodes() {
  const NodeEnvironment environment{queue_,   trace_,    network_,          messages_, recorder_,
                                    scripts_, observer_, topology_tracker_, node_list_};
  const auto add = [&](const std::string& name, const std::string& group) {
    const sim::ActorId actor = trace_.add_actor({name, "redis", group});
    nodes_.push_back(std::make_unique<RedisNode>(name, actor, environment));
    nodes_.back()->set_host_id(network_.add_host(*nodes_.back()));
    const scenario::NodeSpec& own = settings_of(scenario_.redis, name);
    nodes_.back()->set_config(config_of(scenario_.redis, own));
    if (!sentinel_list_.empty()) nodes_.back()->draw_run_ids();
    return nodes_.back()->host_id();
  };
  for (std::uint32_t master = 1; master <= scenario_.redis.masters; ++master) {
    const std::string name = fmt::format("n{}", master);
    Shard shard{.master = add(name, name), .replicas = {}};
    for (std::uint32_t replica = 1; replica <= scenario_.redis.replicas; ++replica) {
      shard.replicas.push_back(add(fmt::format("{}-replica-{}", name, replica), name));
    }
    initial_.shards.push_back(std::move(shard));
  }
  topology_ = initial_;
  add_sentinels();
  resource_.emplace(trace_.add_actor({"resource", "resource", "resource"}), queue_, trace_,
                    network_, messages_, recorder_, scenario_.resource);
  resource_->set_host_id(network_.add_host(*resource_));
}

void SimulatedCluster::add_sentinels() {
  const SentinelEnvironment environment{queue_, trace_, network_, messages_, recorder_};
  for (std::uint32_t i = 0; i < sentinel_list_.size(); ++i) {
    const std::string name = scenario::sentinel_name(i + 1);
    const sim::ActorId actor = trace_.add_actor({name, "sentinel", "sentinels"});
    sentinels_.push_back(
        std::make_unique<SentinelNode>(name, actor, scenario_.redis.sentinel, environment));
    sentinels_.back()->set_host_id(network_.add_host(*sentinels_.back()));
    assert(sentinels_.back()->host_id() == sentinel_list_[i]);
  }
}

void SimulatedCluster::start_sentinels(sim::ChoiceSource& choices) {
  for (const auto& sentinel : sentinels_) {
    const Shard& shard = initial_.shards.front();
    sentinel->start_run(choices, {shard.master, shard.replicas, sentinel_list_});
  }
}

void SimulatedCluster::watch_locks() {
  for (const auto& client : clients_) client_list_.push_back(client.get());
  std::vector<RedisNode*> nodes;
  for (const auto& node : nodes_) nodes.push_back(node.get());
  node_list_ = nodes;
  if (scenario_.redis.topology == scenario::TopologyKind::cluster) {
    for (std::uint32_t i = 0; i < nodes.size(); ++i) nodes[i]->join_cluster(layout_, i);
  }
  observer_.watch(lock_names(scenario_), client_list_, nodes);
  topology_tracker_.watch(node_list_);
  fault_environment_.emplace(FaultEnvironment{queue_, trace_, network_, recorder_, observer_,
                                              faults_actor_, node_list_, client_list_,
                                              package_.state_key});
  faults_.emplace(scenario_.faults, *fault_environment_, scenario_.heal_at_ns);
  unhealed_.emplace(*fault_environment_, topology_, sentinel_list_,
                    package_.find_number("wait_replicas").value_or(0) > 0);
  network_.set_interceptor(&*faults_);
  recorder_.set_milestone_listener(&*faults_);
}

void SimulatedCluster::watch_expectations() {
  const scenario::Expectation& expect = scenario_.expect;
  const bool has_overlaps = std::find(judged_.begin(), judged_.end(),
                                      checker::Property::mutual_exclusion) != judged_.end();
  if (expect.overlap_at_most_ns && !has_overlaps) {
    throw scenario::InputError(
        expect.place, fmt::format("'overlap_at_most' says nothing of the lock '{}', which several "
                                  "may have at once",
                                  package_.full_name()));
  }
  if (expect.sometimes.empty()) return;
  sometimes_.emplace(expect.sometimes, recorder_, trace_, *faults_);
  if (sometimes_->watches_sending()) faults_->tell_of_sending();
  recorder_.set_milestone_listener(&*sometimes_);
  faults_->set_struck_listener(&*sometimes_);
}

/// Learns the scenario's moments from a few runs without faults.
void SimulatedCluster::open_faults() {
  constexpr std::uint64_t runs = 4;
  faults_->set_faults({});
  faults_->set_run_profile(&run_profile_);
  for (Client* client : client_list_) client->set_callback_listener(&run_profile_);
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    sim::SeededChoices choices(seed);
    run_profile_.start_run();
    start_run(choices);
    run_to_end();
    run_profile_.end_run(
        clients_finished_at_ns_ == sim::never_ns ? queue_.now() : clients_finished_at_ns_,
        observer_.longest_lease_ns());
    finish_run(RunEnd::at_rest);
  }
  faults_->set_run_profile(nullptr);
  for (Client* client : client_list_) client->set_callback_listener(nullptr);
  faults_->set_faults(scenario_.faults);
  std::vector<std::string> patterns;
  for (const auto* const keys : {&package_.lease_keys, &package_.persistent_keys}) {
    for (const std::string& pattern : *keys) {
      const bool is_one_key = pattern.find('*') == std::string::npos;
      if (is_one_key && pattern != package_.state_key) patterns.push_back(pattern);
    }
  }
  fault_generator_.emplace(scenario_, run_profile_, std::move(patterns));
}

void SimulatedCluster::draw_faults(sim::ChoiceSource& choices) {
  std::vector<scenario::FaultSpec> faults = scenario_.faults;
  fault_generator_->draw(choices, faults);
  faults_->set_faults(std::move(faults));
}

void SimulatedCluster::reset_host(sim::Host& host, sim::DurationNs wall_offset_ns,
                                  std::int64_t drift_ppm) {
  host.reset(sim::Clock(wall_clock_at_start_ns + wall_offset_ns, drift_ppm),
             sim::Clock(0, drift_ppm));
}

void SimulatedCluster::start_run(sim::ChoiceSource& choices) {
  queue_.reset();
  trace_.reset();
  messages_.reset();
  recorder_.reset();
  topology_ = initial_;
  layout_.start_run();
  for (std::size_t i = 0; i < clients_.size(); ++i) {
    reset_host(*clients_[i], scenario_.clients[i].wall_offset_ns, scenario_.clients[i].drift_ppm);
  }
  for (const auto& node : nodes_) {
    const scenario::NodeSpec& own = settings_of(scenario_.redis, node->name());
    reset_host(*node, own.wall_offset_ns, own.drift_ppm);
  }
  for (const auto& sentinel : sentinels_) reset_host(*sentinel, 0, 0);
  reset_host(*resource_, 0, 0);
  network_.reset_run(choices);
  observer_.start_run();
  resource_->start_run();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i]->set_choices(choices);
    const std::size_t nodes_of_a_shard = 1 + scenario_.redis.replicas;
    if (i % nodes_of_a_shard == 0) {
      nodes_[i]->start_as_master();
    } else {
      nodes_[i]->start_as_replica_of(*nodes_[i - i % nodes_of_a_shard]);
    }
  }
  start_sentinels(choices);
  if (scenario_.redis.topology == scenario::TopologyKind::cluster) start_cluster();
  for (const auto& client : clients_) client->start_run(choices);
  clients_finished_at_ns_ = sim::never_ns;
  last_step_at_ns_ = -1;
  observer_.report_start();
  if (sometimes_) sometimes_->start_run();
  if (abstract_state_tracker_) abstract_state_tracker_->start_run();
  if (fault_generator_) draw_faults(choices);
  faults_->start_run(choices);
}

void SimulatedCluster::set_abstract_state_listener(AbstractStateListener* listener) {
  scenario::MilestoneListener* next = &*faults_;
  if (sometimes_) next = &*sometimes_;
  if (!abstract_state_tracker_) abstract_state_tracker_.emplace(observer_, queue_, *next);
  abstract_state_tracker_->set_listener(listener);
  if (listener != nullptr) next = &*abstract_state_tracker_;
  recorder_.set_milestone_listener(next);
}

void SimulatedCluster::start_cluster() {
  for (RedisNode* node : node_list_) node->cluster()->start_run();
  for (RedisNode* node : node_list_) node->cluster()->connect_before_run();
}

/// Asked after each event: first of the client that was not finished the last time.
bool SimulatedCluster::clients_finished() {
  if (unfinished_client_ < clients_.size() && !clients_[unfinished_client_]->finished())
    return false;
  const auto at_work = std::find_if(clients_.begin(), clients_.end(),
                                    [](const auto& client) { return !client->finished(); });
  unfinished_client_ = static_cast<std::size_t>(at_work - clients_.begin());
  return at_work == clients_.end();
}

bool SimulatedCluster::no_open_beliefs() const {
  const auto& beliefs = recorder_.observations().beliefs;
  return std::none_of(beliefs.begin(), beliefs.end(), [](const checker::Belief& belief) {
    return belief.end == checker::BeliefEnd::run_over;
  });
}

RunEnd SimulatedCluster::run_to_end() {
  while (queue_.normal_pending() > 0) {
    if (queue_.next_at() > scenario_.horizon_ns) return RunEnd::horizon;
    if (trace_.event_count() >= scenario_.events_max) return RunEnd::event_limit;
    if (step_listener_ != nullptr && step_listener_->before_step() == StepListener::Next::end_run) {
      return RunEnd::stopped;
    }
    queue_.run_next();
    last_step_at_ns_ = queue_.now();
    if (clients_finished_at_ns_ == sim::never_ns && clients_finished()) {
      clients_finished_at_ns_ = queue_.now();
    }
  }
  return RunEnd::at_rest;
}

/// A crashed client's permits are out for ever, a call of unknown outcome may have taken some.
PermitsCount SimulatedCluster::permits_count() const {
  const bool all_known = std::all_of(clients_.begin(), clients_.end(), [](const auto& client) {
    return client->state() != sim::HostState::crashed && client->outcomes_are_known();
  });
  return all_known ? PermitsCount::known : PermitsCount::unknown;
}

void SimulatedCluster::finish_run(RunEnd end) {
  // Who sleeps or waits at the horizon has done so until then, not until something last happened.
  if (end == RunEnd::horizon) queue_.advance_to(scenario_.horizon_ns);
  // Who is still at work when everything of the workload is long over, is at it for ever: a run
  // that a leaked renewal keeps alive has come to rest as far as leaks go.
  const sim::DurationNs lease_ns = observer_.longest_lease_ns();  // as long as 64 bits allow
  const bool all_over = clients_finished_at_ns_ != sim::never_ns && no_open_beliefs() &&
                        queue_.now() - clients_finished_at_ns_ - lease_ns > lease_ns;
  const bool at_rest = end == RunEnd::at_rest || (end != RunEnd::stopped && all_over);
  if (at_rest) {
    observer_.report_residues(permits_count(), subscriptions_in_use());
    for (const auto& client : clients_) {
      if (!client->finished()) continue;  // its tasks are at the work of those who wait
      for (const std::string& task : client->live_tasks()) {
        recorder_.add({checker::ResidueKind::background_task, task, recorder_.now()});
      }
    }
  }
  if (end == RunEnd::horizon || end == RunEnd::event_limit) tell_who_is_at_work();
  recorder_.set_came_to_rest(at_rest);
  unhealed_->clear();
  faults_->tell_unhealed(*unhealed_, slowness_max_ns());
  unhealed_->mark_waits();
  recorder_.close();
  trace_.emit(queue_.now(), trace_kind::run_ended, sim::no_actor, {{"why", to_string(end)}});
}

SubscriptionsInUse SimulatedCluster::subscriptions_in_use() const {
  SubscriptionsInUse in_use;
  for (const auto& client : clients_) {
    if (!client->finished()) {
      for (std::string& channel : client->live_subscriptions()) {
        in_use.channels.push_back(std::move(channel));
      }
    }
    const sim::HostId id = *network_.find_host(client->name());
    for (const RedisNode* node : node_list_) {
      if (network_.is_cut(id, node->host_id()) || network_.is_cut(node->host_id(), id)) {
        in_use.cut_off_from.push_back(node->host_id());
      }
    }
  }
  return in_use;
}

void SimulatedCluster::tell_who_is_at_work() {
  for (const auto& client : clients_) {
    if (client->state() != sim::HostState::running) continue;
    for (std::size_t thread = 0; thread < client->thread_count(); ++thread) {
      if (client->is_at_work(thread)) recorder_.add_at_work(client->owner(thread));
    }
  }
}

/// Every step of a handover takes a part of a bound, and every answer has to come in time.
sim::DurationNs SimulatedCluster::slowness_max_ns() const {
  constexpr std::int64_t parts = 10;
  sim::DurationNs least_ns = std::min(scenario_.liveness.progress_ns, scenario_.liveness.wakeup_ns);
  if (const std::optional<std::int64_t> timeout_ms = package_.find_number("timeout_ms")) {
    least_ns = std::min<sim::DurationNs>(least_ns, *timeout_ms * sim::millisecond_ns);
  }
  return least_ns / parts;
}

/// By what the code may ask for, and by what servers ordered in this run.
bool SimulatedCluster::may_distinguish_clients(const sim::DigestGrain& grain) const {
  return grain.asks_servers || grain.orders_texts ||
         (grain.orders_scores && std::any_of(nodes_.begin(), nodes_.end(), [](const auto& node) {
            return node->has_ordered_texts();
          }));
}

const RunResult& SimulatedCluster::run(sim::ChoiceSource& choices, sim::TraceSink* sink,
                                       redis::NodeObserver* observer) {
  trace_.set_sink(sink);
  for (const auto& node : nodes_) node->set_observer(observer);
  start_run(choices);
  const RunEnd end = run_to_end();
  finish_run(end);
  trace_.set_sink(nullptr);
  for (const auto& node : nodes_) node->set_observer(nullptr);
  result_.hash = trace_.hash();
  result_.event_count = trace_.event_count();
  result_.ended_at_ns = queue_.now();
  result_.end = end;
  result_.names = &recorder_.names();
  result_.history = &recorder_.history();
  result_.observations = &recorder_.observations();
  const checker::Run judged_run{recorder_.names(),        recorder_.history(),
                                recorder_.observations(), scenario_.declared_drift_ppm,
                                package_.reentry,         package_.refusals,
                                scenario_.liveness};
  result_.verdicts = &checker_.check(judged_run, judged_);
  if (scenario_.expect.has_bounds()) {
    measures_ = measurer_.measure(judged_run);
    result_.measures = &*measures_;
  }
  if (sometimes_) result_.sometimes_seen = sometimes_->seen();
  result_.client_failures.clear();
  // A run whose states were all foreseen has digested none.
  if (step_listener_ != nullptr && !grain_) grain_ = digest_grain();
  result_.are_clients_distinguishable = grain_ && may_distinguish_clients(*grain_);
  for (const auto& client : clients_) {
    result_.are_clients_distinguishable |= client->client_number_was_read();
    result_.client_failures.insert(result_.client_failures.end(), client->failures().begin(),
                                   client->failures().end());
  }
  result_.faults = &faults_->faults();
  result_.fault_strikes = faults_->strikes();
  result_.longest_lease_ns = observer_.longest_lease_ns();
  return result_;
}

}  // namespace lockstep::model
