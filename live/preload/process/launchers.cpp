#include "live/preload/process/launchers.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace lockstep::live::preload {

namespace {

constexpr const char* launchers[] = {"sh", "bash", "dash", "ksh", "zsh", "busybox", "env", "nice"};
constexpr std::size_t path_max = 4096;

bool is_launcher() {
  char path[path_max];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length < 0) return false;
  path[length] = '\0';
  const char* const slash = std::strrchr(path, '/');
  const char* const name = slash == nullptr ? path : slash + 1;
  for (const char* const launcher : launchers) {
    if (std::strcmp(name, launcher) == 0) return true;
  }
  return false;
}

bool has_no_network;

// What the process was started as, with blanks between the words.
void tell_of_refused_socket() {
  has_no_network = false;
  char words[120] = {};
  const long file = syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  const long size = syscall(SYS_read, file, words, sizeof words - 1);
  syscall(SYS_close, file);
  for (long i = 0; i + 1 < size; ++i) {
    if (words[i] == '\0') words[i] = ' ';
  }
  char text[400];
  const int length = std::snprintf(
      text, sizeof text,
      "lockstep: '%s' is refused a socket: a shell runs it beside itself; expected 'exec %s', so "
      "that it takes the shell's place\n",
      words, words);
  syscall(SYS_write, STDERR_FILENO, text, length);
}

}  // namespace

void expect_no_network() { has_no_network = true; }

// As libc's, except for what it tells.
extern "C" [[gnu::visibility("default")]] int socket(int family, int type, int protocol) {
  if (has_no_network && (family == AF_INET || family == AF_INET6)) tell_of_refused_socket();
  return static_cast<int>(syscall(SYS_socket, family, type, protocol));
}

bool is_left_alone() { return getpid() != getpgrp() || is_launcher(); }

}  // namespace lockstep::live::preload
