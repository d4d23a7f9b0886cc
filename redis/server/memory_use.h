// The memory that the data takes, counted while there is a maxmemory, and the choice of keys to
// evict.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redis/persistence/stored_files.h"

namespace lockstep::redis {

class ServerListener;
enum class EvictionPolicy : std::uint8_t;

/// What each key of a database costs, and the keys in an order from which one can be drawn.
class MemoryLedger {
 public:
  void set(std::string_view key, std::uint64_t bytes);
  void remove(std::string_view key);
  void clear();
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::size_t size() const { return places_.size(); }
  /// The keys in the order of their places, each with its cost.
  template <typename Digest>
  void digest_into(Digest& digest) const {
    digest.add(places_.size());
    for (const Accounts::iterator& place : places_) {
      digest.add(std::string_view(place->first));
      digest.add(place->second.bytes);
    }
  }
  /// The key at one of size() places; which it is depends on what was added and removed before.
  [[nodiscard]] const std::string& key_at(std::size_t place) const { return places_[place]->first; }

 private:
  struct Account {
    std::uint64_t bytes = 0;
    std::size_t place = 0;
  };
  using Accounts = std::map<std::string, Account, std::less<>>;

  Accounts accounts_;
  std::vector<Accounts::iterator> places_;
  std::uint64_t bytes_ = 0;
};

class MemoryUse {
 public:
  struct Victim {
    std::uint8_t database;
    std::string key;
  };

  /// A new process.
  void start();
  /// The data changed as a whole: they are counted anew before the next eviction.
  void forget_count() { is_counted_ = false; }
  void count_all_unless_counted(const Databases& databases);
  void count(const Databases& databases, std::uint8_t database, std::string_view key);
  void forget(std::uint8_t database, std::string_view key) { ledgers_[database].remove(key); }
  void clear(std::uint8_t database) { ledgers_[database].clear(); }
  void swap(std::uint8_t a, std::uint8_t b) { std::swap(ledgers_[a], ledgers_[b]); }

  /// The data and an empty server, estimated. Cheap if there is a limit: then the keys are counted
  /// already.
  [[nodiscard]] std::uint64_t used_bytes(const Databases& databases, bool has_limit) const;
  /// A key that the policy allows to evict, from each database in turn; nothing if there is none.
  [[nodiscard]] std::optional<Victim> next_victim(const Databases& databases, EvictionPolicy policy,
                                                  ServerListener& listener);
  void count_eviction() { ++evicted_keys_; }
  [[nodiscard]] std::uint64_t evicted_keys() const { return evicted_keys_; }
  void reset_statistics() { evicted_keys_ = 0; }

  /// Since the last command of a client: eviction could not make the data fit.
  [[nodiscard]] bool is_out_of_memory() const { return is_out_of_memory_; }
  void set_out_of_memory(bool is_out) { is_out_of_memory_ = is_out; }

  // server_digest.cpp
  void digest_into(sim::Digest& digest) const;

 private:
  [[nodiscard]] std::optional<std::string> pick_victim(const Keyspace& keys,
                                                       const MemoryLedger& ledger,
                                                       EvictionPolicy policy,
                                                       ServerListener& listener) const;

  std::array<MemoryLedger, database_count> ledgers_;
  bool is_counted_ = false;
  std::uint64_t evicted_keys_ = 0;
  std::uint8_t last_evicted_from_ = 0;  // the database
  bool is_out_of_memory_ = false;
};

}  // namespace lockstep::redis
