// What a program asks and sets about a simulated connection: names and options.
#include <linux/netlink.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "live/preload/kernel/gate.h"
#include "live/preload/network/connections.h"
#include "live/preload/process/identity.h"
#include "live/preload/process/machine.h"

namespace lockstep::live::preload {

namespace {

using State = Description::State;

Description* socket_of(int descriptor) {
  Description* const description = description_of(descriptor);
  const bool is_ours =
      description != nullptr && (description->kind == Description::Kind::connection ||
                                 description->kind == Description::Kind::netlink);
  return is_ours ? description : nullptr;
}

template <class Value>
long answer(const Call& call, int value_word, int length_word, const Value& value) {
  auto* const length = call.pointer<socklen_t>(length_word);
  std::memcpy(call.pointer<void>(value_word), &value, std::min<std::size_t>(*length, sizeof value));
  *length = sizeof value;
  return 0;
}

long answer_name(const Call& call, int family, std::uint32_t address, int port) {
  if (family == AF_INET) {
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_port = htons(static_cast<std::uint16_t>(port));
    name.sin_addr.s_addr = htonl(address);
    return answer(call, 1, 2, name);
  }
  sockaddr_in6 name{};
  name.sin6_family = AF_INET6;
  name.sin6_port = htons(static_cast<std::uint16_t>(port));
  if (address != INADDR_ANY) {
    const std::uint32_t mapped = htonl(address);
    name.sin6_addr.s6_addr[10] = name.sin6_addr.s6_addr[11] = 0xff;
    std::memcpy(name.sin6_addr.s6_addr + 12, &mapped, sizeof mapped);
  }
  return answer(call, 1, 2, name);
}

// The program's own address on the way there: on the loopback, that itself.
std::uint32_t address_towards(std::uint32_t address) {
  constexpr std::uint32_t loopback_network = 127;
  return address >> 24U == loopback_network ? INADDR_LOOPBACK : ntohl(own_address());
}

long on_getsockname(const Call& call) {
  const Description* const connection = socket_of(call.integer(0));
  if (connection == nullptr) return pass(call);
  if (connection->family == AF_NETLINK) {
    sockaddr_nl name{};
    name.nl_family = AF_NETLINK;
    name.nl_pid = static_cast<std::uint32_t>(process_id());
    return answer(call, 1, 2, name);
  }
  const bool is_connected = connection->port != 0;
  return answer_name(call, connection->family,
                     is_connected ? address_towards(connection->address) : INADDR_ANY,
                     connection->local_port);
}

long on_getpeername(const Call& call) {
  const Description* const connection = socket_of(call.integer(0));
  if (connection == nullptr) return pass(call);
  if (connection->state != State::open) return -ENOTCONN;
  return answer_name(call, connection->family, connection->address, connection->port);
}

bool is_option(const Call& call, int level, int name) {
  return call.integer(1) == level && call.integer(2) == name;
}

long on_setsockopt(const Call& call) {
  Description* const connection = socket_of(call.integer(0));
  if (connection == nullptr) return pass(call);
  const bool receives = is_option(call, SOL_SOCKET, SO_RCVTIMEO);
  if (receives || is_option(call, SOL_SOCKET, SO_SNDTIMEO)) {
    if (call.size(4) < sizeof(timeval)) return -EINVAL;
    const std::int64_t ns = to_ns(*call.pointer<const timeval>(3));
    (receives ? connection->receive_timeout_ns : connection->send_timeout_ns) = ns;
    return 0;
  }
  if (call.size(4) < sizeof(int)) return 0;
  const SocketOption option{call.integer(1), call.integer(2), *call.pointer<const int>(3)};
  for (int i = 0; i < connection->option_count; ++i) {
    SocketOption& known = connection->options[i];
    if (known.level == option.level && known.name == option.name) {
      known = option;
      return 0;
    }
  }
  constexpr int options_max = sizeof connection->options / sizeof(SocketOption);
  if (connection->option_count < options_max) {
    connection->options[connection->option_count++] = option;
  }
  return 0;
}

int default_of(int level, int name) {
  if (level == SOL_SOCKET && (name == SO_SNDBUF || name == SO_RCVBUF)) return 131072;
  if (level == IPPROTO_TCP && name == TCP_MAXSEG) return 1460;
  return 0;
}

long on_getsockopt(const Call& call) {
  Description* const connection = socket_of(call.integer(0));
  if (connection == nullptr) return pass(call);
  if (is_option(call, SOL_SOCKET, SO_ERROR)) {
    return answer(call, 3, 4, take_error(*connection));
  }
  if (is_option(call, SOL_SOCKET, SO_TYPE)) return answer(call, 3, 4, connection->socket_type);
  if (is_option(call, SOL_SOCKET, SO_DOMAIN)) return answer(call, 3, 4, connection->family);
  if (is_option(call, SOL_SOCKET, SO_PROTOCOL)) {
    return answer(call, 3, 4, connection->socket_type == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP);
  }
  if (is_option(call, SOL_SOCKET, SO_ACCEPTCONN)) {
    return answer(call, 3, 4, connection->state == State::listening ? 1 : 0);
  }
  if (is_option(call, SOL_SOCKET, SO_RCVTIMEO)) {
    return answer(call, 3, 4, to_timeval(connection->receive_timeout_ns));
  }
  if (is_option(call, SOL_SOCKET, SO_SNDTIMEO)) {
    return answer(call, 3, 4, to_timeval(connection->send_timeout_ns));
  }
  for (int i = 0; i < connection->option_count; ++i) {
    const SocketOption& known = connection->options[i];
    if (is_option(call, known.level, known.name)) return answer(call, 3, 4, known.value);
  }
  return answer(call, 3, 4, default_of(call.integer(1), call.integer(2)));
}

constexpr Trap traps[] = {
    {SYS_getsockname, on_getsockname},
    {SYS_getpeername, on_getpeername},
    {SYS_setsockopt, on_setsockopt},
    {SYS_getsockopt, on_getsockopt},
};

}  // namespace

TrapTable socket_option_traps() { return table_of(traps); }

}  // namespace lockstep::live::preload
