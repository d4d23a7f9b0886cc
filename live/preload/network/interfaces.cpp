// Network interfaces: libc's function that lists them. There are the loopback and the one of the
// program's own host, both up.
//
// Not covered: what asks the kernel without libc (netlink, ioctl), as Go and Java do: they find
// none.
#include <dlfcn.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netpacket/packet.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "live/preload/process/machine.h"
#include "live/preload/threads/threads.h"

namespace lockstep::live::preload {

namespace {

constexpr std::uint32_t loopback_mask = 0xff000000;
constexpr std::uint32_t own_mask = 0xffff0000;
constexpr unsigned short ethernet = 1;  // net/if_arp.h
constexpr unsigned short loopback = 772;

// An interface's two entries: its hardware's address, and its own.
struct Interface {
  char name[IFNAMSIZ];
  sockaddr_ll hardware;
  sockaddr_in address;
  sockaddr_in mask;
  ifaddrs entries[2];
};

// freeifaddrs frees what it is given: all is one piece, with the first entry in front.
struct Listed {
  ifaddrs first;
  Interface interfaces[2];
};

sockaddr_in internet(std::uint32_t address) {
  sockaddr_in written{};
  written.sin_family = AF_INET;
  written.sin_addr.s_addr = address;
  return written;
}

void fill(Interface& interface, const char* name, int index, unsigned flags) {
  std::strcpy(interface.name, name);
  interface.hardware.sll_family = AF_PACKET;
  interface.hardware.sll_ifindex = index;
  interface.hardware.sll_halen = sizeof(HardwareAddress);
  for (ifaddrs& entry : interface.entries) {
    entry.ifa_name = interface.name;
    entry.ifa_flags = flags | IFF_UP | IFF_RUNNING;
  }
  interface.entries[0].ifa_addr = reinterpret_cast<sockaddr*>(&interface.hardware);
  interface.entries[1].ifa_addr = reinterpret_cast<sockaddr*>(&interface.address);
  interface.entries[1].ifa_netmask = reinterpret_cast<sockaddr*>(&interface.mask);
}

ifaddrs* list_interfaces() {
  auto* const listed = static_cast<Listed*>(std::calloc(1, sizeof(Listed)));
  if (listed == nullptr) return nullptr;
  auto& [own_loopback, own] = listed->interfaces;
  fill(own_loopback, "lo", 1, IFF_LOOPBACK);
  own_loopback.hardware.sll_hatype = loopback;
  own_loopback.address = internet(htonl(INADDR_LOOPBACK));
  own_loopback.mask = internet(htonl(loopback_mask));
  fill(own, first_interface, 2, IFF_BROADCAST | IFF_MULTICAST);
  own.hardware.sll_hatype = ethernet;
  const HardwareAddress address = hardware_address(first_interface);
  std::memcpy(own.hardware.sll_addr, address.bytes, sizeof address.bytes);
  own.address = internet(own_address());
  own.mask = internet(htonl(own_mask));
  listed->first = own_loopback.entries[0];
  listed->first.ifa_next = &own_loopback.entries[1];
  own_loopback.entries[1].ifa_next = &own.entries[0];
  own.entries[0].ifa_next = &own.entries[1];
  return &listed->first;
}

}  // namespace

extern "C" [[gnu::visibility("default")]] int getifaddrs(ifaddrs** result) {
  if (current_thread() == nullptr) {
    static auto* const libc =
        reinterpret_cast<decltype(getifaddrs)*>(dlsym(RTLD_NEXT, "getifaddrs"));
    return libc(result);
  }
  *result = list_interfaces();
  if (*result != nullptr) return 0;
  errno = ENOMEM;
  return -1;
}

}  // namespace lockstep::live::preload
