#include "live/preload/process/proc_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "live/preload/descriptors/descriptors.h"
#include "live/preload/kernel/gate.h"
#include "live/preload/kernel/remedies.h"
#include "live/preload/network/interfaces.h"
#include "live/preload/process/fork_server.h"
#include "live/preload/process/identity.h"
#include "live/preload/process/written_files.h"

namespace lockstep::live::preload {

namespace {

constexpr std::size_t path_max = 256;
constexpr const char* own_folder = "/proc/self/";

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

bool names_interfaces(const char* path) {
  constexpr const char* folder = "/sys/class/net";
  const std::size_t size = std::strlen(folder);
  return std::strncmp(path, folder, size) == 0 &&
         (path[size] == '\0' || std::strcmp(path + size, "/") == 0) && !has_no(Remedy::identity);
}

long tracked_folder(long descriptor) {
  if (descriptor >= 0) track(static_cast<int>(descriptor), Description::Kind::folder);
  return descriptor;
}

// The kernel keeps how far the program has read, since it may begin anew.
long on_getdents64(const Call& call) {
  const Description* const folder = description_of(call.integer(0));
  if (folder == nullptr || folder->kind != Description::Kind::folder) return pass(call);
  const auto known = interfaces();
  const char* const names[] = {".", "..", known[0].name, known[1].name};
  constexpr long count = sizeof names / sizeof *names;
  long written = 0;
  long at = native(SYS_lseek, call.integer(0), 0, SEEK_CUR);
  for (; at >= 0 && at < count; ++at) {
    dirent64 entry{};
    const std::size_t bytes = offsetof(dirent64, d_name) + std::strlen(names[at]) + 1;
    entry.d_ino = static_cast<ino64_t>(at + 1);
    entry.d_off = at + 1;
    entry.d_reclen =
        static_cast<unsigned short>((bytes + alignof(dirent64) - 1) & ~(alignof(dirent64) - 1));
    entry.d_type = names[at][0] == '.' ? DT_DIR : DT_LNK;
    std::strcpy(entry.d_name, names[at]);
    if (call.size(2) < static_cast<std::size_t>(written) + entry.d_reclen) break;
    std::memcpy(call.pointer<char>(1) + written, &entry, entry.d_reclen);
    written += entry.d_reclen;
  }
  native(SYS_lseek, call.integer(0), at, SEEK_SET);
  return written > 0 || at == count ? written : -EINVAL;
}

constexpr Trap traps[] = {
    {SYS_getdents64, on_getdents64},
};

}  // namespace

TrapTable folder_traps() { return table_of(traps); }

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
  if (is_withheld(path)) return -ENOENT;
  Call other = call;
  other.words[path_word] = as_word(path);
  const long descriptor = pass(other);
  return names_interfaces(path) ? tracked_folder(descriptor) : untracked(descriptor);
}

}  // namespace lockstep::live::preload
