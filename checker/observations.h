// What really happened, as the simulator saw it: neutral observations beside the history.
//
// The simulator hands these over without judging them; the properties judge. They name no Redis and
// no host: a *belief* is a thread's, a *hold* is the lock's true state, a *residue* is what is
// left.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checker/history.h"

namespace lockstep::checker {

enum class BeliefEnd : std::uint8_t {
  released,  ///< the thread's own hold count reached zero at a release's invocation
  told,      ///< a refused release, or a delivered notice of loss
  validity,  ///< the thread's own validity timer fired
  crashed,   ///< its process died
  run_over,  ///< it still believed when the run ended
};

/// A thread's belief that it holds the lock exclusively: from acquire's ok.
struct Belief {
  NameId owner;
  NameId lock;
  Moment from;
  Moment until;
  BeliefEnd end = BeliefEnd::run_over;
};

/// Taken at the moment at which a thread's acquire returned ok.
struct Grant {
  NameId owner;
  NameId lock;
  Moment at;
  bool truly_held = false;        ///< in true state (a quorum of keys) the lock is the caller's
  NameId true_holder = no_name;   ///< who holds it instead, if anybody
  TimeNs true_lease_ends_ns = 0;  ///< true instant at which the hold will lapse; never_ns: no TTL
  std::optional<TimeNs>
      reported_valid_until_ns;  ///< what the client half told its caller, true time
};

enum class ChangeCause : std::uint8_t {
  acquire,
  release,
  force_release,
  expiry,
  eviction,
  failover,
  other
};

/// A change of an owner's true hold count. One event may change several owners' counts.
struct HoldChange {
  NameId lock;
  NameId owner;
  NameId by =
      no_name;  ///< the owner whose request did it; none: nobody's (expiry, failover, operator)
  Moment at;
  std::int64_t count_before = 0;
  std::int64_t count_after = 0;
  ChangeCause cause = ChangeCause::other;
};

/// Taken when a call of a thread returned and it has no call under way: what its own counting says
/// (acquires minus releases that returned ok) beside the true count. Not taken for an owner any of
/// whose operations had an unknown outcome before.
struct HoldCheck {
  NameId owner;
  NameId lock;
  Moment at;
  std::int64_t believed_count = 0;
  std::int64_t true_count = 0;
};

enum class AccessKind : std::uint8_t { read, write, refused_write };

/// An access to the protected resource, at the moment at which the resource handled it.
struct Access {
  AccessKind kind;
  NameId owner;
  NameId resource;
  Moment at;
  std::int64_t version_seen = 0;   ///< read: the version handed out; write: the one it is based on
  std::int64_t version_after = 0;  ///< the resource's version afterwards
  std::optional<std::int64_t> token;  ///< the fencing token shown
};

enum class ResidueKind : std::uint8_t {
  lease_without_ttl,  ///< seen between two scripts: a key that is declared a lease lacks a TTL
  lock_key,           ///< the rest: seen at the end of the run, all holders gone and leases passed
  subscription,
  renewal_task,
};

struct Residue {
  ResidueKind kind;
  std::string name;  ///< the key, channel or task
  Moment at;
};

/// Each list is in order of its moments (of `from` for beliefs).
struct Observations {
  std::vector<Belief> beliefs;
  std::vector<Grant> grants;
  std::vector<HoldChange> hold_changes;
  std::vector<HoldCheck> hold_checks;
  std::vector<Access> accesses;
  std::vector<Residue> residues;
  /// Whether the run came to rest, so that what is left is really left. If not, no-leak is unknown
  /// where it is not violated.
  bool came_to_rest = false;

  void clear();
};

}  // namespace lockstep::checker
