#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/live/preload/probe/probe.h"

namespace probe {
namespace {

constexpr const char* host = "10.0.0.1";
constexpr int port = 6379;

long say(int socket_fd, const char* text) { return send(socket_fd, text, std::strlen(text), 0); }

long hear(int socket_fd) {
  char buffer[4096];
  const ssize_t count = recv(socket_fd, buffer, sizeof buffer - 1, 0);
  if (count > 0) std::printf("heard %.*s\n", static_cast<int>(count), buffer);
  return count;
}

short ready(int socket_fd, short events) {
  pollfd polled{socket_fd, events, 0};
  return poll(&polled, 1, 0) <= 0 ? short{0} : polled.revents;
}

int socket_error(int socket_fd) {
  int error = -1;
  socklen_t length = sizeof error;
  getsockopt(socket_fd, SOL_SOCKET, SO_ERROR, &error, &length);
  return error;
}

// The server echoes.
void talk() {
  const int socket_fd = connect_to(host, port);
  report("say", [&] { return say(socket_fd, "hello"); });
  report("hear", [&] { return hear(socket_fd); });
  report("write", [&] { return write(socket_fd, "again", 5); });
  char byte[8];
  report("peek", [&] { return recv(socket_fd, byte, 2, MSG_PEEK); });
  int waiting = 0;
  ioctl(socket_fd, FIONREAD, &waiting);
  std::printf("waiting %d\n", waiting);
  report("all", [&] { return recv(socket_fd, byte, 5, MSG_WAITALL); });
  char parts[2][3];
  report("writev", [&] {
    const iovec written[] = {
        {const_cast<char*>("ab"), 2}, {nullptr, 0}, {const_cast<char*>("cde"), 3}};
    return writev(socket_fd, written, 3);
  });
  report("readv", [&] {
    const iovec read_into[] = {{parts[0], 3}, {parts[1], 3}};
    return readv(socket_fd, read_into, 2);
  });
  std::printf("parts %.3s %.2s\n", parts[0], parts[1]);
  const int copy = dup(socket_fd);
  close(socket_fd);
  report("say_by_copy", [&] { return say(copy, "bye"); });
  report("hear_by_copy", [&] { return hear(copy); });
  shutdown(copy, SHUT_WR);
  report("end", [&] { return hear(copy); });
  signal(SIGPIPE, SIG_IGN);
  report("write_after_end", [&] { return say(copy, "x"); });
  close(copy);
}

void connect_without_blocking() {
  const int socket_fd = connect_to(host, port, SOCK_NONBLOCK);
  std::printf("writable %d peer %d\n", ready(socket_fd, POLLOUT),
              getpeername(socket_fd, nullptr, nullptr));
  report("again", [&] {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    return connect(socket_fd, reinterpret_cast<sockaddr*>(&address), sizeof address);
  });
  pollfd polled{socket_fd, POLLOUT, 0};
  report("wait", [&] { return poll(&polled, 1, 5000); });
  std::printf("error %d\n", socket_error(socket_fd));
  report("hear", [&] { return hear(socket_fd); });
  report("say", [&] { return say(socket_fd, "hello"); });
  report("wait", [&] {
    polled.events = POLLIN;
    return poll(&polled, 1, 5000);
  });
  report("hear", [&] { return hear(socket_fd); });
  int no = 0;
  ioctl(socket_fd, FIONBIO, &no);
  require((fcntl(socket_fd, F_GETFL) & O_NONBLOCK) == 0, "it blocks now");
  say(socket_fd, "more");
  report("hear_blocking", [&] { return hear(socket_fd); });
}

// The simulator refuses, or never answers.
void connect_in_vain() {
  const int blocking = connect_to(host, port);
  report("hear", [&] { return hear(blocking); });
  const int socket_fd = connect_to(host, port, SOCK_NONBLOCK);
  const int epoll = epoll_create1(0);
  epoll_event event{};
  event.events = EPOLLOUT;
  epoll_ctl(epoll, EPOLL_CTL_ADD, socket_fd, &event);
  report("wait", [&] { return epoll_wait(epoll, &event, 1, 60'000); });
  std::printf("error %s\n", strerrorname_np(socket_error(socket_fd)));
  std::printf("then %d\n", socket_error(socket_fd));
}

// The simulator reads, but nobody answers: more than fits must wait until it has read.
void write_much() {
  static char large[2'000'000];
  const int socket_fd = connect_to(host, port);
  report("blocking", [&] { return write(socket_fd, large, sizeof large); });
  fcntl(socket_fd, F_SETFL, O_NONBLOCK);
  long total = 0;
  int rounds = 0;
  while (total < static_cast<long>(sizeof large)) {
    const ssize_t some = write(socket_fd, large, sizeof large - static_cast<std::size_t>(total));
    if (some > 0) {
      total += some;
      continue;
    }
    require(errno == EAGAIN, "there is no room");
    pollfd polled{socket_fd, POLLOUT, 0};
    require(poll(&polled, 1, 1000) == 1, "there is room later");
    ++rounds;
  }
  std::printf("total %ld waited %d\n", total, rounds > 0 ? 1 : 0);
}

// Nobody reads for a while: then writing waits, at most as long as it may.
void wait_to_write() {
  static char large[600'000];
  const int socket_fd = connect_to(host, port);
  const timeval time{0, 500'000};
  setsockopt(socket_fd, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
  report("write", [&] { return write(socket_fd, large, sizeof large) < 600'000 ? 0 : 1; });
  report("write_more", [&] { return write(socket_fd, large, sizeof large); });
  fcntl(socket_fd, F_SETFL, O_NONBLOCK);
  report("sleep", [&] { return poll(nullptr, 0, 5000); });
  pollfd polled{socket_fd, POLLOUT, 0};
  report("poll", [&] { return poll(&polled, 1, 10'000); });
}

// The server resets the connection when it hears of it, with a reply under way.
void be_reset() {
  signal(SIGPIPE, SIG_IGN);
  const int socket_fd = connect_to(host, port);
  say(socket_fd, "reset me");
  report("hear", [&] { return hear(socket_fd); });
  report("hear_then", [&] { return hear(socket_fd); });
  report("say_then", [&] { return say(socket_fd, "x"); });
  const int other = connect_to(host, port);
  say(other, "reset me");
  usleep(100'000);
  std::printf("events %d\n", ready(other, POLLIN | POLLOUT));
  report("say", [&] { return say(other, "x"); });
  report("say_then", [&] { return say(other, "x"); });
}

void time_out() {
  const int socket_fd = connect_to(host, port);
  const timeval time{0, 300'000};
  setsockopt(socket_fd, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  timeval told{};
  socklen_t length = sizeof told;
  getsockopt(socket_fd, SOL_SOCKET, SO_RCVTIMEO, &told, &length);
  std::printf("told %ld.%06ld\n", told.tv_sec, told.tv_usec);
  report("recv", [&] { return hear(socket_fd); });
  char byte = 0;
  report("read", [&] { return read(socket_fd, &byte, 1); });
}

void ask_for_names_and_options() {
  const int socket_fd = connect_to(host, port);
  sockaddr_in name{};
  socklen_t length = sizeof name;
  getsockname(socket_fd, reinterpret_cast<sockaddr*>(&name), &length);
  std::printf("own %s:%d\n", inet_ntoa(name.sin_addr), ntohs(name.sin_port));
  getpeername(socket_fd, reinterpret_cast<sockaddr*>(&name), &length);
  std::printf("peer %s:%d %u\n", inet_ntoa(name.sin_addr), ntohs(name.sin_port), length);
  const auto ask = [&](const char* text, int level, int option) {
    int value = -1;
    socklen_t size = sizeof value;
    const int result = getsockopt(socket_fd, level, option, &value, &size);
    std::printf("%s %d %d\n", text, result, value);
  };
  const int one = 1;
  ask("nodelay", IPPROTO_TCP, TCP_NODELAY);
  require(setsockopt(socket_fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) == 0, "an option");
  require(setsockopt(socket_fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one) == 0, "an option");
  ask("nodelay", IPPROTO_TCP, TCP_NODELAY);
  ask("keepalive", SOL_SOCKET, SO_KEEPALIVE);
  ask("type", SOL_SOCKET, SO_TYPE);
  ask("domain", SOL_SOCKET, SO_DOMAIN);
  ask("protocol", SOL_SOCKET, SO_PROTOCOL);
}

// As ip(8) does, and libc's if_nameindex and if_nametoindex.
void ask_for_interfaces() {
  for (const char* name : {"lo", "eth0", "eth1"}) {
    ifreq request{};
    std::strcpy(request.ifr_name, name);
    const int socket_fd = socket(AF_INET, SOCK_DGRAM, 0);
    report(name, [&] { return ioctl(socket_fd, SIOCGIFHWADDR, &request); });
    if (ioctl(socket_fd, SIOCGIFADDR, &request) < 0) continue;
    std::printf("%s\n", inet_ntoa(reinterpret_cast<sockaddr_in*>(&request.ifr_addr)->sin_addr));
    require(ioctl(socket_fd, SIOCGIFNETMASK, &request) == 0, "a mask");
    std::printf("%s\n", inet_ntoa(reinterpret_cast<sockaddr_in*>(&request.ifr_addr)->sin_addr));
    require(ioctl(socket_fd, SIOCGIFMTU, &request) == 0, "a size");
    std::printf("%d %u\n", request.ifr_mtu, if_nametoindex(name));
    report("brdaddr", [&] { return ioctl(socket_fd, SIOCGIFBRDADDR, &request); });
    report("map", [&] { return ioctl(socket_fd, SIOCGIFMAP, &request); });
    close(socket_fd);
  }
  ifconf wanted{};
  const int socket_fd = socket(AF_INET6, SOCK_DGRAM, 0);
  require(ioctl(socket_fd, SIOCGIFCONF, &wanted) == 0, "a size");
  std::printf("%d\n", wanted.ifc_len / static_cast<int>(sizeof(ifreq)));
  report("send", [&] { return send(socket_fd, "x", 1, 0); });
  struct if_nameindex* const names = if_nameindex();
  for (const struct if_nameindex* each = names; each->if_index != 0; ++each) {
    std::printf("%u %s\n", each->if_index, each->if_name);
  }
  if_freenameindex(names);
  const int asking = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
  struct {
    nlmsghdr header;
    ifinfomsg link;
  } request{};
  request.header.nlmsg_len = sizeof request;
  for (const auto& [type, index] :
       {std::pair{RTM_GETLINK, 2}, {RTM_GETLINK, 7}, {RTM_GETROUTE, 0}}) {
    request.header.nlmsg_type = static_cast<std::uint16_t>(type);
    request.link.ifi_index = index;
    require(send(asking, &request, sizeof request, 0) == sizeof request, "a request");
    alignas(nlmsghdr) char reply[512];
    const ssize_t size = recv(asking, reply, sizeof reply, 0);
    const auto* const header = reinterpret_cast<const nlmsghdr*>(reply);
    require(header->nlmsg_len == size, "one message");
    const auto* const error = static_cast<const nlmsgerr*>(NLMSG_DATA(header));
    std::printf("%d %s\n", header->nlmsg_type,
                header->nlmsg_type == NLMSG_ERROR ? strerrorname_np(-error->error) : "");
  }
}

// No network but the simulated one.
void look_around() {
  report("datagram", [] { return socket(AF_INET, SOCK_DGRAM, 0); });
  report("raw", [] { return socket(AF_INET, SOCK_RAW, IPPROTO_ICMP); });
  report("netlink", [] { return socket(AF_NETLINK, SOCK_RAW, 0); });
  report("unix", [] {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    std::strcpy(name.sun_path, "/run/dbus/system_bus_socket");
    const int socket_fd = socket(AF_UNIX, SOCK_STREAM, 0);
    return connect(socket_fd, reinterpret_cast<sockaddr*>(&name), sizeof name);
  });
  ifaddrs* found = nullptr;
  require(getifaddrs(&found) == 0, "interfaces");
  for (const ifaddrs* each = found; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr->sa_family != AF_INET) continue;
    const auto* const address = reinterpret_cast<const sockaddr_in*>(each->ifa_addr);
    std::printf("%s %s\n", each->ifa_name, inet_ntoa(address->sin_addr));
  }
  freeifaddrs(found);
  DIR* const folder = opendir("/sys/class/net");
  for (const dirent* each = readdir(folder); each != nullptr; each = readdir(folder)) {
    std::printf("folder %s\n", each->d_name);
  }
  rewinddir(folder);
  require(readdir(folder) != nullptr, "it is listed anew");
  closedir(folder);
  const int listening = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  report("bind", [&] { return bind(listening, reinterpret_cast<sockaddr*>(&name), sizeof name); });
  report("listen", [&] { return listen(listening, 5); });
  report("accept", [&] { return accept(listening, nullptr, nullptr); });
}

void look_up(const char* name, int family) {
  addrinfo hints{};
  hints.ai_family = family;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(name, "6379", &hints, &found);
  if (error != 0) {
    std::printf("%s: %s\n", name, gai_strerror(error));
    return;
  }
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    char text[64];
    char service[16];
    getnameinfo(each->ai_addr, each->ai_addrlen, text, sizeof text, service, sizeof service, 0);
    std::printf("%s: %s %s\n", name, text, service);
  }
  freeaddrinfo(found);
}

void look_up_names() {
  for (const char* name :
       {"redis-1", "REDIS-1", "localhost", "host-1", "127.0.0.5", "::1", "example.org"}) {
    look_up(name, AF_UNSPEC);
  }
  look_up("redis-2", AF_INET);
  const hostent* const found = gethostbyname("redis-2");
  require(found != nullptr, "redis-2 is known");
  std::printf("%s %s\n", found->h_name, inet_ntoa(*reinterpret_cast<in_addr*>(found->h_addr)));
  require(gethostbyname("example.org") == nullptr && h_errno == HOST_NOT_FOUND, "others are not");
}

// IPv6 sockets, as Java makes them.
void connect_by_ipv6() {
  const int socket_fd = socket(AF_INET6, SOCK_STREAM, 0);
  sockaddr_in6 name{};
  name.sin6_family = AF_INET6;
  name.sin6_port = htons(port);
  inet_pton(AF_INET6, "::ffff:10.0.0.1", &name.sin6_addr);
  report("connect",
         [&] { return connect(socket_fd, reinterpret_cast<sockaddr*>(&name), sizeof name); });
  const int own = socket(AF_INET6, SOCK_STREAM, 0);
  name.sin6_addr = in6addr_loopback;
  report("loopback", [&] { return connect(own, reinterpret_cast<sockaddr*>(&name), sizeof name); });
  const int far = socket(AF_INET6, SOCK_STREAM, 0);
  inet_pton(AF_INET6, "2001:db8::1", &name.sin6_addr);
  report("far", [&] { return connect(far, reinterpret_cast<sockaddr*>(&name), sizeof name); });
}

void open_and_close() {
  for (int i = 0; i < 3000; ++i) {
    const int socket_fd = socket(AF_INET, SOCK_STREAM, 0);
    require(socket_fd < 20, "numbers are used again");
    close(socket_fd);
  }
  close_range(3, 100, 0);
  std::vector<int> copies;
  const int socket_fd = socket(AF_INET, SOCK_STREAM, 0);
  for (int i = 0; i < 100; ++i) copies.push_back(dup(socket_fd));
  close_range(3, 500, 0);
  require(fcntl(copies.back(), F_GETFD) < 0, "all are closed");
  connect_to(host, port);
}

constexpr Probe probes[] = {
    {"talk", talk},
    {"connect_without_blocking", connect_without_blocking},
    {"connect_in_vain", connect_in_vain},
    {"write_much", write_much},
    {"wait_to_write", wait_to_write},
    {"be_reset", be_reset},
    {"receive_time_out", time_out},
    {"names_and_options", ask_for_names_and_options},
    {"look_around", look_around},
    {"ask_for_interfaces", ask_for_interfaces},
    {"look_up_names", look_up_names},
    {"connect_by_ipv6", connect_by_ipv6},
    {"open_and_close", open_and_close},
};

}  // namespace

std::span<const Probe> socket_probes() { return probes; }

}  // namespace probe
