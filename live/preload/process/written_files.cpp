#include "live/preload/process/written_files.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "live/preload/kernel/gate.h"
#include "live/preload/kernel/remedies.h"
#include "live/preload/network/interfaces.h"
#include "live/preload/process/identity.h"
#include "live/preload/process/machine.h"
#include "live/preload/process/randomness.h"
#include "live/preload/time/local_time.h"

namespace lockstep::live::preload {

void Text::add(const char* word, std::size_t length) {
  if (length > sizeof characters - size) length = sizeof characters - size;
  std::memcpy(characters + size, word, length);
  size += length;
}

void Text::add(const char* word) { add(word, std::strlen(word)); }

void Text::add(long number) {
  char figures[24];
  const int length = std::snprintf(figures, sizeof figures, "%ld", number);
  add(figures, static_cast<std::size_t>(length));
}

namespace {

// Pages; a size that is no run's.
constexpr long told_pages = 25'600;
constexpr long told_kib = 4 * told_pages;
constexpr std::int64_t ticks_per_s = 100;

void write_uptime(Text& text) {
  for (const char* const end : {" ", "\n"}) {
    text.add(monotonic_now() / ns_per_s);
    text.add(".00");
    text.add(end);
  }
}

void write_load(Text& text) {
  text.add("0.00 0.00 0.00 1/1 ");
  text.add(process_id());
  text.add("\n");
}

void write_memory(Text& text) {
  text.add(told_pages);
  text.add(" ");
  text.add(told_pages);
  text.add(" 0 0 0 0 0\n");
}

// proc(5) numbers the fields of stat from 1. The name is the second; what follows it is numbers.
bool replacement_of(int field, std::int64_t& number) {
  switch (field) {
    case 5:  // group
    case 6:  // session
      number = process_id();
      return true;
    case 4:  // parent
      number = parent_id;
      return true;
    case 14:  // user time
      number = processor_now() / (ns_per_s / ticks_per_s);
      return true;
    case 22:  // the start
      number = began_on_page() / (ns_per_s / ticks_per_s);
      return true;
    case 23:  // memory
    case 24:
      number = told_pages;
      return true;
    case 18:  // the priority, whatever nice says of Lockstep itself; field 19 is then 0
      number = 20;
      return true;
    default:
      number = 0;
      // Faults, other times, niceness; the processor, waits and the time lost to input and output.
      return (field >= 10 && field <= 17) || field == 19 || field == 39 || field == 42;
  }
}

// A file of the kernel's as it is, up to its end or the room for it. It lasts until the next one:
// some threads have small stacks for signals.
const char* real_text(const char* path) {
  static char characters[65'536];
  std::size_t size = 0;
  const long file = native(SYS_open, path, O_RDONLY | O_CLOEXEC);
  for (long more = file < 0 ? 0 : 1; more > 0; size += static_cast<std::size_t>(more)) {
    more = native(SYS_read, file, characters + size, sizeof characters - 1 - size);
    if (more < 0) more = 0;
  }
  if (file >= 0) native(SYS_close, file);
  characters[size] = '\0';
  return characters;
}

void write_stat(Text& text) {
  const char* const real = real_text("/proc/self/stat");
  const char* const name = std::strchr(real, '(');
  const char* const name_end = std::strrchr(real, ')');
  if (name == nullptr || name_end == nullptr) return;
  text.add(process_id());
  text.add(" ");
  text.add(name, static_cast<std::size_t>(name_end + 1 - name));
  int field = 3;
  for (const char* at = name_end + 1; *at == ' '; ++field) {
    ++at;
    const std::size_t size = std::strcspn(at, " \n");
    std::int64_t number = 0;
    text.add(" ");
    if (replacement_of(field, number)) {
      text.add(number);
    } else {
      text.add(at, size);
    }
    at += size;
  }
  text.add("\n");
}

// Ids, sizes and counts of /proc/self/status, and which processors it may use.
bool write_status_value(Text& text, const char* line) {
  const auto is_one_of = [line](std::initializer_list<const char*> beginnings) {
    for (const char* const beginning : beginnings) {
      if (std::strncmp(line, beginning, std::strlen(beginning)) == 0) return true;
    }
    return false;
  };
  if (is_one_of({"Pid:", "Tgid:", "NSpid:", "NStgid:", "NSpgid:", "NSsid:"})) {
    text.add(process_id());
  } else if (is_one_of({"PPid:"})) {
    text.add(parent_id);
  } else if (is_one_of({"Vm", "Rss"})) {
    text.add(told_kib);
    text.add(" kB");
  } else if (is_one_of({"Cpus_allowed:"})) {
    text.add("1");
  } else if (is_one_of({"Ngid:", "TracerPid:", "SigQ:", "Cpus_allowed_list:", "voluntary_ctxt_",
                        "nonvoluntary_ctxt_"})) {
    text.add("0");
  } else {
    return false;
  }
  return true;
}

// Calls `write(line, size)` for each line of the real file, without its end.
template <class Write>
void for_each_line(const char* path, Write write) {
  for (const char* line = real_text(path); *line != '\0';) {
    const std::size_t size = std::strcspn(line, "\n");
    write(line, size);
    line += size + (line[size] == '\n' ? 1 : 0);
  }
}

void write_status(Text& text) {
  for_each_line("/proc/self/status", [&text](const char* line, std::size_t size) {
    const std::size_t name_size = std::strcspn(line, "\t\n");
    text.add(line, name_size);
    text.add("\t");
    if (!write_status_value(text, line) && size > name_size) {
      text.add(line + name_size + 1, size - name_size - 1);
    }
    text.add("\n");
  });
}

// The hierarchies are the machine's; the group's path, which names the container, is the root.
void write_groups(Text& text) {
  for_each_line("/proc/self/cgroup", [&text](const char* line, std::size_t size) {
    const auto* const path = static_cast<const char*>(std::memchr(line, '/', size));
    if (path == nullptr) return;
    text.add(line, static_cast<std::size_t>(path + 1 - line));
    text.add("\n");
  });
}

// Those of the groups, which Java looks for, from their root on. Others name the container.
void write_mounts(Text& text) {
  for_each_line("/proc/self/mountinfo", [&text](const char* line, std::size_t size) {
    const char* root = line;
    for (int field = 1; field < 4 && root != nullptr; ++field) {
      root = static_cast<const char*>(
          std::memchr(root, ' ', size - static_cast<std::size_t>(root - line)));
      if (root != nullptr) ++root;
    }
    const char* const type = std::strstr(line, " - cgroup");
    if (root == nullptr || type == nullptr || type > line + size) return;
    text.add(line, static_cast<std::size_t>(root - line));
    text.add("/");
    root += std::strcspn(root, " \n");
    text.add(root, static_cast<std::size_t>(line + size - root));
    text.add("\n");
  });
}

// Times and counts of the machine's are no run's.
void write_kernel_status(Text& text) {
  text.add("cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\nintr 0\nctxt 0\nbtime ");
  text.add((page().wall_ns - page().monotonic_ns) / ns_per_s);
  text.add("\nprocesses 1\nprocs_running 1\nprocs_blocked 0\nsoftirq 0\n");
}

void write_bytes(Text& text, const unsigned char* bytes, std::size_t count, const char* between) {
  for (std::size_t i = 0; i < count; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
    if (i > 0) text.add(between);
    text.add(digits, 2);
  }
}

void write_machine_id(Text& text) {
  const MachineId id = machine_id("machine");
  write_bytes(text, id.bytes, sizeof id.bytes, "");
  text.add("\n");
}

// As a UUID of random numbers.
void write_uuid(Text& text, MachineId id) {
  id.bytes[6] = static_cast<unsigned char>((id.bytes[6] & 0x0f) | 0x40);
  id.bytes[8] = static_cast<unsigned char>((id.bytes[8] & 0x3f) | 0x80);
  const unsigned char* at = id.bytes;
  for (const std::size_t bytes : {4U, 2U, 2U, 2U, 6U}) {
    if (at != id.bytes) text.add("-");
    write_bytes(text, at, bytes, "");
    at += bytes;
  }
  text.add("\n");
}

void write_boot_id(Text& text) { write_uuid(text, machine_id("boot")); }
void write_product_id(Text& text) { write_uuid(text, machine_id("product")); }

void write_random_id(Text& text) {
  MachineId id;
  draw_random_bytes(id.bytes, sizeof id.bytes);
  write_uuid(text, id);
}

// gethostid(3).
void write_host_id(Text& text) {
  const MachineId id = machine_id("host");
  text.add(reinterpret_cast<const char*>(id.bytes), sizeof(std::int32_t));
}

void write_processors(Text& text) { text.add("0\n"); }

// No machine but the simulated ones.
void write_hosts(Text& text) {
  text.add("127.0.0.1\tlocalhost\n");
  const char* at = page().names;
  for (std::uint32_t i = 0; i < page().name_count; ++i) {
    const auto* const address = reinterpret_cast<const unsigned char*>(at + std::strlen(at) + 1);
    for (int k = 0; k < 4; ++k) {
      if (k > 0) text.add(".");
      text.add(address[k]);
    }
    text.add("\t");
    text.add(at);
    text.add("\n");
    at += std::strlen(at) + 1 + 4;
  }
}

// The loopback alone.
void write_sixth(Text& text) {
  text.add("00000000000000000000000000000001 01 80 10 80       lo\n");
}

void write_traffic(Text& text) {
  text.add(
      "Inter-|   Receive                                                |  Transmit\n"
      " face |bytes    packets errs drop fifo frame compressed multicast|"
      "bytes    packets errs drop fifo colls carrier compressed\n");
  for (const char* const name : {"    lo", "  eth0"}) {
    text.add(name);
    text.add(": 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
  }
}

void write_nothing(Text&) {}

void write_host_name(Text& text) {
  text.add(host_name());
  text.add("\n");
}

struct Written {
  const char* path;
  void (*write)(Text& text);
  Remedy remedy = Remedy::identity;
};

constexpr Written files[] = {
    {"/etc/machine-id", write_machine_id},
    {"/var/lib/dbus/machine-id", write_machine_id},
    {"/etc/hostid", write_host_id},
    {"/sys/class/dmi/id/product_uuid", write_product_id},
    {"/proc/sys/kernel/random/boot_id", write_boot_id},
    {"/proc/sys/kernel/random/uuid", write_random_id, Remedy::random},
    {"/proc/stat", write_kernel_status},
    {"/proc/uptime", write_uptime},
    {"/proc/loadavg", write_load},
    {"/proc/self/stat", write_stat},
    {"/proc/self/status", write_status},
    {"/proc/self/cgroup", write_groups},
    {"/proc/1/cgroup", write_groups},
    {"/proc/self/mountinfo", write_mounts},
    {"/proc/self/mounts", write_nothing},
    {"/proc/mounts", write_nothing},
    {"/proc/net/if_inet6", write_sixth},
    {"/proc/net/dev", write_traffic},
    {"/proc/net/arp", write_nothing},
    {"/proc/net/route", write_nothing},
    {"/etc/hosts", write_hosts},
    {"/proc/self/statm", write_memory},
    {"/proc/sys/kernel/hostname", write_host_name},
    {"/etc/hostname", write_host_name},
    {"/sys/devices/system/cpu/online", write_processors},
    {"/sys/devices/system/cpu/possible", write_processors},
};

// What follows "/net/" in the folder of an interface, or of the device that this leads to
// ("eth0/mtu"); null where nothing does.
const char* file_of_interface(const char* path) {
  constexpr const char* folder = "/net/";
  for (const char* const devices : {"/sys/class/", "/sys/devices/"}) {
    if (std::strncmp(path, devices, std::strlen(devices)) != 0) continue;
    const char* const found = std::strstr(path, folder);
    const char* const name = found == nullptr ? nullptr : found + std::strlen(folder);
    return name == nullptr || *name == '\0' ? nullptr : name;
  }
  return nullptr;
}

void write_of_interface(Text& text, const Interface& interface, const char* file) {
  if (std::strcmp(file, "address") == 0) {
    write_bytes(text, interface.hardware.bytes, sizeof interface.hardware.bytes, ":");
  } else if (std::strcmp(file, "ifindex") == 0) {
    text.add(interface.index);
  } else if (std::strcmp(file, "mtu") == 0) {
    text.add(interface.largest_packet);
  } else if (std::strcmp(file, "operstate") == 0) {
    text.add("up");
  } else if (std::strcmp(file, "type") == 0) {
    text.add(interface.hardware_type);
  } else {
    return;
  }
  text.add("\n");
}

bool write_interface_file(Text& text, const char* path) {
  const char* const name = file_of_interface(path);
  if (name == nullptr) return false;
  for (const Interface& interface : interfaces()) {
    const std::size_t length = std::strlen(interface.name);
    if (std::strncmp(name, interface.name, length) != 0 || name[length] != '/') continue;
    write_of_interface(text, interface, name + length + 1);
  }
  return text.size > 0;
}

}  // namespace

bool is_written(const char* path) {
  for (const Written& file : files) {
    if (std::strcmp(file.path, path) == 0) return true;
  }
  return false;
}

// Those are written which a remedy is on for.
bool write_file(Text& text, const char* path) {
  for (const Written& file : files) {
    if (std::strcmp(file.path, path) != 0) continue;
    if (has_no(file.remedy)) return false;
    file.write(text);
    return true;
  }
  return !has_no(Remedy::identity) && write_interface_file(text, path);
}

bool is_withheld(const char* path) {
  return !has_no(Remedy::identity) && file_of_interface(path) != nullptr;
}

}  // namespace lockstep::live::preload
