#include "live/preload/process/proc_files.h"

#include <fcntl.h>
#include <linux/memfd.h>
#include <net/if.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "live/preload/descriptors/descriptors.h"
#include "live/preload/kernel/gate.h"
#include "live/preload/kernel/remedies.h"
#include "live/preload/process/fork_server.h"
#include "live/preload/process/identity.h"
#include "live/preload/process/machine.h"
#include "live/preload/process/randomness.h"
#include "live/preload/time/local_time.h"

namespace lockstep::live::preload {

namespace {

constexpr std::size_t text_max = 2048;
constexpr std::size_t path_max = 256;
constexpr const char* own_folder = "/proc/self/";
// Pages; a size that is no run's.
constexpr long told_pages = 25'600;
constexpr std::int64_t ticks_per_s = 100;

struct Text {
  char characters[text_max];
  std::size_t size = 0;

  void add(const char* word, std::size_t length) {
    if (length > sizeof characters - size) length = sizeof characters - size;
    std::memcpy(characters + size, word, length);
    size += length;
  }
  void add(const char* word) { add(word, std::strlen(word)); }
  void add(std::int64_t number) {
    char figures[24];
    const int length = std::snprintf(figures, sizeof figures, "%ld", number);
    add(figures, static_cast<std::size_t>(length));
  }
};

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
      number = 1;
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

void write_status(Text& text) {
  char real[text_max];
  const long file = native(SYS_open, "/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  const long length = native(SYS_read, file, real, sizeof real - 1);
  native(SYS_close, file);
  if (length <= 0) return;
  real[length] = '\0';
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
    {"/proc/self/stat", write_status},
    {"/proc/self/statm", write_memory},
    {"/proc/sys/kernel/hostname", write_host_name},
    {"/etc/hostname", write_host_name},
    {"/sys/devices/system/cpu/online", write_processors},
    {"/sys/devices/system/cpu/possible", write_processors},
};

bool is_written(const char* path) {
  for (const Written& file : files) {
    if (std::strcmp(file.path, path) == 0) return true;
  }
  return false;
}

long file_of(const Text& text, long flags) {
  const bool closes = (flags & O_CLOEXEC) != 0;
  const long file = native(SYS_memfd_create, "proc", closes ? MFD_CLOEXEC : 0);
  if (file < 0) return file;
  native(SYS_write, file, text.characters, text.size);
  native(SYS_lseek, file, 0, SEEK_SET);
  return file;
}

// /sys/class/net/NAME/address, and the folder of the device that this leads to.
bool write_hardware_address(Text& text, const char* path) {
  constexpr const char* folder = "/net/";
  constexpr const char* file = "/address";
  const char* const found = std::strstr(path, folder);
  if (found == nullptr || std::strncmp(path, "/sys/", 5) != 0) return false;
  const char* const name = found + std::strlen(folder);
  const char* const name_end = std::strchr(name, '/');
  char interface[IFNAMSIZ];
  if (name_end == nullptr || std::strcmp(name_end, file) != 0 ||
      name_end - name >= static_cast<std::ptrdiff_t>(sizeof interface)) {
    return false;
  }
  std::memcpy(interface, name, static_cast<std::size_t>(name_end - name));
  interface[name_end - name] = '\0';
  if (std::strcmp(interface, "lo") == 0) return false;
  const HardwareAddress address = hardware_address(interface);
  write_bytes(text, address.bytes, sizeof address.bytes, ":");
  text.add("\n");
  return true;
}

// Those are written which a remedy is on for. False if the real file is to be read.
bool write_file(Text& text, const char* path) {
  for (const Written& file : files) {
    if (std::strcmp(file.path, path) != 0) continue;
    if (has_no(file.remedy)) return false;
    file.write(text);
    return true;
  }
  return !has_no(Remedy::identity) && write_hardware_address(text, path);
}

// /proc/ID/..., for the program's own id, as /proc/self/...
const char* with_own_folder(const char* path, char (&changed)[path_max]) {
  constexpr const char* folder = "/proc/";
  const char* const number = path + std::strlen(folder);
  char* end = nullptr;
  if (*number < '1' || *number > '9' || std::strtol(number, &end, 10) != process_id() ||
      *end != '/' || std::strlen(end) + std::strlen(own_folder) > sizeof changed) {
    return path;
  }
  std::strcpy(changed, own_folder);
  std::strcat(changed, end + 1);
  return changed;
}

// /dev/fd/N and its like name what the program has open. Its report must stay known as that.
int report_named_by(const char* path) {
  for (const char* const folder : {"/proc/self/fd/", "/proc/thread-self/fd/", "/dev/fd/"}) {
    const std::size_t size = std::strlen(folder);
    if (std::strncmp(path, folder, size) != 0) continue;
    char* end = nullptr;
    const long number = std::strtol(path + size, &end, 10);
    if (end == path + size || *end != '\0' || number >= descriptors_max) break;
    const Description* const found = description_of(static_cast<int>(number));
    const bool is_report = found != nullptr && found->kind == Description::Kind::report;
    return is_report ? static_cast<int>(number) : -1;
  }
  return -1;
}

long untracked(long descriptor) {
  if (descriptor >= 0) forget(static_cast<int>(descriptor));
  return descriptor;
}

long open_again(int descriptor, long flags) {
  const int command = (flags & O_CLOEXEC) != 0 ? F_DUPFD_CLOEXEC : F_DUPFD;
  const long copy = native(SYS_fcntl, descriptor, command, 0);
  if (copy >= 0) share(descriptor, static_cast<int>(copy));
  return copy;
}

}  // namespace

long open_path(const Call& call, const char* path) {
  const bool is_of_machine =
      path != nullptr &&
      (std::strncmp(path, "/proc/", 6) == 0 || std::strncmp(path, "/sys/", 5) == 0 ||
       std::strncmp(path, "/dev/fd/", 8) == 0 || is_written(path));
  const int path_word = call.number == SYS_open ? 0 : 1;
  const long flags = call.words[path_word + 1];
  if (!is_of_machine) {
    const long descriptor = untracked(pass(call));
    if (descriptor >= 0 && (flags & (O_ACCMODE | O_DIRECTORY)) == O_RDONLY) {
      tell_loaded(static_cast<int>(descriptor));
    }
    return descriptor;
  }
  char changed[path_max];
  path = with_own_folder(path, changed);
  const int report = report_named_by(path);
  if (report >= 0) return open_again(report, flags);
  Text text;
  if ((flags & O_ACCMODE) == O_RDONLY && write_file(text, path)) {
    return untracked(file_of(text, flags));
  }
  Call other = call;
  other.words[path_word] = as_word(path);
  return untracked(pass(other));
}

}  // namespace lockstep::live::preload
