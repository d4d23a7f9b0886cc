// Packets to the simulator and from it.
#pragma once

#include <cstddef>

#include "live/protocol.h"

namespace lockstep::live::preload {

/// Sends the packet, with a descriptor if one is given (≥ 0). Ends the process if the simulator is
/// gone.
void send_packet(const Packet& packet, int descriptor = -1);

/// Waits for a packet and at most `room` descriptors with it. Ends the process if the simulator is
/// gone.
Packet receive_packet(int* descriptors = nullptr, std::size_t room = 0);

/// Writes "lockstep: …" and a line's end to the program's output.
void tell(const char* what);

/// Says to the simulator and in the program's output what cannot work here, and ends the process.
[[noreturn]] void refuse(const char* what);

/// As it is: nothing is said, nothing is run.
[[noreturn]] void end_process(int status);

}  // namespace lockstep::live::preload
