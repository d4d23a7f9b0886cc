// The effects of faults that a contract's assumptions are about.
#pragma once

#include <cstdint>

namespace lockstep::scenario {
enum class FaultKind : std::uint8_t;
}  // namespace lockstep::scenario

namespace lockstep::search {

[[nodiscard]] bool is_of_clock(scenario::FaultKind kind);
[[nodiscard]] bool takes_keys(scenario::FaultKind kind);
[[nodiscard]] bool ends_process(scenario::FaultKind kind);
[[nodiscard]] bool starts_process(scenario::FaultKind kind);
[[nodiscard]] bool holds_up_messages(scenario::FaultKind kind);  ///< on their way
[[nodiscard]] bool delays_messages(scenario::FaultKind kind);    ///< … or from who has them
[[nodiscard]] bool is_one_message(scenario::FaultKind kind);
/// Whether it keeps a client from a node, or a node from all others, while it lasts.
[[nodiscard]] bool keeps_from_nodes(scenario::FaultKind kind);
/// It may keep a message from who listens: of the network, and of servers.
[[nodiscard]] bool may_lose_messages(scenario::FaultKind kind);

}  // namespace lockstep::search
