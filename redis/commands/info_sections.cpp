// INFO's sections about what is stored and who follows whom.
#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string>

#include "redis/commands/info_text.h"
#include "redis/server/server.h"

namespace lockstep::redis::info_sections {
namespace {

std::int64_t seconds_between(std::int64_t from_ms, std::int64_t until_ms) {
  constexpr std::int64_t ms_per_s = 1000;
  return until_ms / ms_per_s - from_ms / ms_per_s;
}

void write_master_of(const Server& server, InfoText& info) {
  info.add("master_host", server.master_link().address().host);
  info.add("master_port", server.master_link().address().port);
  info.add("master_link_status", server.master_link().is_up() ? "up" : "down");
  info.add("master_sync_in_progress", 0);
  info.add("slave_read_repl_offset", server.stream().offset());
  info.add("slave_repl_offset", server.stream().offset());
  if (!server.master_link().is_up()) {
    const auto since_ms = server.master_link().down_since_ms();
    info.add("master_link_down_since_seconds",
             since_ms ? seconds_between(*since_ms, server.now_ms()) : -1);
  }
  info.add("slave_priority", server.config().replica_priority);
  info.add("slave_read_only", server.config().replica_read_only ? 1 : 0);
  info.add("replica_announced", server.config().get("replica-announced") == "yes" ? 1 : 0);
}

void write_replicas(const Server& server, InfoText& info) {
  const std::span<const Replica> replicas = server.replicas();
  info.add("connected_slaves", std::count_if(replicas.begin(), replicas.end(),
                                             [](const auto& each) { return each.is_attached; }));
  std::int64_t number = 0;
  std::string name;
  std::string value;
  for (const Replica& replica : replicas) {
    if (!replica.is_attached) continue;
    name.assign("slave").append(IntegerText(number++).view());
    value.assign("ip=").append(replica.host);
    value.append(",port=").append(IntegerText(replica.port).view());
    const std::int64_t offset = std::max<std::int64_t>(replica.acknowledged, 0);
    value.append(",state=online,offset=").append(IntegerText(offset).view());
    const std::int64_t lag_s = seconds_between(replica.acknowledged_at_ms, server.now_ms());
    value.append(",lag=").append(IntegerText(lag_s).view());
    info.add(name, value);
  }
}

}  // namespace

std::string text_of_id(std::uint64_t id) {
  constexpr std::size_t digits = 40;
  constexpr int hexadecimal = 16;
  std::array<char, hexadecimal> text{};
  const char* const end = std::to_chars(text.begin(), text.end(), id, hexadecimal).ptr;
  const auto length = static_cast<std::size_t>(end - text.data());
  return std::string(digits - length, '0').append(text.data(), length);
}

void write_replication(Server& server, InfoText& info) {
  const bool is_master = server.role() == Role::master;
  info.add("role", is_master ? "master" : "slave");
  if (!is_master) write_master_of(server, info);
  write_replicas(server, info);
  const ReplicationIds& history = server.stream().ids();
  const bool has_previous = history.previous_id != 0;
  info.add("master_failover_state", "no-failover");
  info.add("master_replid", text_of_id(history.id));
  info.add("master_replid2", text_of_id(history.previous_id));
  info.add("master_repl_offset", server.stream().offset());
  info.add("second_repl_offset", has_previous ? history.second_replid_offset + 1 : -1);
  const ReplicationBacklog& backlog = server.stream().backlog();
  const bool is_active = backlog.is_active();
  info.add("repl_backlog_active", is_active ? 1 : 0);
  info.add("repl_backlog_size", static_cast<std::int64_t>(server.config().repl_backlog_size_bytes));
  info.add("repl_backlog_first_byte_offset", is_active ? backlog.first_offset() + 1 : 0);
  info.add("repl_backlog_histlen", is_active ? static_cast<std::int64_t>(backlog.size()) : 0);
}

// What Redis does in a child process is done at once here: nothing of it is ever under way, and
// nothing fails.

void write_persistence(Server& server, InfoText& info) {
  info.add("loading", 0);
  info.add("async_loading", 0);
  info.add("rdb_changes_since_last_save", static_cast<std::int64_t>(server.changes_since_save()));
  info.add("rdb_bgsave_in_progress", 0);
  info.add("rdb_last_save_time", server.persistence().last_save_s());
  info.add("rdb_last_bgsave_status", "ok");
  info.add("rdb_current_bgsave_time_sec", -1);
  info.add("rdb_saves", server.statistics().saves);
  info.add("aof_enabled", server.config().append_only ? 1 : 0);
  info.add("aof_rewrite_in_progress", 0);
  info.add("aof_rewrite_scheduled", 0);
  info.add("aof_current_rewrite_time_sec", -1);
  info.add("aof_last_bgrewrite_status", "ok");
  info.add("aof_last_write_status", "ok");
}

}  // namespace lockstep::redis::info_sections
