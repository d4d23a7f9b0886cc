#include "live/preload/kernel/filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

#include "live/preload/kernel/gate.h"

namespace lockstep::live::preload {

namespace {

constexpr std::size_t program_max = 512;

struct Program {
  sock_filter code[program_max];
  std::size_t size = 0;

  void add(sock_filter instruction) { code[size++] = instruction; }
  void load(std::size_t offset) {
    add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  }
  void finish(std::uint32_t verdict) { add(BPF_STMT(BPF_RET | BPF_K, verdict)); }
  void skip_unless_equal(std::uint32_t value, std::uint8_t skipped) {
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped));
  }
};

constexpr std::size_t caller = offsetof(seccomp_data, instruction_pointer);

// Calls that are in no table are answered before anything else is looked at: the kernel then knows
// them by their number alone.
void write_program(Program& program, const TrapTable* tables, std::size_t count) {
  program.load(offsetof(seccomp_data, arch));
  program.add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0));
  program.finish(SECCOMP_RET_ERRNO | ENOSYS);
  program.load(offsetof(seccomp_data, nr));
  // clone of a thread passes: glibc's pthread_create, which the library knows of.
  program.skip_unless_equal(SYS_clone, 4);
  program.load(offsetof(seccomp_data, args));
  program.add(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1));
  program.finish(SECCOMP_RET_ALLOW);
  program.load(offsetof(seccomp_data, nr));
  const std::size_t first_test = program.size;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < tables[i].count; ++k) {
      program.skip_unless_equal(static_cast<std::uint32_t>(tables[i].traps[k].number), 0);
    }
  }
  const std::size_t after_tests = program.size;
  for (std::size_t at = first_test; at < after_tests; ++at) {
    program.code[at].jt = static_cast<std::uint8_t>(after_tests - at);  // past the verdict below
  }
  program.finish(SECCOMP_RET_ALLOW);
  program.load(caller + sizeof(std::uint32_t));
  program.skip_unless_equal(static_cast<std::uint32_t>(gate_address >> 32), 3);
  program.load(caller);
  program.add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, static_cast<std::uint32_t>(gate_bytes), 1, 0));
  program.finish(SECCOMP_RET_ALLOW);
  program.finish(SECCOMP_RET_TRAP);
}

bool install(Program& program) {
  const sock_fprog written{static_cast<unsigned short>(program.size), program.code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &written) == 0;
}

}  // namespace

bool install_filter(const TrapTable* tables, std::size_t count) {
  Program program;
  write_program(program, tables, count);
  return install(program);
}

bool forbid_network() {
  Program program;
  program.load(offsetof(seccomp_data, nr));
  program.skip_unless_equal(SYS_socket, 2);
  program.load(offsetof(seccomp_data, args));
  program.skip_unless_equal(AF_UNIX, 1);
  program.finish(SECCOMP_RET_ALLOW);
  program.finish(SECCOMP_RET_ERRNO | EAFNOSUPPORT);
  return install(program);
}

}  // namespace lockstep::live::preload
