// INFO: what is known of the server without its process: no memory of a real allocator, no CPU, no
// ids drawn at random.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "redis/commands/commands.h"
#include "redis/commands/info_text.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/config_parameters.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

void write_server(Server& server, InfoText& info) {
  constexpr std::int64_t us_in_a_second = 1'000'000;
  constexpr std::int64_t s_per_day = 86'400;
  const std::int64_t uptime_s =
      server.now_us() / us_in_a_second - server.statistics().started_at_us / us_in_a_second;
  info.add("redis_version", server.version().number);
  if (server.version().server == "valkey") {
    info.add("server_name", server.version().server);
    info.add("valkey_version", server.version().release);
  }
  info.add("redis_git_sha1", "00000000");
  info.add("redis_git_dirty", 0);
  info.add("redis_build_id", "0");
  info.add("redis_mode", server.cluster() == nullptr ? "standalone" : "cluster");
  info.add("os", "lockstep");
  info.add("arch_bits", 64);
  info.add("process_id", 1);
  info.add("run_id", info_sections::text_of_id(server.run_id()));
  info.add("tcp_port", server.config().port);
  info.add("server_time_usec", server.now_us());
  info.add("uptime_in_seconds", uptime_s);
  info.add("uptime_in_days", uptime_s / s_per_day);
  info.add("hz", server.config().hz);
  info.add("configured_hz", server.config().hz);
  info.add("config_file", "");
  info.add("io_threads_active", 0);
}

void write_clients(Server& server, InfoText& info) {
  const auto clients = server.sessions().clients();
  const auto blocked = std::count_if(clients.begin(), clients.end(),
                                     [](const Session* each) { return each->wait.has_value(); });
  const auto replicas = std::count_if(clients.begin(), clients.end(),
                                      [](const Session* each) { return each->is_replica; });
  info.add("connected_clients", static_cast<std::int64_t>(clients.size()) - replicas);
  info.add("cluster_connections", 0);
  info.add("maxclients", server.config().max_clients);
  info.add("blocked_clients", blocked);
  info.add("tracking_clients", 0);
}

void write_memory(Server& server, InfoText& info) {
  info.add("used_memory", static_cast<std::int64_t>(server.used_memory_bytes()));
  info.add("number_of_cached_scripts", static_cast<std::int64_t>(server.script_count()));
  info.add("number_of_functions", static_cast<std::int64_t>(server.libraries().function_count()));
  info.add("number_of_libraries", static_cast<std::int64_t>(server.libraries().all().size()));
  info.add("maxmemory", static_cast<std::int64_t>(server.config().max_memory_bytes));
  info.add("maxmemory_policy", server.config().get("maxmemory-policy"));
}

void write_stats(Server& server, InfoText& info) {
  const Statistics& statistics = server.statistics();
  info.add("total_connections_received", statistics.connections);
  info.add("total_commands_processed", statistics.commands);
  info.add("expired_keys", statistics.expired_keys);
  info.add("evicted_keys", static_cast<std::int64_t>(server.memory().evicted_keys()));
  info.add("pubsub_channels",
           static_cast<std::int64_t>(server.pubsub().channels().topics().size()));
  info.add("pubsub_patterns",
           static_cast<std::int64_t>(server.pubsub().patterns().topics().size()));
  info.add("pubsubshard_channels",
           static_cast<std::int64_t>(server.pubsub().shard_channels().topics().size()));
  info.add("total_error_replies", statistics.errors.total());
}

void write_errors(Server& server, InfoText& info) {
  std::string name;
  std::string value;
  for (const auto& [code, count] : server.statistics().errors.by_code()) {
    name.assign("errorstat_").append(code);
    value.assign("count=").append(IntegerText(count).view());
    info.add(name, value);
  }
}

/// What has subcommands is counted by these; in 6.0 by itself.
void write_commands(Server& server, InfoText& info) {
  std::map<std::string_view, CommandCount> by_name;
  const bool counts_refusals = server.version().counts_refusals;
  for (const CommandCount& each : server.statistics().calls.all()) {
    if (each.calls + each.rejected + each.failed == 0) continue;  // it waits
    const std::string_view name = each.spec->name;
    CommandCount& sum = by_name[counts_refusals ? name : name.substr(0, name.find('|'))];
    sum.calls += each.calls;
    sum.rejected += each.rejected;
    sum.failed += each.failed;
  }
  for (const auto& [name, count] : by_name) {
    if (counts_refusals) {
      info.add(fmt::format("cmdstat_{}", name),
               fmt::format("calls={},usec=0,usec_per_call=0.00,rejected_calls={},failed_calls={}",
                           count.calls, count.rejected, count.failed));
    } else if (count.calls > 0) {
      info.add(fmt::format("cmdstat_{}", name),
               fmt::format("calls={},usec=0,usec_per_call=0.00", count.calls));
    }
  }
}

void write_cluster(Server& server, InfoText& info) {
  info.add("cluster_enabled", server.cluster() == nullptr ? 0 : 1);
}

void write_keyspace(Server& server, InfoText& info) {
  for (std::size_t i = 0; i < database_count; ++i) {
    const auto& entries = server.database(i).entries();
    if (entries.empty()) continue;
    const auto expiring = std::count_if(entries.begin(), entries.end(), [](const auto& each) {
      return each.second.expire_at_ms.has_value();
    });
    std::string name = "db";
    name += IntegerText(static_cast<std::int64_t>(i)).view();
    std::string value = "keys=";
    value += IntegerText(static_cast<std::int64_t>(entries.size())).view();
    value += ",expires=";
    value += IntegerText(expiring).view();
    value += ",avg_ttl=0";
    info.add(name, value);
  }
}

void write_nothing(Server& /*server*/, InfoText& /*info*/) {}

struct Section {
  std::string_view name;
  void (*write)(Server&, InfoText&);
  bool is_default;
  bool tells_of_refusals = false;  ///< missing in versions that count none
};

constexpr std::array<Section, 12> sections{
    {{"Server", &write_server, true},
     {"Clients", &write_clients, true},
     {"Memory", &write_memory, true},
     {"Persistence", &info_sections::write_persistence, true},
     {"Stats", &write_stats, true},
     {"Replication", &info_sections::write_replication, true},
     {"CPU", &write_nothing, true},
     {"Modules", &write_nothing, true},
     {"Commandstats", &write_commands, false},
     {"Errorstats", &write_errors, true, true},
     {"Cluster", &write_cluster, true},
     {"Keyspace", &write_keyspace, true}}};

bool is_same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_case(x) == lower_case(y); });
}

bool is_wanted(const Call& call, const Section& section) {
  if (call.size() == 1) return section.is_default;
  const auto names = call.words().subspan(1);
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    if (is_same(name, "default")) return section.is_default;
    return is_same(name, "all") || is_same(name, "everything") || is_same(name, section.name);
  });
}

}  // namespace

void info(Call& call) {
  InfoText info;
  for (const Section& section : sections) {
    const bool is_missing = section.tells_of_refusals && !call.server().version().counts_refusals;
    if (is_missing || !is_wanted(call, section)) continue;
    info.begin(section.name);
    section.write(call.server(), info);
  }
  call.reply().verbatim("txt", info.text());
}

}  // namespace lockstep::redis::commands
