#include "redis/server/memory_use.h"

#include "redis/server/config.h"
#include "redis/server/server_listener.h"
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

void MemoryLedger::set(std::string_view key, std::uint64_t bytes) {
  auto found = accounts_.find(key);
  if (found == accounts_.end()) {
    found = accounts_.emplace(key, Account{0, places_.size()}).first;
    places_.push_back(found);
  }
  bytes_ += bytes - found->second.bytes;
  found->second.bytes = bytes;
}

void MemoryLedger::remove(std::string_view key) {
  const auto found = accounts_.find(key);
  if (found == accounts_.end()) return;
  bytes_ -= found->second.bytes;
  const std::size_t place = found->second.place;
  places_[place] = places_.back();
  places_[place]->second.place = place;
  places_.pop_back();
  accounts_.erase(found);
}

void MemoryLedger::clear() {
  accounts_.clear();
  places_.clear();
  bytes_ = 0;
}

void MemoryUse::start() {
  is_counted_ = false;
  evicted_keys_ = 0;
  last_evicted_from_ = 0;
  is_out_of_memory_ = false;
}

void MemoryUse::count_all_unless_counted(const Databases& databases) {
  if (is_counted_) return;
  is_counted_ = true;
  for (std::size_t i = 0; i < database_count; ++i) {
    ledgers_[i].clear();
    for (const auto& [key, entry] : databases[i].entries()) {
      ledgers_[i].set(key, estimated_bytes(key, entry));
    }
  }
}

void MemoryUse::count(const Databases& databases, std::uint8_t database, std::string_view key) {
  const Entry* const entry = databases[database].stored(key);
  if (entry == nullptr) {
    ledgers_[database].remove(key);
  } else {
    ledgers_[database].set(key, estimated_bytes(key, *entry));
  }
}

std::uint64_t MemoryUse::used_bytes(const Databases& databases, bool has_limit) const {
  std::uint64_t sum = empty_server_bytes;
  for (std::size_t i = 0; i < database_count; ++i) {
    if (is_counted_ && has_limit) {
      sum += ledgers_[i].bytes();
      continue;
    }
    for (const auto& [key, entry] : databases[i].entries()) sum += estimated_bytes(key, entry);
  }
  return sum;
}

std::optional<std::string> MemoryUse::pick_victim(const Keyspace& keys, const MemoryLedger& ledger,
                                                  EvictionPolicy policy,
                                                  ServerListener& listener) const {
  const Candidates candidates = candidates_of(policy);
  if (candidates == Candidates::none || ledger.size() == 0) return std::nullopt;
  const auto first = static_cast<std::size_t>(listener.random_below(ledger.size()));
  if (candidates == Candidates::all) return ledger.key_at(first);
  for (std::size_t i = 0; i < ledger.size(); ++i) {
    const std::string& key = ledger.key_at((first + i) % ledger.size());
    const Entry* const entry = keys.stored(key);
    if (entry != nullptr && entry->expire_at_ms) return key;
  }
  return std::nullopt;
}

std::optional<MemoryUse::Victim> MemoryUse::next_victim(const Databases& databases,
                                                        EvictionPolicy policy,
                                                        ServerListener& listener) {
  for (std::size_t i = 0; i < database_count; ++i) {
    last_evicted_from_ = static_cast<std::uint8_t>((last_evicted_from_ + 1U) % database_count);
    const std::size_t at = last_evicted_from_;
    std::optional<std::string> key = pick_victim(databases[at], ledgers_[at], policy, listener);
    if (key) return Victim{last_evicted_from_, std::move(*key)};
  }
  return std::nullopt;
}

}  // namespace lockstep::redis
