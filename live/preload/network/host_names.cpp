// Host names: libc's functions that look them up, from the page's table.
//
// A host is what the simulator has named on the page, the program's own among them, or `localhost`,
// or an address in figures.
// There is no name server and no /etc/hosts: other names are unknown. Nothing but IPv4 is found.
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <strings.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "live/preload/kernel/control.h"
#include "live/preload/threads/threads.h"
#include "live/preload/time/local_time.h"

#define LOCKSTEP_EXPORTED extern "C" [[gnu::visibility("default")]]

namespace lockstep::live::preload {

namespace {

// libc's own function of that name.
template <class Function>
Function* next(Function*& known, const char* name) {
  if (known == nullptr) known = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
  return known;
}

bool is_on_virtual_time() { return current_thread() != nullptr; }

// In network byte order; false if there is no such host.
bool find_host(const char* name, in_addr& address) {
  if (inet_pton(AF_INET, name, &address) == 1) return true;
  const char* at = page().names;
  for (std::uint32_t i = 0; i < page().name_count; ++i) {
    const std::size_t length = std::strlen(at);
    if (strcasecmp(at, name) == 0) {
      std::memcpy(&address, at + length + 1, sizeof address);
      return true;
    }
    at += length + 1 + sizeof address;
  }
  if (strcasecmp(name, "localhost") != 0) return false;
  address.s_addr = htonl(INADDR_LOOPBACK);
  return true;
}

// An unknown name is most often one that the scenario's `connect` lacks.
void tell_of_unknown(const char* name) {
  static bool has_told;
  if (has_told) return;
  has_told = true;
  char text[400];
  std::snprintf(text, sizeof text,
                "the scenario has no host '%.100s'; expected it in 'connect', as in "
                "{ \"%.100s:6379\" = \"n1\" }",
                name, name);
  tell(text);
}

// The parts of a hostent behind it, in the caller's buffer.
struct HostStore {
  char* addresses[2];
  char* aliases[1];
  in_addr address;
  char name[1];
};

int fill_hostent(const char* name, int family, hostent* host, char* buffer, std::size_t bytes,
                 hostent** result, int* error) {
  *result = nullptr;
  *error = HOST_NOT_FOUND;
  in_addr address;
  if (family != AF_INET) return 0;
  if (!find_host(name, address)) {
    tell_of_unknown(name);
    return 0;
  }
  const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(buffer) % alignof(HostStore);
  const std::size_t gap = misaligned == 0 ? 0 : alignof(HostStore) - misaligned;
  if (bytes < gap + sizeof(HostStore) + std::strlen(name)) {
    *error = NETDB_INTERNAL;
    return ERANGE;
  }
  auto* const store = reinterpret_cast<HostStore*>(buffer + gap);
  store->address = address;
  store->addresses[0] = reinterpret_cast<char*>(&store->address);
  store->addresses[1] = nullptr;
  store->aliases[0] = nullptr;
  std::strcpy(store->name, name);
  host->h_name = store->name;
  host->h_aliases = store->aliases;
  host->h_addrtype = AF_INET;
  host->h_length = sizeof address;
  host->h_addr_list = store->addresses;
  *result = host;
  *error = 0;
  return 0;
}

decltype(getaddrinfo)* libc_getaddrinfo;
decltype(getnameinfo)* libc_getnameinfo;

}  // namespace

LOCKSTEP_EXPORTED int getaddrinfo(const char* name, const char* service, const addrinfo* hints,
                                  addrinfo** result) {
  auto* const libc = next(libc_getaddrinfo, "getaddrinfo");
  if (!is_on_virtual_time()) return libc(name, service, hints, result);
  addrinfo wanted{};
  if (hints != nullptr) {
    wanted = *hints;
  } else {
    wanted.ai_flags = AI_V4MAPPED;
  }
  wanted.ai_flags |= AI_NUMERICHOST;
  wanted.ai_flags &= ~AI_ADDRCONFIG;
  in6_addr sixth;
  if (name == nullptr || inet_pton(AF_INET6, name, &sixth) == 1) {
    if (name == nullptr && wanted.ai_family == AF_UNSPEC) wanted.ai_family = AF_INET;
    return libc(name, service, &wanted, result);
  }
  in_addr address;
  if (!find_host(name, address)) {
    tell_of_unknown(name);
    return EAI_NONAME;
  }
  char figures[INET_ADDRSTRLEN];
  inet_ntop(AF_INET, &address, figures, sizeof figures);
  if (wanted.ai_family == AF_UNSPEC) wanted.ai_family = AF_INET;
  if (wanted.ai_family == AF_INET6 && (wanted.ai_flags & AI_V4MAPPED) == 0) return EAI_NONAME;
  return libc(figures, service, &wanted, result);
}

LOCKSTEP_EXPORTED int getnameinfo(const sockaddr* address, socklen_t length, char* host,
                                  socklen_t host_bytes, char* service, socklen_t service_bytes,
                                  int flags) {
  auto* const libc = next(libc_getnameinfo, "getnameinfo");
  if (is_on_virtual_time() && (flags & NI_NAMEREQD) == 0) flags |= NI_NUMERICHOST;
  return libc(address, length, host, host_bytes, service, service_bytes, flags);
}

LOCKSTEP_EXPORTED int gethostbyname2_r(const char* name, int family, hostent* host, char* buffer,
                                       std::size_t bytes, hostent** result, int* error) {
  return fill_hostent(name, family, host, buffer, bytes, result, error);
}

LOCKSTEP_EXPORTED int gethostbyname_r(const char* name, hostent* host, char* buffer,
                                      std::size_t bytes, hostent** result, int* error) {
  return fill_hostent(name, AF_INET, host, buffer, bytes, result, error);
}

LOCKSTEP_EXPORTED hostent* gethostbyname2(const char* name, int family) {
  static hostent host;
  static char buffer[1024];
  hostent* result;
  int error;
  if (fill_hostent(name, family, &host, buffer, sizeof buffer, &result, &error) != 0)
    return nullptr;
  if (result == nullptr) h_errno = error;
  return result;
}

LOCKSTEP_EXPORTED hostent* gethostbyname(const char* name) { return gethostbyname2(name, AF_INET); }

}  // namespace lockstep::live::preload
