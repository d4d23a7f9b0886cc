// Packets to and from a program, with the descriptors that travel beside them.
#pragma once

#include <optional>
#include <span>

#include "live/protocol.h"
#include "sim/file_descriptor.h"

namespace lockstep::live {

/// Two ends of what a program is given one of. Making them throws std::system_error.
struct ChannelEnds {
  sim::FileDescriptor ours;
  sim::FileDescriptor theirs;
};
/// A socket that keeps packets apart.
[[nodiscard]] ChannelEnds make_channel();
/// A pipe that we read from, without waiting. Unlike a socket it can be opened by its name under
/// /proc/self/fd.
[[nodiscard]] ChannelEnds make_pipe();

/// False where nobody is there any more.
bool send_packet(int channel, const Packet& packet, std::span<const int> descriptors = {});

struct Received {
  Packet packet;
  sim::FileDescriptor descriptor;  ///< of `connect`
};
/// Waits. None: the other end is closed.
[[nodiscard]] std::optional<Received> receive_packet(int channel);

}  // namespace lockstep::live
