#include "tests/redis/comparison/restart_pair.h"

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "redis/server/server.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis::test {
namespace {

confirm::RealRedisOptions real_options(const Settings& settings,
                                       const confirm::RealProgram& program) {
  confirm::RealRedisOptions options;
  options.program = program;
  for (const auto& [name, value] : settings) {
    options.arguments.push_back("--" + name);
    std::istringstream words(value);  // 6.0 passes over a save point in one word
    for (std::string word; words >> word;) options.arguments.push_back(word);
  }
  return options;
}

/// Waits until INFO persistence says all that.
void wait_for(const std::string& socket_path, std::initializer_list<std::string_view> lines) {
  confirm::RedisConnection connection(socket_path);
  constexpr int polls_max = 5000;
  for (int polls = 0; polls < polls_max; ++polls) {
    const std::string info = connection.command({"INFO", "persistence"}).text;
    const bool says_all = std::all_of(lines.begin(), lines.end(), [&info](std::string_view line) {
      return info.find(line) != std::string::npos;
    });
    if (says_all) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  throw std::runtime_error("the real server is not ready");
}

ServerOptions simulated_options(const Settings& settings, StoredFiles& files,
                                const confirm::RealProgram& program) {
  ServerOptions options = options_of(program.version.value_or(default_version));
  options.config.save = {};
  options.files = &files;
  for (const auto& [name, value] : settings) {
    const std::string refusal = options.config.set(name, value);
    if (!refusal.empty()) throw std::logic_error(refusal);
  }
  return options;
}

}  // namespace

const std::vector<PersistenceSetup>& persistence_setups() {
  static const std::vector<PersistenceSetup> kinds{
      {"nothing", {}},
      {"snapshots", {{"save", "3600 1"}}},
      {"append_only_always", {{"appendonly", "yes"}, {"appendfsync", "always"}}},
      {"append_only_everysec", {{"appendonly", "yes"}, {"appendfsync", "everysec"}}},
      {"append_only_no", {{"appendonly", "yes"}, {"appendfsync", "no"}}},
      {"both", {{"appendonly", "yes"}, {"save", "3600 1"}}},
  };
  return kinds;
}

RestartPair::RestartPair(const PersistenceSetup& kind, std::size_t sessions,
                         const confirm::RealProgram& program)
    : real_(clock_, real_options(kind.settings, program)),
      options_(simulated_options(kind.settings, files_, program)),
      simulated_(std::make_unique<SimulatedServer>(options_)),
      sessions_(sessions) {
  static_cast<void>(simulated_->server().restore());
  connect();
}

void RestartPair::connect() {
  clients_.clear();
  for (std::size_t i = 0; i < sessions_; ++i) {
    clients_.emplace_back(*simulated_, real_.socket_path());
  }
}

void RestartPair::advance_ms(std::int64_t ms) {
  simulated_->set_time_us(simulated_->now_us() + ms * 1000);
  clock_.set_us(simulated_->now_us());
}

void RestartPair::take(const Step& step) {
  ComparedClient& client = clients_[step.session];
  if (step.advance_us != 0) {
    simulated_->set_time_us(simulated_->now_us() + step.advance_us);
    clock_.set_us(simulated_->now_us());
  }
  if (client.is_blocked()) return;
  if (compact_encodings_after(step.words) == CompactEncodings::left)
    compact_encodings_ = CompactEncodings::left;
  client.send(step.words, counts_);
  for (ComparedClient& each : clients_) each.compare(step.words, compact_encodings_, counts_);
}

void RestartPair::restart(confirm::Stop how, std::int64_t down_ms) {
  clients_.clear();
  // With everysec a write waits, after its reply, for a sync that is under way.
  if (options_.config.append_only) {
    wait_for(real_.socket_path(), {"aof_pending_bio_fsync:0\r\n", "aof_buffer_length:0\r\n"});
  }
  real_.stop(how);
  if (how == confirm::Stop::terminate)
    simulated_->server().shut_down(SaveAtShutdown::as_configured);
  const std::int64_t now_us = simulated_->now_us() + down_ms * 1000;
  clock_.set_us(now_us);
  real_.start();
  wait_for(real_.socket_path(), {"\r\nloading:0\r\n"});
  simulated_->start(options_);
  simulated_->set_time_us(now_us);
  static_cast<void>(simulated_->server().restore());
  // A real server's cycle runs until it is told not to. Of most versions it takes what no lookup
  // would find either.
  const VersionTraits& version = simulated_->server().version();
  if (version.expires_within_last_ms || version.wraps_around) simulated_->server().expire_cycle();
  connect();
  touch_all_keys();
}

void RestartPair::touch_all_keys() {
  for (std::size_t database = 0; database < database_count; ++database) {
    std::set<std::string> keys;
    for (const auto& [key, entry] : simulated_->server().keyspace(database).entries()) {
      keys.insert(key);
    }
    if (keys.empty()) continue;
    ask({"SELECT", std::to_string(database)});
    for (const std::string& key : keys) ask({"EXISTS", key});
  }
  ask({"SELECT", "0"});
}

void RestartPair::compare_rest() {
  for (ComparedClient& each : clients_) each.close();
  clients_.clear();
  compare_data(*simulated_, real_.socket_path(), compact_encodings_, counts_);
  connect();
}

}  // namespace lockstep::redis::test
