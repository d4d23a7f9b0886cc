#include "live/preload/kernel/control.h"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <initializer_list>

#include "live/preload/kernel/gate.h"

namespace lockstep::live::preload {

namespace {

constexpr std::size_t descriptors_max = 4;

}  // namespace

void send_packet(const Packet& packet, int descriptor) {
  iovec part{const_cast<Packet*>(&packet), sizeof packet};
  alignas(cmsghdr) char ancillary[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    message.msg_control = ancillary;
    message.msg_controllen = sizeof ancillary;
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  long sent = -EINTR;
  while (sent == -EINTR) sent = native(SYS_sendmsg, control_fd, &message, MSG_NOSIGNAL);
  if (sent < 0) end_process(1);
}

Packet receive_packet(int* descriptors, std::size_t room) {
  Packet packet{};
  iovec part{&packet, sizeof packet};
  alignas(cmsghdr) char ancillary[CMSG_SPACE(sizeof(int) * descriptors_max)] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = ancillary;
  message.msg_controllen = room == 0 ? 0 : CMSG_SPACE(sizeof(int) * room);
  long received = -EINTR;
  while (received == -EINTR) {
    received = native(SYS_recvmsg, control_fd, &message, MSG_CMSG_CLOEXEC);
  }
  if (received <= 0) end_process(1);
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && descriptors != nullptr) {
    std::memcpy(descriptors, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
  }
  return packet;
}

void tell(const char* what) {
  for (const char* const text : {"lockstep: ", what, "\n"}) {
    native(SYS_write, STDERR_FILENO, text, std::strlen(text));
  }
}

void refuse(const char* what) {
  tell(what);
  Packet packet{};
  packet.kind = Packet::Kind::refused;
  std::strncpy(packet.text, what, sizeof packet.text - 1);
  send_packet(packet);
  end_process(1);
}

void end_process(int status) {
  for (;;) native(SYS_exit_group, status);
}

}  // namespace lockstep::live::preload
