// maxmemory: counting what the data costs, evicting keys, and refusing what would add to it.
//
// Redis looks before each command of a client: it evicts until the data fits or nothing may go, and
// what is still too much is remembered until the next command, for the scripts among them. Nothing
// is counted while there is no limit.
#include <array>
#include <optional>
#include <string>

#include "redis/server/core.h"
#include "redis/values/memory_estimate.h"

namespace lockstep::redis {
namespace {

enum class Candidates : std::uint8_t { none, all, with_expiry };

Candidates candidates_of(EvictionPolicy policy) {
  switch (policy) {
    case EvictionPolicy::allkeys_lru:
    case EvictionPolicy::allkeys_lfu:
    case EvictionPolicy::allkeys_random:
      return Candidates::all;
    case EvictionPolicy::volatile_lru:
    case EvictionPolicy::volatile_lfu:
    case EvictionPolicy::volatile_random:
    case EvictionPolicy::volatile_ttl:
      return Candidates::with_expiry;
    case EvictionPolicy::no_eviction:
      break;
  }
  return Candidates::none;
}

}  // namespace

void Core::count_memory(std::uint8_t database, std::string_view key) {
  const Entry* const entry = databases_[database].stored(key);
  if (entry == nullptr) {
    memory_[database].remove(key);
  } else {
    memory_[database].set(key, estimated_bytes(key, *entry));
  }
}

void Core::count_all_memory() {
  is_memory_counted_ = true;
  for (std::size_t i = 0; i < database_count; ++i) {
    memory_[i].clear();
    for (const auto& [key, entry] : databases_[i].entries()) {
      memory_[i].set(key, estimated_bytes(key, entry));
    }
  }
}

std::uint64_t Core::used_memory_bytes() const {
  std::uint64_t sum = empty_server_bytes;
  for (std::size_t i = 0; i < database_count; ++i) {
    if (is_memory_counted_ && has_memory_limit()) {
      sum += memory_[i].bytes();
      continue;
    }
    for (const auto& [key, entry] : databases_[i].entries()) sum += estimated_bytes(key, entry);
  }
  return sum;
}

/// Some key of a database that may go, by its place in the ledger; nothing where there is none.
std::optional<std::string> Core::pick_eviction_victim(std::uint8_t database) {
  const Candidates candidates = candidates_of(config_.max_memory_policy);
  const MemoryLedger& ledger = memory_[database];
  if (candidates == Candidates::none || ledger.size() == 0) return std::nullopt;
  const auto first = static_cast<std::size_t>(random_below(ledger.size()));
  if (candidates == Candidates::all) return ledger.key_at(first);
  for (std::size_t i = 0; i < ledger.size(); ++i) {
    const std::string& key = ledger.key_at((first + i) % ledger.size());
    const Entry* const entry = databases_[database].stored(key);
    if (entry != nullptr && entry->expire_at_ms) return key;
  }
  return std::nullopt;
}

void Core::evict(std::uint8_t database, const std::string& key) {
  if (!databases_[database].erase(key)) return memory_[database].remove(key);
  ++evicted_keys_;
  signal_modified_key(database, key, 1);
  const std::string_view command = config_.lazy_free_eviction ? "UNLINK" : "DEL";
  propagate(database, std::array<std::string_view, 2>{command, key});
  propagate_pending_commands();  // each by itself, before what the command will do
  listener_.on_evicted(key);
}

void Core::evict_key(std::string_view key) {
  if (databases_[0].stored(key) != nullptr) evict(0, std::string(key));
}

// One key of each database in turn.
bool Core::evict_one() {
  for (std::size_t i = 0; i < database_count; ++i) {
    last_evicted_from_ = static_cast<std::uint8_t>((last_evicted_from_ + 1U) % database_count);
    const std::optional<std::string> key = pick_eviction_victim(last_evicted_from_);
    if (!key) continue;
    evict(last_evicted_from_, *key);
    return true;
  }
  return false;
}

void Core::perform_evictions() {
  is_out_of_memory_ = false;
  if (!is_memory_counted_) count_all_memory();
  if (role_ == Role::replica && config_.replica_ignore_max_memory) return;
  while (used_memory_bytes() > config_.max_memory_bytes) {
    if (evict_one()) continue;
    is_out_of_memory_ = true;
    return;
  }
}

bool Core::is_denyoom_command(const CommandSpec& spec,
                              std::span<const std::string_view> words) const {
  if (spec.is(CommandFlag::deny_oom)) return true;
  if (!spec.is(CommandFlag::runs_body) && !spec.is(CommandFlag::runs_sha1)) return false;
  const ScriptFlags* const declared = script_flags_of(spec, words);
  return declared != nullptr && declared->has_shebang && !declared->allow_oom &&
         !declared->no_writes;
}

// In a transaction all is refused but what ends it: a queue could grow without bound.
bool Core::is_rejected_for_oom(const Session& session, const CommandSpec& spec,
                               std::span<const std::string_view> words) const {
  if (session.transaction == TransactionState::none) return is_denyoom_command(spec, words);
  if (spec.name == "discard" || spec.name == "quit" || spec.name == "reset") return false;
  return spec.name != "exec" || any_queued_command(session, &Core::is_denyoom_command);
}

}  // namespace lockstep::redis
