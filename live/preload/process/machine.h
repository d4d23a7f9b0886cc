// The machine that the program's host is: the ids by which libraries know it. They come from the
// host's name, so that each host has its own, the same in all runs, and none is the real machine's.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lockstep::live::preload {

struct MachineId {
  unsigned char bytes[16];
};
/// `purpose` tells the ids of one machine apart.
MachineId machine_id(const char* purpose);

inline constexpr const char* first_interface = "eth0";
struct HardwareAddress {
  unsigned char bytes[6];
};
/// Of a network interface: one that is administered locally.
HardwareAddress hardware_address(const char* interface);
/// Of the host itself, in network byte order.
std::uint32_t own_address();

}  // namespace lockstep::live::preload
