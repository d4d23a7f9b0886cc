#include "live/channel.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace lockstep::live {
namespace {

constexpr std::size_t descriptors_max = 4;

/// Room for the descriptors beside a packet, aligned as the kernel wants it.
struct alignas(cmsghdr) Ancillary {
  std::array<char, CMSG_SPACE(descriptors_max * sizeof(int))> bytes{};
};

}  // namespace

ChannelEnds make_channel() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot make a socket for a program");
  }
  return {sim::FileDescriptor(ends[0]), sim::FileDescriptor(ends[1])};
}

ChannelEnds make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot make a pipe for a program");
  }
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return {sim::FileDescriptor(ends[0]), sim::FileDescriptor(ends[1])};
}

bool send_packet(int channel, const Packet& packet, std::span<const int> descriptors) {
  Packet copy = packet;
  iovec part{&copy, sizeof copy};
  Ancillary ancillary;
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (!descriptors.empty()) {
    header.msg_control = ancillary.bytes.data();
    header.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* const rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(rights), descriptors.data(), descriptors.size_bytes());
  }
  while (true) {
    if (sendmsg(channel, &header, MSG_NOSIGNAL) >= 0) return true;
    if (errno != EINTR) return false;
  }
}

std::optional<Received> receive_packet(int channel) {
  Received received{};
  iovec part{&received.packet, sizeof received.packet};
  Ancillary ancillary;
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = ancillary.bytes.data();
  header.msg_controllen = ancillary.bytes.size();
  ssize_t bytes = -1;
  // Where a program ends with a packet of ours unread, its last ones come behind that error.
  bool was_reset = false;
  do {
    bytes = recvmsg(channel, &header, MSG_CMSG_CLOEXEC);
  } while (bytes < 0 &&
           (errno == EINTR || (errno == ECONNRESET && !std::exchange(was_reset, true))));
  if (bytes != static_cast<ssize_t>(sizeof received.packet)) return std::nullopt;
  const cmsghdr* const rights = CMSG_FIRSTHDR(&header);
  if (rights != nullptr && rights->cmsg_type == SCM_RIGHTS) {
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(rights), sizeof descriptor);
    received.descriptor = sim::FileDescriptor(descriptor);
  }
  return received;
}

}  // namespace lockstep::live
