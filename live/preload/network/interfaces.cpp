#include "live/preload/network/interfaces.h"

#include <dlfcn.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netpacket/packet.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "live/preload/threads/threads.h"

namespace lockstep::live::preload {

namespace {

constexpr std::uint32_t loopback_mask = 0xff000000;
constexpr std::uint32_t own_mask = 0xffff0000;
constexpr unsigned long first_request = 0x8900;
constexpr unsigned long last_request = 0x89ff;

sockaddr_in internet(in_addr address) {
  sockaddr_in written{};
  written.sin_family = AF_INET;
  written.sin_addr = address;
  return written;
}

// An interface's two entries: its hardware's address, and its own.
struct Listed {
  char name[IFNAMSIZ];
  sockaddr_ll hardware;
  sockaddr_in address;
  sockaddr_in mask;
  sockaddr_in broadcast;
  ifaddrs entries[2];
};

// freeifaddrs frees what it is given: all is one piece, with the first entry in front.
struct List {
  ifaddrs first;
  Listed interfaces[2];
};

void fill(Listed& listed, const Interface& interface) {
  std::strcpy(listed.name, interface.name);
  listed.hardware.sll_family = AF_PACKET;
  listed.hardware.sll_ifindex = interface.index;
  listed.hardware.sll_hatype = interface.hardware_type;
  listed.hardware.sll_halen = sizeof interface.hardware;
  std::memcpy(listed.hardware.sll_addr, &interface.hardware, sizeof interface.hardware);
  listed.address = internet(interface.address);
  listed.mask = internet(interface.mask);
  listed.broadcast = internet(interface.broadcast());
  for (ifaddrs& entry : listed.entries) {
    entry.ifa_name = listed.name;
    entry.ifa_flags = interface.flags;
  }
  listed.entries[0].ifa_addr = reinterpret_cast<sockaddr*>(&listed.hardware);
  listed.entries[1].ifa_addr = reinterpret_cast<sockaddr*>(&listed.address);
  listed.entries[1].ifa_netmask = reinterpret_cast<sockaddr*>(&listed.mask);
  if ((interface.flags & IFF_BROADCAST) != 0) {
    listed.entries[1].ifa_broadaddr = reinterpret_cast<sockaddr*>(&listed.broadcast);
  }
}

ifaddrs* list_interfaces() {
  auto* const list = static_cast<List*>(std::calloc(1, sizeof(List)));
  if (list == nullptr) return nullptr;
  const auto known = interfaces();
  auto& [one, other] = list->interfaces;
  fill(one, known[0]);
  fill(other, known[1]);
  list->first = one.entries[0];
  list->first.ifa_next = &one.entries[1];
  one.entries[1].ifa_next = &other.entries[0];
  other.entries[0].ifa_next = &other.entries[1];
  return &list->first;
}

void write_address(sockaddr& place, in_addr address) {
  const sockaddr_in written = internet(address);
  std::memcpy(&place, &written, sizeof written);
}

// As many as there is room for; without a buffer, how much room they need.
long tell_all(ifconf& wanted) {
  std::size_t written = 0;
  for (const Interface& interface : interfaces()) {
    if (wanted.ifc_buf != nullptr) {
      if (written + sizeof(ifreq) > static_cast<std::size_t>(wanted.ifc_len)) break;
      ifreq entry{};
      std::strcpy(entry.ifr_name, interface.name);
      write_address(entry.ifr_addr, interface.address);
      std::memcpy(wanted.ifc_buf + written, &entry, sizeof entry);
    }
    written += sizeof(ifreq);
  }
  wanted.ifc_len = static_cast<int>(written);
  return 0;
}

long tell_one(unsigned long request, const Interface& interface, ifreq& told) {
  switch (request) {
    case SIOCGIFNAME:
      std::strcpy(told.ifr_name, interface.name);
      return 0;
    case SIOCGIFINDEX:
      told.ifr_ifindex = interface.index;
      return 0;
    case SIOCGIFFLAGS:
      told.ifr_flags = static_cast<short>(interface.flags);
      return 0;
    case SIOCGIFMTU:
      told.ifr_mtu = interface.largest_packet;
      return 0;
    case SIOCGIFADDR:
      write_address(told.ifr_addr, interface.address);
      return 0;
    case SIOCGIFNETMASK:
      write_address(told.ifr_netmask, interface.mask);
      return 0;
    case SIOCGIFBRDADDR:
      write_address(told.ifr_broadaddr, interface.broadcast());
      return 0;
    case SIOCGIFHWADDR:
      told.ifr_hwaddr = {};
      told.ifr_hwaddr.sa_family = interface.hardware_type;
      std::memcpy(told.ifr_hwaddr.sa_data, &interface.hardware, sizeof interface.hardware);
      return 0;
    default:
      return -EOPNOTSUPP;
  }
}

}  // namespace

std::array<Interface, 2> interfaces() {
  constexpr unsigned up = IFF_UP | IFF_RUNNING;
  return {{{"lo",
            1,
            up | IFF_LOOPBACK,
            ARPHRD_LOOPBACK,
            {},
            {htonl(INADDR_LOOPBACK)},
            {htonl(loopback_mask)},
            65536},
           {first_interface,
            2,
            up | IFF_BROADCAST | IFF_MULTICAST,
            ARPHRD_ETHER,
            hardware_address(first_interface),
            {own_address()},
            {htonl(own_mask)},
            1500}}};
}

bool is_about_interfaces(unsigned long request) {
  return request >= first_request && request <= last_request;
}

long tell_of_interfaces(unsigned long request, void* argument) {
  if (request == SIOCGIFCONF) return tell_all(*static_cast<ifconf*>(argument));
  auto& told = *static_cast<ifreq*>(argument);
  for (const Interface& interface : interfaces()) {
    const bool is_asked = request == SIOCGIFNAME
                              ? interface.index == told.ifr_ifindex
                              : std::strncmp(interface.name, told.ifr_name, IFNAMSIZ) == 0;
    if (is_asked) return tell_one(request, interface, told);
  }
  return -ENODEV;
}

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
