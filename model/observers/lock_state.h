// What a lock's keys say at one instant: who holds it, how, until when; what is left of a number.
//
// Reads a node's data without changing anything, by the shape that lock.toml names. A state may
// have a second key: one that its holder has too, its readers', or how often it is held. Where the
// state is a quorum, the nodes' answers are put together: an owner holds the lock as often, and as
// long, as more than half of the nodes say.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/client.h"
#include "model/recorder.h"

namespace lockstep::redis {
class HashValue;
class SortedSetValue;
struct Entry;
}  // namespace lockstep::redis

namespace lockstep::sim {
class Digest;
}  // namespace lockstep::sim

namespace lockstep::model {

class RedisNode;
struct LockPackage;

enum class PermitsCount : std::uint8_t {
  known,  ///< nobody crashed and no call's outcome is unknown: what is left can be compared
  unknown,
};

struct StateHold {
  checker::NameId owner;
  checker::HoldMode mode;
  std::int64_t count;
  sim::TimeNs lease_ends_ns;  ///< true instant; never_ns: no TTL
  /// Of a quorum: when too few votes are left for this count, though enough for a lower one.
  sim::TimeNs count_ends_ns = sim::never_ns;
};

/// Permits that have ended by their scores, and that nobody has removed.
struct EndedPermits {
  checker::NameId owner;
  std::int64_t count;
};

struct LockState {
  std::vector<StateHold> holds;
  std::vector<EndedPermits> ended;
  std::int64_t number = 0;     ///< permits left, or what is left to count down
  bool has_number = false;     ///< the key is there, and a number
  std::size_t free_nodes = 0;  ///< how many of the nodes have no such key

  void clear();
  /// Null where the owner has none of that mode.
  [[nodiscard]] const StateHold* find(checker::NameId owner, checker::HoldMode mode) const;
  [[nodiscard]] std::int64_t count_ended(checker::NameId owner) const;
  [[nodiscard]] bool same_holds(const LockState& other) const;
  void digest_into(sim::Digest& digest, const checker::Names& names) const;
  /// Of the hold that ends first; 0 where nobody holds the lock.
  [[nodiscard]] sim::TimeNs first_lease_end_ns() const;
};

/// The keys of one lock's state; empty: it has no such.
struct StateKeys {
  std::string main;
  std::string also;
  std::string readers;
  std::string count;

  [[nodiscard]] std::array<std::string_view, 4> all() const { return {main, also, readers, count}; }
  [[nodiscard]] static StateKeys of(const LockPackage& package, std::string_view lock_name);
};

class LockStateReader {
 public:
  LockStateReader(Recorder& recorder, const LockPackage& package)
      : recorder_(recorder), package_(package) {}

  void set_clients(std::span<Client* const> clients) {
    clients_.assign(clients.begin(), clients.end());
  }
  void start_run() { tokens_.clear(); }
  /// Whose tokens are whose.
  void digest_into(sim::Digest& digest, std::span<RedisNode* const> nodes) const;

  /// Reads the key from all nodes that have it into `state`. A crashed node knows nothing,
  /// but in a quorum what it knew.
  void read_current(const StateKeys& keys, std::span<RedisNode* const> nodes, LockState& state);
  /// A client wrote the key on a node that does not count, such as a master that was cut off: it
  /// may count again, and then its token is known.
  void learn_elsewhere(std::string_view key, const RedisNode& node, checker::NameId writer);
  /// As look(), after something changed: a token that is another than the node's in `last_tokens`
  /// (one for each node, kept up to date here) has just been written by `writer`, if anybody.
  void read_change(const StateKeys& keys, std::span<RedisNode* const> nodes, checker::NameId writer,
                   std::vector<std::string>& last_tokens, LockState& state);

  /// The owner that a text in a key names.
  [[nodiscard]] checker::NameId owner_of(std::string_view field);
  /// Whose thread it is; null where it is no client's.
  [[nodiscard]] const Client* client_of(std::string_view field) const;

 private:
  void learn_tokens(const StateKeys& keys, std::span<RedisNode* const> nodes,
                    checker::NameId writer, std::vector<std::string>& last_tokens);
  void learn_token(const RedisNode& node, const redis::Entry* entry, checker::NameId writer,
                   std::string& last_token);
  void learn_members(const redis::Entry* entry, checker::NameId writer);
  void read(const StateKeys& keys, std::span<RedisNode* const> nodes, LockState& state);
  void read_node(const RedisNode& node, const StateKeys& keys);
  void read_main(const RedisNode& node, const redis::Entry& entry);
  void keep_those_in(const RedisNode& node, const redis::Entry* also);
  void add_readers(const RedisNode& node, const redis::Entry& entry);
  void read_hash(const redis::HashValue& hash, sim::TimeNs lease_ends_ns);
  void read_string(std::string_view value, sim::TimeNs lease_ends_ns);
  void read_permits(const RedisNode& node, const redis::SortedSetValue& set,
                    sim::TimeNs lease_ends_ns);
  void add_ended(checker::NameId owner);
  void add_hold(checker::NameId owner, checker::HoldMode mode, sim::TimeNs lease_ends_ns);
  [[nodiscard]] checker::NameId owner_of_member(std::string_view member);
  void merge(std::size_t node_count, LockState& state);
  [[nodiscard]] sim::TimeNs end_of_votes(std::size_t quorum);
  /// None where nobody was seen to write it.
  [[nodiscard]] checker::NameId writer_of_token(std::string_view token) const;
  [[nodiscard]] checker::NameId owner_of_token(std::string_view token);

  Recorder& recorder_;
  const LockPackage& package_;
  std::vector<Client*> clients_;
  LockState node_state_;
  LockState also_;                    // what the second key says
  std::vector<StateHold> all_;        // of all nodes
  std::vector<std::int64_t> counts_;  // memory for merge
  std::vector<sim::TimeNs> ends_ns_;
  std::map<std::string, checker::NameId, std::less<>> tokens_;  // who wrote which, this run
};

}  // namespace lockstep::model
