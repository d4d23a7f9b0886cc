#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <cerrno>
#include <csignal>

#include "live/preload/descriptors/descriptors.h"
#include "live/preload/descriptors/transfers.h"
#include "live/preload/kernel/gate.h"
#include "live/preload/kernel/idle.h"
#include "live/preload/network/interfaces.h"
#include "live/preload/process/fork_server.h"
#include "live/preload/threads/signals.h"
#include "live/preload/threads/threads.h"
#include "live/preload/time/local_time.h"

namespace lockstep::live::preload {

namespace {

using Kind = Description::Kind;
using State = Description::State;

// What is left of a message in parts.
struct Remainder {
  const iovec* parts;
  std::size_t count;
  std::size_t written_of_first = 0;

  bool empty() const { return count == 0; }

  void advance(std::size_t bytes) {
    while (count > 0 && bytes >= parts->iov_len - written_of_first) {
      bytes -= parts->iov_len - written_of_first;
      ++parts;
      --count;
      written_of_first = 0;
    }
    written_of_first += bytes;
  }
};

// One write to the kernel, of all parts or of the rest of the first.
struct Write {
  int descriptor;
  bool is_socket;
  int flags;
  const msghdr* message;  ///< of sendmsg: name and ancillary data, with the first bytes only

  long operator()(const Remainder& rest, bool is_first) const {
    iovec first{static_cast<char*>(rest.parts->iov_base) + rest.written_of_first,
                rest.parts->iov_len - rest.written_of_first};
    const bool is_whole = rest.written_of_first == 0;
    const iovec* const parts = is_whole ? rest.parts : &first;
    const std::size_t count = is_whole ? rest.count : 1;
    if (!is_socket) return native(SYS_writev, descriptor, parts, count);
    msghdr part{};
    if (message != nullptr && is_first) part = *message;
    part.msg_iov = const_cast<iovec*>(parts);
    part.msg_iovlen = count;
    return native(SYS_sendmsg, descriptor, &part, flags | MSG_DONTWAIT | MSG_NOSIGNAL);
  }
};

// 0: write to the kernel. Else what the write gives.
long state_of_connection(Description& connection) {
  switch (connection.state) {
    case State::open:
      return 0;
    case State::reset: {
      const int error = take_error(connection);
      return error != 0 ? -error : -EPIPE;
    }
    case State::connecting:
      return -EAGAIN;
    case State::fresh:
    case State::failed:
    case State::listening:
      return -EPIPE;
  }
  return -EPIPE;
}

long write_waiting(const Write& write, Description& description, Remainder rest, bool may_wait) {
  const Deadline deadline =
      description.send_timeout_ns > 0 ? after(description.send_timeout_ns) : Deadline{};
  const bool is_connection = description.kind == Kind::connection;
  long written = 0;
  for (;;) {
    long result = is_connection ? state_of_connection(description) : 0;
    if (result == 0) result = write(rest, written == 0);
    description.is_full = result == -EAGAIN;
    if (result >= 0) {
      written += result;
      rest.advance(static_cast<std::size_t>(result));
      if (rest.empty() || (!may_wait && result == 0)) return written;
      if (!may_wait) {
        description.is_full = is_connection;
        return written;
      }
      continue;
    }
    if (result != -EAGAIN || !may_wait) return written > 0 ? written : result;
    pollfd polled{write.descriptor, POLLOUT, 0};
    const Thread::Woken woken = wait_for_descriptors(&polled, 1, deadline);
    if (woken == Thread::Woken::by_deadline) return written > 0 ? written : -EAGAIN;
    if (woken == Thread::Woken::by_signal) return written > 0 ? written : -EINTR;
    if (description_of(write.descriptor) != &description) return -EBADF;
  }
}

long write_parts(int descriptor, Description& description, const iovec* parts, std::size_t count,
                 int flags, bool is_socket, const msghdr* message) {
  Remainder rest{parts, count};
  rest.advance(0);  // past empty parts
  if (rest.empty()) return 0;
  if (description.kind == Kind::netlink) {
    return ask_netlink(description, rest.parts->iov_base, rest.parts->iov_len);
  }
  if (description.socket_type == SOCK_DGRAM) return -ENETUNREACH;
  if (description.kind == Kind::connection) {
    offer_to_be_overtaken();
    if (description_of(descriptor) != &description) return -EBADF;
  }
  const bool may_wait = !description.nonblocking && (flags & MSG_DONTWAIT) == 0;
  const long result =
      write_waiting({descriptor, is_socket, flags, message}, description, rest, may_wait);
  if (result == -EPIPE && is_socket && (flags & MSG_NOSIGNAL) == 0) raise_signal(SIGPIPE);
  return result;
}

bool is_socket(const Description& description) {
  return description.kind == Kind::connection || description.kind == Kind::netlink ||
         (description.kind == Kind::stream && !description.is_pipe);
}

// The simulator hears of a report before the program goes on: a pause that it brings about strikes
// here, and not where the program waits next.
long report(const Call& call) {
  come_to_fork_point();
  const long result = pass(call);
  if (result > 0) be_idle(monotonic_now());
  return result;
}

long on_write(const Call& call) {
  Description* const description = description_of(call.integer(0));
  if (description == nullptr) return pass(call);
  if (description->kind == Kind::report) return report(call);
  const iovec part{call.pointer<void>(1), call.size(2)};
  return write_parts(call.integer(0), *description, &part, 1, 0, is_socket(*description), nullptr);
}

long on_writev(const Call& call) {
  Description* const description = description_of(call.integer(0));
  if (description == nullptr) return pass(call);
  if (description->kind == Kind::report) return report(call);
  return write_parts(call.integer(0), *description, call.pointer<const iovec>(1), call.size(2), 0,
                     is_socket(*description), nullptr);
}

long on_sendto(const Call& call) {
  Description* const description = description_of(call.integer(0));
  if (description == nullptr) return pass(call);
  if (!is_socket(*description)) return -ENOTSOCK;
  const iovec part{call.pointer<void>(1), call.size(2)};
  return write_parts(call.integer(0), *description, &part, 1, call.integer(3), true, nullptr);
}

long send_message(int descriptor, Description& description, const msghdr& message, int flags) {
  msghdr header{};
  header.msg_control = message.msg_control;
  header.msg_controllen = message.msg_controllen;
  return write_parts(descriptor, description, message.msg_iov, message.msg_iovlen, flags, true,
                     &header);
}

long on_sendmsg(const Call& call) {
  Description* const description = description_of(call.integer(0));
  if (description == nullptr) return pass(call);
  if (!is_socket(*description)) return -ENOTSOCK;
  return send_message(call.integer(0), *description, *call.pointer<const msghdr>(1),
                      call.integer(2));
}

long on_sendmmsg(const Call& call) {
  Description* const description = description_of(call.integer(0));
  if (description == nullptr) return pass(call);
  if (!is_socket(*description)) return -ENOTSOCK;
  auto* const messages = call.pointer<mmsghdr>(1);
  const auto count = static_cast<unsigned>(call.words[2]);
  for (unsigned sent = 0; sent < count; ++sent) {
    const long result =
        send_message(call.integer(0), *description, messages[sent].msg_hdr, call.integer(3));
    if (result < 0) return sent > 0 ? static_cast<long>(sent) : result;
    messages[sent].msg_len = static_cast<unsigned>(result);
  }
  return static_cast<long>(count);
}

long on_transfer(const Call& call, int first, int second) {
  const bool is_tracked = description_of(call.integer(first)) != nullptr ||
                          description_of(call.integer(second)) != nullptr;
  return is_tracked ? -EINVAL : pass(call);
}

long on_sendfile(const Call& call) { return on_transfer(call, 0, 1); }
long on_splice(const Call& call) { return on_transfer(call, 0, 2); }

constexpr Trap traps[] = {
    {SYS_sendfile, on_sendfile}, {SYS_splice, on_splice}, {SYS_write, on_write},
    {SYS_writev, on_writev},     {SYS_sendto, on_sendto}, {SYS_sendmsg, on_sendmsg},
    {SYS_sendmmsg, on_sendmmsg},
};

}  // namespace

TrapTable writing_traps() { return table_of(traps); }

}  // namespace lockstep::live::preload
