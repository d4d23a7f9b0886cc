#include "live/preload/process/proc_files.h"

#include <fcntl.h>
#include <linux/memfd.h>
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
#include "live/preload/process/fork_server.h"
#include "live/preload/process/identity.h"
#include "live/preload/time/local_time.h"

namespace lockstep::live::preload {

namespace {

constexpr std::size_t text_max = 2048;
constexpr std::size_t path_max = 256;
constexpr const char* own_folder = "/proc/self/";
// Pages; a size that is no run's.
constexpr long told_pages = 25'600;

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
  constexpr std::int64_t ticks_per_s = 100;
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
    case 23:  // memory
    case 24:
      number = told_pages;
      return true;
    case 18:  // the priority, whatever nice says of Lockstep itself; field 19 is then 0
      number = 20;
      return true;
    default:
      number = 0;
      // Faults, other times, niceness, the start; the processor, waits and the time lost to input
      // and output.
      return (field >= 10 && field <= 17) || field == 19 || field == 22 || field == 39 ||
             field == 42;
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

void write_processors(Text& text) { text.add("0\n"); }

void write_host_name(Text& text) {
  text.add(host_name());
  text.add("\n");
}

struct Written {
  const char* path;
  void (*write)(Text& text);
};

constexpr Written files[] = {
    {"/proc/uptime", write_uptime},
    {"/proc/loadavg", write_load},
    {"/proc/self/stat", write_status},
    {"/proc/self/statm", write_memory},
    {"/proc/sys/kernel/hostname", write_host_name},
    {"/etc/hostname", write_host_name},
    {"/sys/devices/system/cpu/online", write_processors},
    {"/sys/devices/system/cpu/possible", write_processors},
};

long file_of(const Text& text, long flags) {
  const bool closes = (flags & O_CLOEXEC) != 0;
  const long file = native(SYS_memfd_create, "proc", closes ? MFD_CLOEXEC : 0);
  if (file < 0) return file;
  native(SYS_write, file, text.characters, text.size);
  native(SYS_lseek, file, 0, SEEK_SET);
  return file;
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
       std::strcmp(path, "/etc/hostname") == 0 || std::strncmp(path, "/dev/fd/", 8) == 0);
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
  for (const Written& file : files) {
    if (std::strcmp(file.path, path) != 0 || (flags & O_ACCMODE) != O_RDONLY) continue;
    Text text;
    file.write(text);
    return untracked(file_of(text, flags));
  }
  Call other = call;
  other.words[path_word] = as_word(path);
  return untracked(pass(other));
}

}  // namespace lockstep::live::preload
