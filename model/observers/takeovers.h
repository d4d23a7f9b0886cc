// What became of the locks that were held when another node's data began to count, or a node's data
// of another time: a promotion, a restart, a master that is made to follow another one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/time.h"

namespace lockstep::model {

enum class TakeoverKind : std::uint8_t {
  promotion,          ///< a replica became the master of its shard
  restart,            ///< a node that counts came back with what its disk had
  resynchronisation,  ///< a master was told to follow another one, which counts from then on
};
inline constexpr std::size_t takeover_kind_count =
    static_cast<std::size_t>(TakeoverKind::resynchronisation) + 1;
[[nodiscard]] std::string_view to_string(TakeoverKind kind);

struct Takeover {
  TakeoverKind kind;
  sim::TimeNs at_ns;
  bool was_held;  ///< a lease was under way that the data from before had
  bool lacked;    ///< … and the data that counts now does not have it
  /// … or a node came back with it; and another asked for it there while its owner still believed
  /// in it.
  bool asked = false;
  bool owner_asked = false;  ///< … or the owner of that lease did, alone
  bool of_lock = false;      ///< the node counts for a lock: not of another slot
  bool for_setters = false;  ///< all permits were out: only who sets them anew comes to see it
  /// The old master went on, gave the lock to somebody, and another asked the new one for it
  /// meanwhile.
  bool old_one_gave_it = false;
  /// When it was first known that the data which counts lacks a write that was acknowledged, of
  /// whatever: at the takeover, or when the master from before went on serving clients. Of a
  /// restart nobody looks but at leases and numbers (lacked).
  sim::TimeNs lost_write_at_ns = sim::never_ns;
};

/// Which nodes matter to the locks, by place; the 64th and all behind it share a bit.
struct NodesInUse {
  std::uint64_t all = 0;      ///< they had a lock, or executed something for a client
  std::uint64_t masters = 0;  ///< they had a lock
  bool waits_for_replicas = false;
};

}  // namespace lockstep::model
