// Netlink, as far as it tells which interfaces there are, and which addresses they have. The socket
// is an end of a pair, to whose other end the reply is written.
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "live/preload/kernel/gate.h"
#include "live/preload/network/interfaces.h"
#include "live/preload/process/identity.h"

namespace lockstep::live::preload {

namespace {

constexpr std::size_t reply_max = 1024;

struct Reply {
  const nlmsghdr& request;
  alignas(nlmsghdr) char bytes[reply_max] = {};
  std::size_t size = 0;
  std::size_t message_at = 0;

  template <class Body>
  void begin(int type, const Body& body) {
    message_at = size;
    nlmsghdr header{};
    header.nlmsg_type = static_cast<std::uint16_t>(type);
    header.nlmsg_flags = request.nlmsg_flags & NLM_F_DUMP ? NLM_F_MULTI : 0;
    header.nlmsg_seq = request.nlmsg_seq;
    header.nlmsg_pid = static_cast<std::uint32_t>(process_id());
    add(&header, sizeof header);
    add(&body, sizeof body);
    end();
  }

  void add_attribute(int type, const void* value, std::size_t value_size) {
    const rtattr header{static_cast<std::uint16_t>(RTA_LENGTH(value_size)),
                        static_cast<std::uint16_t>(type)};
    add(&header, sizeof header);
    add(value, value_size);
    end();
  }

 private:
  void add(const void* part, std::size_t part_size) {
    std::memcpy(bytes + size, part, part_size);
    size += NLMSG_ALIGN(part_size);
  }

  void end() {
    const auto length = static_cast<std::uint32_t>(size - message_at);
    std::memcpy(bytes + message_at, &length, sizeof length);
  }
};

void tell_link(Reply& reply, const Interface& interface) {
  ifinfomsg body{};
  body.ifi_family = AF_UNSPEC;
  body.ifi_type = interface.hardware_type;
  body.ifi_index = interface.index;
  body.ifi_flags = interface.flags;
  reply.begin(RTM_NEWLINK, body);
  reply.add_attribute(IFLA_IFNAME, interface.name, std::strlen(interface.name) + 1);
  reply.add_attribute(IFLA_MTU, &interface.largest_packet, sizeof interface.largest_packet);
  reply.add_attribute(IFLA_ADDRESS, &interface.hardware, sizeof interface.hardware);
}

void tell_address(Reply& reply, const Interface& interface) {
  ifaddrmsg body{};
  body.ifa_family = AF_INET;
  body.ifa_prefixlen = static_cast<unsigned char>(std::popcount(interface.mask.s_addr));
  body.ifa_index = static_cast<unsigned>(interface.index);
  reply.begin(RTM_NEWADDR, body);
  reply.add_attribute(IFA_ADDRESS, &interface.address, sizeof interface.address);
  reply.add_attribute(IFA_LOCAL, &interface.address, sizeof interface.address);
  reply.add_attribute(IFA_LABEL, interface.name, std::strlen(interface.name) + 1);
}

void refuse_request(Reply& reply, int error) {
  nlmsgerr body{};
  body.error = -error;
  body.msg = reply.request;
  reply.begin(NLMSG_ERROR, body);
}

// All of them, or the link of the index that is asked for.
void answer(Reply& reply, int index) {
  const bool is_for_all = (reply.request.nlmsg_flags & NLM_F_DUMP) != 0;
  const bool is_for_links = reply.request.nlmsg_type == RTM_GETLINK;
  if (!is_for_links && !(is_for_all && reply.request.nlmsg_type == RTM_GETADDR)) {
    return refuse_request(reply, EOPNOTSUPP);
  }
  for (const Interface& interface : interfaces()) {
    if (!is_for_all && interface.index != index) continue;
    if (is_for_links) {
      tell_link(reply, interface);
    } else {
      tell_address(reply, interface);
    }
  }
  if (is_for_all) {
    reply.begin(NLMSG_DONE, int{0});
  } else if (reply.size == 0) {
    refuse_request(reply, ENODEV);
  }
}

}  // namespace

long ask_netlink(const Description& socket, const void* bytes, std::size_t size) {
  nlmsghdr request;
  if (size < sizeof request) return -EINVAL;
  std::memcpy(&request, bytes, sizeof request);
  ifinfomsg link{};
  std::memcpy(&link, static_cast<const char*>(bytes) + sizeof request,
              std::min(size - sizeof request, sizeof link));
  Reply reply{request};
  answer(reply, link.ifi_index);
  const long sent =
      native(SYS_sendto, socket.simulator_end, reply.bytes, reply.size, MSG_DONTWAIT, nullptr, 0);
  return sent < 0 ? sent : static_cast<long>(size);
}

}  // namespace lockstep::live::preload
