// Network interfaces: the loopback and the one of the program's own host, both up. libc lists them
// (getifaddrs), ioctl tells of each, and netlink of all.
//
// Not covered: IPv6, of which there is the loopback's address in /proc/net/if_inet6 alone; changing
// them; routes and neighbours, which do not exist.
#pragma once

#include <netinet/in.h>

#include <array>
#include <cstddef>

#include "live/preload/descriptors/descriptors.h"
#include "live/preload/kernel/trap.h"
#include "live/preload/process/machine.h"

namespace lockstep::live::preload {

/// Addresses in network byte order.
struct Interface {
  const char* name;
  int index;
  unsigned flags;
  unsigned short hardware_type;
  HardwareAddress hardware;
  in_addr address;
  in_addr mask;
  int largest_packet;  ///< bytes

  in_addr broadcast() const { return {address.s_addr | ~mask.s_addr}; }
};

std::array<Interface, 2> interfaces();

/// The requests of ioctl for interfaces, which any socket answers.
bool is_about_interfaces(unsigned long request);
long tell_of_interfaces(unsigned long request, void* argument);

/// A netlink socket of the program has sent this; the reply can be read from it at once.
long ask_netlink(const Description& socket, const void* bytes, std::size_t size);

}  // namespace lockstep::live::preload
