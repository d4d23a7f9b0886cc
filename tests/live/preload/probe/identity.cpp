#include <fcntl.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "tests/live/preload/probe/probe.h"

namespace probe {
namespace {

void print(const char* name, const unsigned char* bytes, std::size_t count) {
  std::printf("%s ", name);
  for (std::size_t i = 0; i < count; ++i) std::printf("%02x", bytes[i]);
  std::printf("\n");
}

void draw() {
  unsigned char bytes[16];
  require(getrandom(bytes, sizeof bytes, 0) == sizeof bytes, "random bytes");
  print("getrandom", bytes, sizeof bytes);
  require(getentropy(bytes, sizeof bytes) == 0, "entropy");
  print("getentropy", bytes, sizeof bytes);
  for (const char* path : {"/dev/urandom", "/dev/random"}) {
    const int device = open(path, O_RDONLY);
    require(read(device, bytes, sizeof bytes) == sizeof bytes, path);
    close(device);
    print(path, bytes, sizeof bytes);
  }
  FILE* const file = std::fopen("/dev/urandom", "r");
  require(std::fread(bytes, 1, sizeof bytes, file) == sizeof bytes, "a stream");
  std::fclose(file);
  print("stream", bytes, sizeof bytes);
  arc4random_buf(bytes, sizeof bytes);
  print("arc4random", bytes, sizeof bytes);
}

void show_at_random() {
  print("at_random", reinterpret_cast<const unsigned char*>(getauxval(AT_RANDOM)), 16);
}

void show_addresses() {
  int local = 0;
  std::printf("%p %p %p %p\n", static_cast<void*>(&local), std::malloc(10),
              reinterpret_cast<void*>(&show_at_random), reinterpret_cast<void*>(&std::malloc));
}

void show_ids() {
  std::printf("pid %d ppid %d tid %d group %d session %d\n", getpid(), getppid(), gettid(),
              getpgrp(), getsid(0));
  std::thread([] { std::printf("thread %d of %d\n", gettid(), getpid()); }).join();
  utsname name{};
  uname(&name);
  char host[64];
  gethostname(host, sizeof host);
  std::printf("host %s %s\n", name.nodename, host);
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  std::printf("processors %d %d %d\n", CPU_COUNT(&set), get_nprocs(), get_nprocs_conf());
}

void show_file(const char* path) {
  char text[4096];
  const int file = open(path, O_RDONLY);
  const ssize_t length = read(file, text, sizeof text);
  std::printf("%.*s", static_cast<int>(length), text);
  close(file);
}

void show_proc_files() {
  sleep(2);
  char own[64];
  for (const char* name : {"stat", "statm"}) {
    std::snprintf(own, sizeof own, "/proc/%d/%s", getpid(), name);
    show_file(own);
  }
  for (const char* path : {"/proc/self/comm", "/proc/uptime", "/proc/loadavg"}) show_file(path);
}

void show_machine_files() {
  for (const char* path : {"/etc/machine-id", "/proc/sys/kernel/random/boot_id",
                           "/proc/sys/kernel/random/uuid", "/proc/stat"}) {
    show_file(path);
  }
}

constexpr Probe probes[] = {
    {"random", draw},  {"at_random", show_at_random},   {"addresses", show_addresses},
    {"ids", show_ids}, {"proc_files", show_proc_files}, {"machine_files", show_machine_files},
};

}  // namespace

std::span<const Probe> identity_probes() { return probes; }

}  // namespace probe
