// Kinds of fault that ask the same of a lock: the rows of a survival table.
//
// Coarser than kinds, which nobody can read side by side, and cut by what goes wrong, not by how it
// is made to (Theme): a slow client and a slow node are one row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::scenario {

enum class FaultKind : std::uint8_t;

/// What strikes every day first, what no lease survives last.
enum class FaultGroup : std::uint8_t {
  pauses,          ///< a process, or one of its threads, stands still or is slow
  given_up,        ///< a caller breaks off its call, or goes on without it
  late_messages,   ///< they arrive late, or in another order
  lost_messages,   ///< one message, or its connection, is lost
  cut_networks,    ///< hosts can't reach each other
  process_ends,    ///< and may start again
  failover,        ///< replicas that lag behind, and take over
  server_trouble,  ///< scripts forgotten, scripts that hang, connections refused
  clocks,          ///< they step, drift, stop
  keys_removed,    ///< by others than the lock
};
inline constexpr std::size_t fault_group_count =
    static_cast<std::size_t>(FaultGroup::keys_removed) + 1;

[[nodiscard]] FaultGroup group_of(FaultKind kind);
/// "pauses", "calls given up", …: at most 14 characters.
[[nodiscard]] std::string_view to_string(FaultGroup group);
[[nodiscard]] std::optional<FaultGroup> fault_group_from(std::string_view words);

}  // namespace lockstep::scenario
