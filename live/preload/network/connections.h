// Simulated network connections: a stream socket of the program is one end of a pair whose other
// end goes to the simulator with `connect`.
//
// Until the simulator has answered, a non-blocking socket must not look writable: its send buffer
// is filled. Listening sockets exist, but nobody connects to them. Datagram sockets exist, for what
// is asked of them (interfaces.h, the own address that leads to another), but their network can't
// be reached. Raw sockets and netlink but for interfaces are refused: the program sees no network
// but the simulated one, and no interface of this machine. Sockets of AF_UNIX work within the
// process (socketpair); connecting one fails.
//
// Not covered: urgent data, accepting connections.
#pragma once

#include "live/preload/descriptors/descriptors.h"
#include "live/preload/kernel/trap.h"
#include "live/protocol.h"

namespace lockstep::live::preload {

/// The simulator's answer to a connect, or a reset. It may be about a socket that is closed.
void apply_result(const Packet::ConnectionResult& result);

/// Whether there still is no room to write to a connection where the program found none.
bool is_any_connection_full();

/// Closes all connections, so that their ends reach the simulator before the end of the process.
void close_connections();

/// In the child of a fork server: sockets that are not connected yet get ends of their own.
void renew_connections();

/// socket, connect, bind, listen, accept, shutdown.
TrapTable connection_traps();
/// getsockname, getpeername, setsockopt, getsockopt.
TrapTable socket_option_traps();

}  // namespace lockstep::live::preload
