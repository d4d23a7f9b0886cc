// maxmemory: counting what the data costs, evicting keys, and refusing what would add to it.
//
// Redis looks before each command of a client: it evicts until the data fits or nothing may go, and
// what is still too much is remembered until the next command, for the scripts among them. Nothing
// is counted while there is no limit.
#include <array>
#include <string>

#include "redis/server/server.h"

namespace lockstep::redis {

void Server::evict(std::uint8_t database, const std::string& key) {
  if (!databases_[database].erase(key)) return memory_.forget(database, key);
  memory_.count_eviction();
  signal_modified_key(database, key, 1);
  if (notifies()) notify(KeyspaceEvent::evicted, "evicted", database, key);
  const std::string_view command = config_.lazy_free_eviction ? "UNLINK" : "DEL";
  propagate(database, std::array<std::string_view, 2>{command, key});
  propagate_pending_commands();  // each by itself, before what the command will do
  listener_.on_evicted(key);
}

bool Server::evict(std::string_view key) {
  if (pauses_writes_ || databases_[0].stored(key) == nullptr) return false;
  evict(0, std::string(key));
  return true;
}

void Server::perform_evictions() {
  memory_.set_out_of_memory(false);
  if (pauses_writes_) return;
  memory_.count_all_unless_counted(databases_);
  if (role_ == Role::replica && config_.replica_ignore_max_memory) return;
  while (used_memory_bytes() > config_.max_memory_bytes) {
    const auto victim = memory_.next_victim(databases_, config_.max_memory_policy, listener_);
    if (!victim) return memory_.set_out_of_memory(true);
    evict(victim->database, victim->key);
  }
}

bool Server::is_denyoom_command(const CommandSpec& spec,
                                std::span<const std::string_view> words) const {
  if (spec.is(CommandFlag::deny_oom)) return true;
  constexpr CommandFlag runs_script =
      CommandFlag::runs_body | CommandFlag::runs_sha1 | CommandFlag::runs_function;
  if (!spec.is(runs_script)) return false;
  const ScriptFlags* const declared = script_flags_of(spec, words);
  return declared != nullptr && declared->has_shebang && !declared->allow_oom &&
         !declared->no_writes;
}

// In a transaction all is refused but what ends it: a queue could grow without bound.
bool Server::is_rejected_for_oom(const Session& session, const CommandSpec& spec,
                                 std::span<const std::string_view> words) const {
  if (session.transaction == TransactionState::none) return is_denyoom_command(spec, words);
  if (spec.name == "discard" || spec.name == "quit" || spec.name == "reset") return false;
  if (version_->queues_without_memory && spec.name != "exec") {
    return is_denyoom_command(spec, words);
  }
  return spec.name != "exec" || any_queued_command(session, &Server::is_denyoom_command);
}

bool Server::lacks_memory_for(const Session& session, const CommandSpec& spec,
                              std::span<const std::string_view> words) {
  if (!has_memory_limit() || script_.is_running || !spec.accepts(words.size())) return false;
  perform_evictions();
  return memory_.is_out_of_memory() && is_rejected_for_oom(session, spec, words);
}

}  // namespace lockstep::redis
