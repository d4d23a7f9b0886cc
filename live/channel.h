// Packets to and from a program, with the descriptors that travel beside them.
#pragma once

#include <optional>
#include <span>

#include "live/protocol.h"
#include "sim/file_descriptor.h"

namespace lockstep::live {

/// Two ends of a socket that keeps packets apart. Throws std::system_error.
struct ChannelEnds {
  sim::FileDescriptor ours;
  sim::FileDescriptor theirs;
};
[[nodiscard]] ChannelEnds make_channel();
/// The same of a stream of bytes.
[[nodiscard]] ChannelEnds make_stream();

/// False where nobody is there any more.
bool send_packet(int channel, const Packet& packet, std::span<const int> descriptors = {});

struct Received {
  Packet packet;
  sim::FileDescriptor descriptor;  ///< of `connect`
};
/// Waits. None: the other end is closed.
[[nodiscard]] std::optional<Received> receive_packet(int channel);

}  // namespace lockstep::live
