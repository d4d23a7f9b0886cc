// The kinds of faults, and of the clocks that they strike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lockstep::scenario {

enum class FaultKind : std::uint8_t {
  pause,         ///< a process stops for `for_ns`
  crash,         ///< a process dies
  restart,       ///< a Redis node that ended starts anew, with what its disk has
  promote,       ///< an operator's failover: this replica becomes the master of its shard
  cut,           ///< two hosts can't reach each other, for `for_ns` or for ever
  drop,          ///< a message is lost
  delay,         ///< a message takes `by_ns` longer
  reset,         ///< a connection breaks when a message is sent on it; the message is lost
  clock_step,    ///< a host's wall clock moves by `by_ns`, forward or back
  clock_drift,   ///< a host's clocks run at another rate from then on
  delete_key,    ///< an operator deletes the key of `lock_name` on a node
  power_loss,    ///< a Redis node's machine fails: what it has not synced to its disk is gone too
  shutdown,      ///< a Redis node exits cleanly (SIGTERM): it stores what it is configured to store
  clock_freeze,  ///< a host's clocks stop
  clock_strobe,  ///< a host's wall clock jumps back and forth by `by_ns`, every `strobe_ns`
  clock_leap,    ///< a leap second: a host's wall clock shows its last second once more
  evict,         ///< a node evicts the key of `lock_name`, as because of maxmemory
  flush_all,     ///< an operator's FLUSHALL on a node
  script_flush,  ///< an operator's SCRIPT FLUSH on a node: it forgets all scripts
  busy,          ///< a script hangs on a node: it answers nobody, later with BUSY
  max_clients,   ///< a node takes no more connections than `limit`
  interrupt,     ///< what a client's thread waits for ends with an error; what was sent stays sent
  abandon,       ///< the caller of a lock goes on without it, while the call goes on by itself
  postpone,      ///< one callback of a client comes later than those that came after it
  slow,          ///< a process takes `by_ns` for each thing that it handles
  refuse,        ///< a host refuses new connections
  half_open,     ///< the connections of `target` to `other` are gone, and only `other` knows
  clog,          ///< every message between two hosts takes `by_ns` longer
  cut_one_way,   ///< nothing comes from `target` to `other`
  isolate,       ///< a host is cut off from everybody
  partition,     ///< the hosts of one group are cut off from those of the others
  ring,          ///< each host sees a majority, no two the same
  swizzle,       ///< hosts are isolated one after the other, and healed in another order
  reorder,       ///< a message waits until the next `behind_label` has overtaken it
  lag,           ///< a replica gets the stream `by_ns` later
  stall,         ///< a replica applies and acknowledges nothing; its link stays
  disconnect,    ///< a replica's link is closed, and not opened again before the end
};
inline constexpr std::size_t fault_kind_count = static_cast<std::size_t>(FaultKind::disconnect) + 1;
[[nodiscard]] std::string_view to_string(FaultKind kind);

/// Which of a host's clocks.
enum class ClockChoice : std::uint8_t { wall, monotonic, both };

}  // namespace lockstep::scenario
