#include "live/preload/network/connections.h"

#include <fcntl.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "live/preload/kernel/control.h"
#include "live/preload/kernel/gate.h"
#include "live/preload/process/fork_server.h"
#include "live/preload/threads/threads.h"

namespace lockstep::live::preload {

namespace {

using Kind = Description::Kind;
using State = Description::State;

constexpr int type_mask = 0xf;
constexpr int send_buffer_bytes = 212992;
// The simulator's ends lie above what a program uses, so that its own numbers stay low.
constexpr int simulator_ends_from = 512;
constexpr int first_local_port = 40000;
constexpr int first_bound_port = 50000;

int connections_made;
int last_bound_port = first_bound_port;

Description* connection_of(int descriptor) {
  Description* const description = description_of(descriptor);
  return description != nullptr && description->kind == Kind::connection ? description : nullptr;
}

bool is_netlink(int descriptor) {
  const Description* const description = description_of(descriptor);
  return description != nullptr && description->kind == Kind::netlink;
}

// Gives the pair's other end to the description; the program's end, or -errno.
long make_pair(int type, int* simulator_end) {
  int ends[2];
  const long made = native(SYS_socketpair, AF_UNIX, type | SOCK_NONBLOCK, 0, ends);
  if (made < 0) return made;
  const long moved = native(SYS_fcntl, ends[1], F_DUPFD_CLOEXEC, simulator_ends_from);
  native(SYS_close, ends[1]);
  if (moved < 0) {
    native(SYS_close, ends[0]);
    return moved;
  }
  *simulator_end = static_cast<int>(moved);
  return ends[0];
}

long make_socket(Kind kind, int family, int type) {
  int simulator_end = -1;
  const long descriptor = make_pair(type, &simulator_end);
  if (descriptor < 0) return descriptor;
  Description& connection = track(static_cast<int>(descriptor), kind);
  connection.nonblocking = (type & SOCK_NONBLOCK) != 0;
  connection.family = family;
  connection.socket_type = type & type_mask;
  connection.simulator_end = simulator_end;
  return descriptor;
}

long on_socket(const Call& call) {
  const int family = call.integer(0);
  const int type = call.integer(1);
  if (family == AF_NETLINK && call.integer(2) == NETLINK_ROUTE) {
    return make_socket(Kind::netlink, family, SOCK_DGRAM | (type & ~type_mask));
  }
  if (family == AF_INET || family == AF_INET6) {
    const bool is_raw = (type & type_mask) != SOCK_STREAM && (type & type_mask) != SOCK_DGRAM;
    return is_raw ? -EAFNOSUPPORT : make_socket(Kind::connection, family, type);
  }
  if (family != AF_UNIX) return -EAFNOSUPPORT;
  const long descriptor = native(SYS_socket, family, type | SOCK_NONBLOCK, call.words[2]);
  if (descriptor < 0) return descriptor;
  track(static_cast<int>(descriptor), Kind::stream).nonblocking = (type & SOCK_NONBLOCK) != 0;
  return descriptor;
}

struct Endpoint {
  std::uint32_t address;
  int port;
};

// False if it leads nowhere.
bool read_endpoint(const sockaddr* name, std::size_t length, Endpoint& endpoint) {
  if (name->sa_family == AF_INET && length >= sizeof(sockaddr_in)) {
    sockaddr_in internet;
    std::memcpy(&internet, name, sizeof internet);
    endpoint = {ntohl(internet.sin_addr.s_addr), ntohs(internet.sin_port)};
    return true;
  }
  if (name->sa_family != AF_INET6 || length < sizeof(sockaddr_in6)) return false;
  sockaddr_in6 internet;
  std::memcpy(&internet, name, sizeof internet);
  endpoint.port = ntohs(internet.sin6_port);
  if (IN6_IS_ADDR_LOOPBACK(&internet.sin6_addr)) {
    endpoint.address = INADDR_LOOPBACK;
    return true;
  }
  if (!IN6_IS_ADDR_V4MAPPED(&internet.sin6_addr)) return false;
  std::uint32_t mapped;
  std::memcpy(&mapped, internet.sin6_addr.s6_addr + 12, sizeof mapped);
  endpoint.address = ntohl(mapped);
  return true;
}

int fill_send_buffer(int descriptor) {
  const int least = 1;
  native(SYS_setsockopt, descriptor, SOL_SOCKET, SO_SNDBUF, &least, sizeof least);
  int bytes = 0;
  while (native(SYS_sendto, descriptor, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL, nullptr, 0) == 1) {
    ++bytes;
  }
  return bytes;
}

// A socket whose connect has failed may try again: it gets a new pair.
long renew(Description& connection) {
  const long made = make_pair(SOCK_STREAM, &connection.simulator_end);
  if (made < 0) return made;
  replace(connection, static_cast<int>(made));
  return 0;
}

long wait_for_connect(Description& connection) {
  const int number = connection.number;
  const Deadline deadline =
      connection.send_timeout_ns > 0 ? after(connection.send_timeout_ns) : Deadline{};
  Thread::Woken woken = Thread::Woken::by_restarting_signal;
  while (woken == Thread::Woken::by_restarting_signal) {
    if (connection.number != number || connection.state != State::connecting) break;
    woken = wait_for_connection(number, deadline);
  }
  if (woken == Thread::Woken::by_deadline) return -EINPROGRESS;
  if (woken == Thread::Woken::by_signal) return -EINTR;
  return -take_error(connection);
}

long begin_connect(int descriptor, Description& connection, Endpoint endpoint) {
  come_to_fork_point();
  connection.number = ++connections_made;
  if (connection.local_port == 0) connection.local_port = first_local_port + connection.number;
  connection.address = endpoint.address;
  connection.port = endpoint.port;
  connection.state = State::connecting;
  Packet packet{};
  packet.kind = Packet::Kind::connect;
  packet.connection = connection.number;
  packet.address = endpoint.address;
  packet.port = endpoint.port;
  packet.filler_bytes = fill_send_buffer(descriptor);
  send_packet(packet, connection.simulator_end);
  native(SYS_close, connection.simulator_end);
  connection.simulator_end = -1;
  return connection.nonblocking ? -EINPROGRESS : wait_for_connect(connection);
}

// Others, of the name service or a log, programs do without.
void tell_of_unix_socket(const sockaddr* name, std::size_t length) {
  static bool has_told;
  if (has_told || name->sa_family != AF_UNIX || length <= offsetof(sockaddr_un, sun_path)) return;
  sockaddr_un address{};
  std::memcpy(&address, name, length < sizeof address - 1 ? length : sizeof address - 1);
  if (std::strstr(address.sun_path, "redis") == nullptr) return;
  has_told = true;
  tell("the simulated Redis has no Unix socket, connect fails (ECONNREFUSED); expected TCP");
}

// A program may ask afterwards which address of its own leads there; nothing is sent.
long aim(Description& datagrams, const sockaddr* name, std::size_t length) {
  if (name->sa_family == AF_UNSPEC) {
    datagrams.state = State::fresh;
    return 0;
  }
  Endpoint endpoint{};
  if (!read_endpoint(name, length, endpoint)) return -ENETUNREACH;
  if (datagrams.local_port == 0) datagrams.local_port = ++last_bound_port;
  datagrams.address = endpoint.address;
  datagrams.port = endpoint.port;
  datagrams.state = State::open;
  return 0;
}

long on_connect(const Call& call) {
  const int descriptor = call.integer(0);
  const auto* const name = call.pointer<const sockaddr>(1);
  Description* const connection = connection_of(descriptor);
  if (connection == nullptr) {
    if (description_of(descriptor) == nullptr) return pass(call);
    tell_of_unix_socket(name, call.size(2));
    return -ECONNREFUSED;
  }
  Endpoint endpoint{};
  if (connection->socket_type == SOCK_DGRAM) return aim(*connection, name, call.size(2));
  switch (connection->state) {
    case State::connecting:
      return connection->nonblocking ? -EALREADY : wait_for_connect(*connection);
    case State::open:
    case State::reset:
      return -EISCONN;
    case State::listening:
      return -EINVAL;
    case State::failed: {
      if (connection->pending_error != 0) return -take_error(*connection);
      const long renewed = renew(*connection);
      if (renewed < 0) return renewed;
      break;
    }
    case State::fresh:
      break;
  }
  if (!read_endpoint(name, call.size(2), endpoint)) return -ENETUNREACH;
  return begin_connect(descriptor, *connection, endpoint);
}

long on_bind(const Call& call) {
  Description* const connection = connection_of(call.integer(0));
  if (connection == nullptr) return is_netlink(call.integer(0)) ? 0 : pass(call);
  Endpoint endpoint{};
  if (!read_endpoint(call.pointer<const sockaddr>(1), call.size(2), endpoint)) endpoint.port = 0;
  connection->local_port = endpoint.port != 0 ? endpoint.port : ++last_bound_port;
  return 0;
}

long on_listen(const Call& call) {
  Description* const connection = connection_of(call.integer(0));
  if (connection == nullptr) return pass(call);
  connection->state = State::listening;
  return 0;
}

// Nobody ever connects.
long on_accept(const Call& call) {
  Description* const description = description_of(call.integer(0));
  if (description == nullptr) return pass(call);
  if (description->kind == Kind::connection && description->state != State::listening) {
    return -EINVAL;
  }
  if (description->nonblocking) return -EAGAIN;
  pollfd polled{call.integer(0), POLLIN, 0};
  wait_for_descriptors(&polled, 1, Deadline{});
  return description->kind == Kind::connection ? -EINTR : pass(call);
}

long on_shutdown(const Call& call) {
  const Description* const connection = connection_of(call.integer(0));
  if (connection == nullptr || connection->state == State::open) return pass(call);
  return -ENOTCONN;
}

int error_of(Packet::Result result) {
  switch (result) {
    case Packet::Result::opened:
      return 0;
    case Packet::Result::refused:
      return ECONNREFUSED;
    case Packet::Result::timed_out:
      return ETIMEDOUT;
    case Packet::Result::reset:
      return ECONNRESET;
  }
  return EPROTO;
}

constexpr Trap traps[] = {
    {SYS_socket, on_socket},     {SYS_connect, on_connect}, {SYS_bind, on_bind},
    {SYS_listen, on_listen},     {SYS_accept, on_accept},   {SYS_accept4, on_accept},
    {SYS_shutdown, on_shutdown},
};

}  // namespace

TrapTable connection_traps() { return table_of(traps); }

void apply_result(const Packet::ConnectionResult& result) {
  for_each_descriptor([&result](int descriptor, Description& connection) {
    if (connection.kind != Kind::connection || connection.number != result.connection) return;
    native(SYS_setsockopt, descriptor, SOL_SOCKET, SO_SNDBUF, &send_buffer_bytes,
           sizeof send_buffer_bytes);
    if (result.result == Packet::Result::opened) {
      connection.state = State::open;
      return;
    }
    connection.state = result.result == Packet::Result::reset ? State::reset : State::failed;
    connection.pending_error = error_of(result.result);
    // Whoever waits for the socket looks at it.
    native(SYS_shutdown, descriptor, SHUT_RDWR);
  });
  for (Thread& thread : used_threads()) {
    if (thread.state == Thread::State::waiting && thread.wait == Thread::Wait::connection &&
        thread.connection == result.connection) {
      wake(thread, Thread::Woken::by_event);
    }
  }
}

bool is_any_connection_full() {
  bool found = false;
  for_each_descriptor([&found](int descriptor, Description& connection) {
    if (connection.kind != Kind::connection || !connection.is_full) return;
    pollfd polled{descriptor, POLLOUT, 0};
    connection.is_full = native(SYS_poll, &polled, 1, 0) == 0;
    found = found || connection.is_full;
  });
  return found;
}

void close_connections() {
  for_each_descriptor([](int descriptor, const Description& description) {
    if (description.kind == Kind::connection) native(SYS_close, descriptor);
  });
}

void renew_connections() {
  for (Description& description : used_descriptions()) {
    if (description.references == 0 || description.simulator_end < 0) continue;
    native(SYS_close, description.simulator_end);
    const long made = make_pair(description.socket_type, &description.simulator_end);
    if (made >= 0) replace(description, static_cast<int>(made));
  }
}

}  // namespace lockstep::live::preload
