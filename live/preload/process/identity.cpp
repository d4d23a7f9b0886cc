#include "live/preload/process/identity.h"

#include <sys/syscall.h>
#include <sys/utsname.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "live/preload/kernel/remedies.h"
#include "live/preload/threads/signals.h"
#include "live/preload/threads/threads.h"
#include "live/preload/time/local_time.h"

namespace lockstep::live::preload {

namespace {

long on_getpid(const Call& call) {
  if (has_no(Remedy::identity)) return pass(call);
  return process_id();
}

long on_getppid(const Call& call) { return has_no(Remedy::identity) ? pass(call) : parent_id; }

long on_gettid(const Call& call) {
  return has_no(Remedy::identity) ? pass(call) : current_thread()->id;
}

long on_uname(const Call& call) {
  const long result = pass(call);
  if (result != 0) return result;
  auto& name = call.pointer<utsname>(0)->nodename;
  std::strncpy(name, host_name(), sizeof name - 1);
  name[sizeof name - 1] = '\0';
  return result;
}

long on_getaffinity(const Call& call) {
  if (call.size(1) < sizeof(unsigned long)) return -EINVAL;
  *call.pointer<unsigned long>(2) = 1;
  return sizeof(unsigned long);
}

long on_setaffinity(const Call&) { return 0; }

Thread* thread_of(int id) {
  return find_thread([id](const Thread& thread) {
    return thread.id == id || static_cast<int>(thread.libc_id) == id;
  });
}

long send_to_process(int id, int signal, const siginfo_t* info = nullptr) {
  const int own = process_id();
  if (id != own && id != -own && id != 0 && id != -1) return -ESRCH;
  // The kernel would take the first thread, if it is left, or any other.
  Thread* const receiver = find_thread([](const Thread&) { return true; });
  return receiver == nullptr ? -ESRCH : send_signal(*receiver, signal, info);
}

long send_to_thread(int id, int signal, const siginfo_t* info = nullptr) {
  Thread* const receiver = thread_of(id);
  return receiver == nullptr ? -ESRCH : send_signal(*receiver, signal, info);
}

long on_kill(const Call& call) { return send_to_process(call.integer(0), call.integer(1)); }
long on_tkill(const Call& call) { return send_to_thread(call.integer(0), call.integer(1)); }
long on_tgkill(const Call& call) { return send_to_thread(call.integer(1), call.integer(2)); }

long on_sigqueue(const Call& call) {
  return send_to_process(call.integer(0), call.integer(1), call.pointer<const siginfo_t>(2));
}
long on_thread_sigqueue(const Call& call) {
  return send_to_thread(call.integer(1), call.integer(2), call.pointer<const siginfo_t>(3));
}

constexpr Trap identity_table[] = {
    {SYS_getpid, on_getpid},
    {SYS_getppid, on_getppid},
    {SYS_getpgid, on_getpid},
    {SYS_getpgrp, on_getpid},
    {SYS_getsid, on_getpid},
    {SYS_gettid, on_gettid},
    {SYS_uname, on_uname},
    {SYS_sched_getaffinity, on_getaffinity},
    {SYS_sched_setaffinity, on_setaffinity},
};

constexpr Trap kill_table[] = {
    {SYS_kill, on_kill},
    {SYS_tkill, on_tkill},
    {SYS_tgkill, on_tgkill},
    {SYS_rt_sigqueueinfo, on_sigqueue},
    {SYS_rt_tgsigqueueinfo, on_thread_sigqueue},
};

}  // namespace

int process_id() { return page().pid; }
const char* host_name() { return page().names; }

TrapTable identity_traps() { return table_of(identity_table); }
TrapTable kill_traps() { return table_of(kill_table); }

}  // namespace lockstep::live::preload
