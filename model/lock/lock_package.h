// A lock as loaded from its folder: lock.toml, the client model in Lua, the server-side scripts.
//
// A variant overlays the base: other scripts, options, promises. Nothing is compiled here; see
// model/client/runtime/runtime.h for the client model and redis/scripting/script_engine.h for the
// scripts. docs/locks.md describes lock.toml.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "checker/lock_semantics.h"
#include "model/lock/contract.h"
#include "model/lock/search_plan.h"
#include "sim/boxed.h"

namespace lockstep::checker {
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::scenario {
struct Options;
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::model {

struct LockScript {
  std::string name;  ///< "acquire": the label of its calls
  std::string path;
  std::string body;
};

/// How the lock's key shows who holds it.
enum class StateShape : std::uint8_t {
  holds_by_owner,  ///< a hash: field = owner, value = hold count
  owner_token,     ///< a string: its writer holds the lock, once
  /// A hash: field `mode`, readers as in holds_by_owner, and `<owner>:write` for the writer.
  readers_and_writer,
  permits,  ///< a string: how many permits are left
  /// A sorted set of the permits that are out, each a member; StateScores says what scores are.
  permits_in_use,
  count,  ///< a string: what is left to count down; absent: the latch is open
};

/// Which nodes have the lock's key.
enum class StateNodes : std::uint8_t {
  one,     ///< the master that has the key's slot
  quorum,  ///< every master: holding a majority of the keys is holding the lock
};

/// Who the owners are that the lock's keys name.
enum class StateOwner : std::uint8_t {
  thread,   ///< each thread for itself
  process,  ///< all threads of a client together: they hold, re-enter and release as one
};

/// What the scores of permits_in_use mean.
enum class StateScores : std::uint8_t {
  order,   ///< nothing of the permit's life
  ends,    ///< the wall-clock ms at which the permit ends, whoever has it
  begins,  ///< the wall-clock ms at which it was taken: it ends a `permit_life` later
};

/// A further file of a client model, by the name under which the client model requires it.
struct LockLibrary {
  std::string name;
  std::string path;
  std::string source;
};

struct LockPackage {
  // Not here, where options are only declared.
  LockPackage();
  LockPackage(const LockPackage&);
  LockPackage(LockPackage&&) noexcept;
  LockPackage& operator=(const LockPackage&);
  LockPackage& operator=(LockPackage&&) noexcept;
  ~LockPackage();

  std::string name;     ///< "plain"
  std::string variant;  ///< "" or "unlatched"
  std::string title;
  std::string flaw;  ///< what is known to be wrong with this variant; empty: nothing
  std::filesystem::path folder;
  std::string client_path;
  std::string client_source;
  std::vector<LockLibrary> libraries;  ///< by name
  std::vector<LockScript> scripts;     ///< by name
  /// The lock's own, and those of every lock: timeout_ms (3000), retry_attempts (3),
  /// retry_interval_ms (1500), retry_jitter_ms (0), connection ("pool"), pool_size (0),
  /// pool_timeout_ms (3000), reconnect ("resend").
  sim::Boxed<scenario::Options> options;
  /// By client name: all options of a client for which the scenario overrides some.
  sim::Boxed<std::map<std::string, scenario::Options, std::less<>>> options_of_clients;
  std::vector<checker::Property> promises;
  StateShape state_shape = StateShape::holds_by_owner;
  StateNodes state_nodes = StateNodes::one;
  StateOwner state_owner = StateOwner::thread;
  // Patterns of further keys of the same state; empty: there is none.
  std::string also_key;     ///< an owner needs both keys to hold the lock
  std::string readers_key;  ///< lists the readers; the state's key is the writer's
  std::string count_key;    ///< the holder's hold count
  // Of permits_in_use.
  std::int64_t permit_count = 0;  ///< how many there are
  StateScores scores = StateScores::order;
  std::int64_t permit_life_ms = 0;
  std::string state_key;  ///< pattern; "{name}" stands for the lock's name
  /// Patterns of a first-come, first-served lock's list of waiting owners, and of the sorted set of
  /// the instants until which they keep their places; both empty where it has no queue.
  std::string queue_key;
  std::string deadlines_key;
  /// What happens when an owner locks again, counted or refused; counted by default if the state
  /// counts holds.
  checker::Reentry reentry = checker::Reentry::counted;
  checker::Refusal refusals = checker::Refusal::truthful;
  checker::Service service = checker::Service::anybody;
  std::vector<std::string> lease_keys;       ///< patterns of keys that must carry a TTL
  std::vector<std::string> persistent_keys;  ///< patterns of keys that stay (counters)
  std::vector<std::string> kept_channels;    ///< patterns of channels that may stay subscribed
  Contract contract;
  SearchPlan search_plan;
  std::string state_file;  ///< where the state's key is written, for error messages
  std::uint32_t state_line = 0;
  std::uint32_t state_column = 0;

  /// Whether its keys say how often their owner has it.
  [[nodiscard]] bool state_counts_holds() const;
  /// Of a lock that may be taken again: whether its keys or only its client model say how often.
  [[nodiscard]] checker::Reentry judged_reentry() const;
  /// "plain", "plain/unlatched"
  [[nodiscard]] std::string full_name() const;
  [[nodiscard]] const LockScript* script(std::string_view script_name) const;
  /// The option's number; none if there is no such option or it is not a number.
  [[nodiscard]] std::optional<std::int64_t> find_number(std::string_view option) const;
  /// The option's number. REQUIRES: there is such an option, and it is a number.
  [[nodiscard]] std::int64_t number_option(std::string_view option) const;
  /// The options as this client has them.
  [[nodiscard]] const scenario::Options& options_of(std::string_view client) const;
};

/// A 64-bit digest of the lock's files, to tell whether they have changed.
[[nodiscard]] std::uint64_t digest_of(const LockPackage& package);

/// "holds-by-owner", …
[[nodiscard]] std::string_view to_string(StateShape shape);
/// Whether at most one owner holds the lock at a time, re-entering or not.
[[nodiscard]] bool is_mutex(StateShape shape);
/// Whether the shape is a semaphore's.
[[nodiscard]] bool has_permits(StateShape shape);

/// Whether judging it needs declared operations or answers, which a real program does not give.
[[nodiscard]] bool needs_declared_operations(checker::Property property);
/// What is judged of a lock: what applies to its shape and, where it has one, its queue; but
/// `fencing` only where it is promised or expected. In all_properties() order. Throws InputError
/// where the scenario expects what can't be judged.
[[nodiscard]] std::vector<checker::Property> judged_properties(const LockPackage& package,
                                                               const scenario::Scenario& scenario);

/// What a lock of its shape, with its queue if it has one, may promise and this one does not; but
/// for fencing and no-starvation, which most locks are not made for.
[[nodiscard]] std::vector<checker::Property> properties_not_promised(const LockPackage& package);

/// The name as a hash tag, so that all keys of the lock are in its slot: "orders" → "{orders}". A
/// name that has a tag of its own keeps it, as Redisson's do: "{shop}:orders".
[[nodiscard]] std::string tagged_name(std::string_view lock_name);

/// "redisson_lock__channel:{{name}}" with name "orders" → "redisson_lock__channel:{orders}": {name}
/// is the name, {{name}} the tagged one.
[[nodiscard]] std::string expand_pattern(std::string_view pattern, std::string_view lock_name);

/// Whether a text matches an expanded pattern, in which `*` stands for any run of characters.
[[nodiscard]] bool matches_expanded(std::string_view pattern, std::string_view text);

/// Whether a key matches the pattern once expanded, in which `*` stands for any run of characters.
[[nodiscard]] bool key_matches(std::string_view pattern, std::string_view lock_name,
                               std::string_view key);

/// Finds the folder of a lock named in a scenario ("plain", "plain/unlatched", "./my-lock") and
/// loads it with the scenario's overrides. Paths in a scenario are relative to its file. Throws
/// InputError: unknown lock or variant (with the nearest name), unreadable or wrong lock.toml,
/// missing file, unknown option.
[[nodiscard]] LockPackage load_lock(const scenario::Scenario& scenario,
                                    const std::vector<std::filesystem::path>& script_folders);

/// Whether a lock's title mentions the class: "RFairLock" in "The FIFO lock: RFairLock,
/// RedissonFairLock".
[[nodiscard]] bool mentions_class(std::string_view title, std::string_view word);

/// The names of all locks below the folders, with their variants: "plain", "plain/unlatched", …
/// Throws InputError where a lock.toml is wrong.
[[nodiscard]] std::vector<std::string> list_locks(
    const std::vector<std::filesystem::path>& script_folders);

}  // namespace lockstep::model
