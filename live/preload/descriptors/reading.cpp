#include <linux/netlink.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "live/preload/descriptors/descriptors.h"
#include "live/preload/descriptors/transfers.h"
#include "live/preload/kernel/gate.h"
#include "live/preload/process/randomness.h"
#include "live/preload/threads/threads.h"
#include "live/preload/time/spin.h"

namespace lockstep::live::preload {

namespace {

using Kind = Description::Kind;
using State = Description::State;

Deadline receive_deadline(const Description& description) {
  return description.receive_timeout_ns > 0 ? after(description.receive_timeout_ns) : Deadline{};
}

// 1: read from the kernel. Else what the read gives.
long state_of_connection(Description& connection) {
  if (connection.socket_type == SOCK_DGRAM) return 1;
  if (connection.pending_error != 0 && connection.state == State::reset) {
    return -take_error(connection);
  }
  switch (connection.state) {
    case State::open:
      return 1;
    case State::reset:
      return 0;
    case State::connecting:
      return -EAGAIN;
    case State::fresh:
    case State::failed:
    case State::listening:
      return -ENOTCONN;
  }
  return -ENOTCONN;
}

// What a netlink socket reads comes from the kernel.
void tell_sender(const Description& description, void* name, socklen_t& length) {
  if (description.kind != Kind::netlink || name == nullptr) return;
  sockaddr_nl kernel{};
  kernel.nl_family = AF_NETLINK;
  std::memcpy(name, &kernel, std::min<std::size_t>(length, sizeof kernel));
  length = sizeof kernel;
}

// Calls `read_once`, which must not block, until it has something to say or the wait is over.
template <class ReadOnce>
long read_waiting(int descriptor, Description& description, bool may_wait, ReadOnce read_once) {
  const Deadline deadline = receive_deadline(description);
  for (;;) {
    long result = description.kind == Kind::connection ? state_of_connection(description) : 1;
    if (result == 1) result = read_once();
    if (result == -EAGAIN && !may_wait) count_yield();
    if (result != -EAGAIN || !may_wait) return result;
    pollfd polled{descriptor, POLLIN, 0};
    const Thread::Woken woken = wait_for_descriptors(&polled, 1, deadline);
    if (woken == Thread::Woken::by_deadline) return -EAGAIN;
    if (woken == Thread::Woken::by_signal) return -EINTR;
    if (description_of(descriptor) != &description) return -EBADF;
  }
}

long on_read(const Call& call) {
  Description* const description = description_of(call.integer(0));
  if (description == nullptr) return pass(call);
  if (description->kind == Kind::random) {
    draw_random_bytes(call.pointer<void>(1), call.size(2));
    return call.words[2];
  }
  return read_waiting(call.integer(0), *description, !description->nonblocking,
                      [&call] { return pass(call); });
}

long on_readv(const Call& call) {
  Description* const description = description_of(call.integer(0));
  if (description == nullptr) return pass(call);
  if (description->kind == Kind::random) {
    const auto* const part = call.pointer<const iovec>(1);
    if (call.size(2) == 0) return 0;
    draw_random_bytes(part->iov_base, part->iov_len);
    return static_cast<long>(part->iov_len);
  }
  return read_waiting(call.integer(0), *description, !description->nonblocking,
                      [&call] { return pass(call); });
}

long on_recvfrom(const Call& call) {
  const int descriptor = call.integer(0);
  Description* const description = description_of(descriptor);
  if (description == nullptr) return pass(call);
  const int flags = call.integer(3);
  const bool may_wait = !description->nonblocking && (flags & MSG_DONTWAIT) == 0;
  const bool wants_all = may_wait && (flags & MSG_WAITALL) != 0 && (flags & MSG_PEEK) == 0;
  auto* const buffer = call.pointer<char>(1);
  std::size_t received = 0;
  const auto read_once = [&] {
    const bool named = description->kind != Kind::connection;
    return native(SYS_recvfrom, descriptor, buffer + received, call.size(2) - received,
                  (flags & ~MSG_WAITALL) | MSG_DONTWAIT, named ? call.words[4] : 0,
                  named ? call.words[5] : 0);
  };
  for (;;) {
    const long result = read_waiting(descriptor, *description, may_wait, read_once);
    if (result < 0) return received > 0 ? static_cast<long>(received) : result;
    if (call.words[5] != 0) {
      tell_sender(*description, call.pointer<void>(4), *call.pointer<socklen_t>(5));
    }
    received += static_cast<std::size_t>(result);
    if (result == 0 || !wants_all || received == call.size(2)) return static_cast<long>(received);
  }
}

long on_recvmsg(const Call& call) {
  const int descriptor = call.integer(0);
  Description* const description = description_of(descriptor);
  if (description == nullptr) return pass(call);
  const int flags = call.integer(2);
  auto* const message = call.pointer<msghdr>(1);
  if (description->kind == Kind::connection) message->msg_namelen = 0;
  socklen_t name_room = message->msg_namelen;
  const long result = read_waiting(
      descriptor, *description, !description->nonblocking && (flags & MSG_DONTWAIT) == 0, [&] {
        return native(SYS_recvmsg, descriptor, message, (flags & ~MSG_WAITALL) | MSG_DONTWAIT);
      });
  if (result >= 0 && description->kind == Kind::netlink) {
    tell_sender(*description, message->msg_name, name_room);
    message->msg_namelen = name_room;
  }
  return result;
}

long on_recvmmsg(const Call& call) {
  return description_of(call.integer(0)) != nullptr ? -ENOSYS : pass(call);
}

constexpr Trap traps[] = {
    {SYS_recvmmsg, on_recvmmsg}, {SYS_read, on_read},       {SYS_readv, on_readv},
    {SYS_recvfrom, on_recvfrom}, {SYS_recvmsg, on_recvmsg},
};

}  // namespace

TrapTable reading_traps() { return table_of(traps); }

}  // namespace lockstep::live::preload
