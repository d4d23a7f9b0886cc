#include "live/preload/process/processes.h"

#include <sys/syscall.h>

#include <cerrno>

#include "live/preload/kernel/control.h"
#include "live/preload/kernel/gate.h"
#include "live/preload/network/connections.h"
#include "live/preload/time/local_time.h"

namespace lockstep::live::preload {

namespace {

bool has_told;

long refuse_child(const char* text) {
  if (!has_told) tell(text);
  has_told = true;
  return -EPERM;
}

long on_fork(const Call&) {
  return refuse_child("child processes cannot run on virtual time; fork fails (EPERM)");
}

long on_exec(const Call&) {
  return refuse_child("other programs cannot run on virtual time; exec fails (EPERM)");
}

// libc then calls clone, whose flags the filter can see.
long on_clone3(const Call&) { return -ENOSYS; }

long on_exit_group(const Call& call) { end_program(call.integer(0)); }

constexpr Trap traps[] = {
    {SYS_exit_group, on_exit_group},
    {SYS_fork, on_fork},
    {SYS_vfork, on_fork},
    {SYS_clone, on_fork},
    {SYS_clone3, on_clone3},
    {SYS_execve, on_exec},
    {SYS_execveat, on_exec},
};

}  // namespace

TrapTable process_traps() { return table_of(traps); }

void tell_end(int status) {
  close_connections();
  Packet packet{};
  packet.kind = Packet::Kind::exiting;
  packet.status = status;
  packet.spun_ns = ahead_ns();
  send_packet(packet);
}

void end_program(int status) {
  tell_end(status & 0xff);
  end_process(status);
}

}  // namespace lockstep::live::preload
