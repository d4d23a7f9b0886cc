// The kinds of trace events that the kernel itself emits, and their fields.
//
// A line per kind: the actor, then the fields. Numbers unless a field is marked as text. Messages
// and connections are numbered from 1 within a run. Reports read these names: change them nowhere
// else.
#pragma once

#include <string_view>

namespace lockstep::sim::trace_kind {

// -- messages (sim/network.h) --
/// actor: the sender · message, to (text: actor name), connection, label (text), on_behalf_of
/// (text: actor name, or empty)
inline constexpr std::string_view message_sent = "message-sent";
/// actor: the receiver · message; and waits=1 where its process is paused, so that it reads it
/// later
inline constexpr std::string_view message_delivered = "message-delivered";
/// actor: the sender · message, why (text: "dropped", "connection-reset", "connection-closed",
/// "process-crashed")
inline constexpr std::string_view message_lost = "message-lost";
/// actor: the sender · message, by_ns (what is added to the link's own delay)
inline constexpr std::string_view message_delayed = "message-delayed";
/// actor: the sender · message, at_most_ns (so long it is held back, unless it is let go before)
inline constexpr std::string_view message_held = "message-held";
/// actor: the sender · message
inline constexpr std::string_view message_released = "message-let-go";

// -- connections (sim/network.h) --
/// actor: the caller · connection, to (text: actor name)
inline constexpr std::string_view connection_opening = "connection-opening";
/// actor: the end that is open now, first the listener, then the caller · connection
inline constexpr std::string_view connection_opened = "connection-opened";
/// actor: the caller · connection
inline constexpr std::string_view connection_refused = "connection-refused";
/// actor: the end that is closed now · connection, why (text: "closed" at the end that asked for it
/// and "closed-by-peer" at the other, "reset", "process-crashed" at the end that crashed,
/// "half-open" at the end that has forgotten it)
inline constexpr std::string_view connection_closed = "connection-closed";

// -- cuts (sim/network.h) --
/// actor: no_actor · one, other (text: host names)
inline constexpr std::string_view network_cut = "network-cut";
/// actor: no_actor · one, other (text: host names)
inline constexpr std::string_view network_healed = "network-healed";
/// One of the two directions, where the other stays as it is. actor: no_actor · from, to (text:
/// host names)
inline constexpr std::string_view direction_cut = "direction-cut";
/// actor: no_actor · from, to (text: host names)
inline constexpr std::string_view direction_healed = "direction-healed";

// -- slow links, hosts that refuse connections (sim/network.h) --
/// actor: no_actor · one, other (text: host names), by_ns (in all; 0: as fast as ever)
inline constexpr std::string_view link_slowed = "link-slowed";
/// actor: the host · no fields
inline constexpr std::string_view listening_stopped = "listening-stopped";
/// actor: the host · no fields
inline constexpr std::string_view listening_again = "listening-again";

// -- processes (sim/host.h) --
/// actor: the host · for_ns (-1: until it is resumed). Emitted again when a paused process is
/// paused again; it then resumes at the later of the two ends.
inline constexpr std::string_view process_paused = "process-paused";
/// actor: the host · no fields
inline constexpr std::string_view process_resumed = "process-resumed";
/// actor: the host · no fields
inline constexpr std::string_view process_crashed = "process-crashed";
/// actor: the host · no fields
inline constexpr std::string_view process_restarted = "process-restarted";
/// actor: the host · by_ns (what each thing takes that it handles; 0: nothing, as ever)
inline constexpr std::string_view process_slowed = "process-slowed";

}  // namespace lockstep::sim::trace_kind
