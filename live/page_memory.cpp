#include "live/page_memory.h"

#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

namespace lockstep::live {
namespace {

constexpr std::int32_t first_pid = 1'000;
constexpr std::int32_t first_pid_before_runs = 31'000;
constexpr std::uint64_t pids = 30'000;
constexpr std::uint32_t first_own_address = 0x0a4e0001;  // 10.78.0.1
constexpr std::uint64_t own_addresses = 65'000;

/// Returns how many of the hosts there was room for.
std::uint32_t write_names(std::span<const model::ProgramHost> hosts, char* names,
                          std::size_t room) {
  std::uint32_t count = 0;
  for (const model::ProgramHost& host : hosts) {
    const std::size_t bytes = host.name.size() + 1 + sizeof host.address;
    if (bytes > room) break;
    std::memcpy(names, host.name.c_str(), host.name.size() + 1);
    names += host.name.size() + 1;
    for (unsigned shift = 32; shift > 0; shift -= 8) {
      *names++ = static_cast<char>(host.address >> (shift - 8) & 255U);
    }
    room -= bytes;
    ++count;
  }
  return count;
}

std::uint64_t hash_of_name(std::string_view name) { return XXH3_64bits(name.data(), name.size()); }

/// Two hours to a day, in the ticks in which Linux tells when a process began.
std::int64_t up_before_ns(std::string_view host_name) {
  constexpr std::int64_t tick_ns = 10'000'000;
  constexpr std::int64_t ticks_of_an_hour = 360'000;
  const auto drawn = static_cast<std::int64_t>(hash_of_name(host_name) % (22 * ticks_of_an_hour));
  return (2 * ticks_of_an_hour + drawn) * tick_ns;
}

/// The program's own host comes first, at an address of its own unless the scenario has one of that
/// name.
std::vector<model::ProgramHost> with_own(std::string_view name,
                                         std::span<const model::ProgramHost> hosts) {
  const auto same = std::ranges::find(hosts, name, &model::ProgramHost::name);
  const std::uint32_t address =
      same != hosts.end()
          ? same->address
          : first_own_address + static_cast<std::uint32_t>(hash_of_name(name) % own_addresses);
  std::vector<model::ProgramHost> all = {{std::string(name), address}};
  all.insert(all.end(), hosts.begin(), hosts.end());
  return all;
}

}  // namespace

PageMemory::PageMemory(std::string_view host_name, std::span<const model::ProgramHost> hosts)
    : up_before_ns_(up_before_ns(host_name)), file_(memfd_create("lockstep-page", MFD_CLOEXEC)) {
  void* mapped = MAP_FAILED;
  if (file_.is_open() && ftruncate(file_.number(), page_bytes) == 0) {
    mapped = mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.number(), 0);
  }
  if (mapped == MAP_FAILED) {
    throw std::system_error(errno, std::generic_category(), "cannot make a program's clock");
  }
  page_ = static_cast<Page*>(mapped);
  page_->name_count =
      write_names(with_own(host_name, hosts), page_->names, page_bytes - offsetof(Page, names));
}

PageMemory::~PageMemory() { munmap(page_, page_bytes); }

void PageMemory::set_clocks(const model::ProgramClocks& clocks) {
  page_->monotonic_ns = clocks.monotonic_ns + up_before_ns_;
  page_->wall_ns = clocks.wall_ns;
}

/// Libraries take a new process id for a fork, and draw their random numbers anew.
void PageMemory::set_seed(std::uint64_t seed, std::uint64_t thread_order) {
  page_->seed = seed;
  page_->turns = thread_order;
  page_->pid = first_pid + static_cast<std::int32_t>(seed % pids);
}

void PageMemory::set_seed_before_runs(std::string_view client_name) {
  const std::uint64_t seed = hash_of_name(client_name);
  page_->seed = seed;
  page_->turns = 0;
  page_->pid = first_pid_before_runs + static_cast<std::int32_t>(seed % pids);
}

}  // namespace lockstep::live
