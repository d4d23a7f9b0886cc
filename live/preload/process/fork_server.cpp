#include "live/preload/process/fork_server.h"

#include <fcntl.h>
#include <linux/prctl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <initializer_list>

#include "live/preload/descriptors/descriptors.h"
#include "live/preload/descriptors/waiting.h"
#include "live/preload/kernel/control.h"
#include "live/preload/kernel/gate.h"
#include "live/preload/kernel/idle.h"
#include "live/preload/network/connections.h"
#include "live/preload/process/randomness.h"
#include "live/preload/threads/threads.h"
#include "live/preload/time/local_time.h"

namespace lockstep::live::preload {

namespace {

using Kind = Description::Kind;

struct Inherited {
  int control;
  int page;
  int report;
  int output;
};

bool is_fork_server;

void renew_event(const Description& event) {
  replace(event, static_cast<int>(native(SYS_eventfd2, 0, event.flags)));
}

void renew_pair(const Description& one, const Description& other) {
  int ends[2];
  if (one.is_pipe) {
    native(SYS_pipe2, ends, one.flags | O_NONBLOCK);
  } else {
    native(SYS_socketpair, AF_UNIX, one.flags | SOCK_NONBLOCK, 0, ends);
  }
  replace(one, ends[0]);
  replace(other, ends[1]);
}

void renew_descriptions() {
  for (const Description& description : used_descriptions()) {
    if (description.references == 0) continue;
    if (description.kind == Kind::event || description.kind == Kind::timer) {
      renew_event(description);
    }
    if (description.partner != nullptr && !description.is_second) {
      renew_pair(description, *description.partner);
    }
  }
  renew_connections();
  renew_epolls();
}

void move(int from, int to, bool closes) { native(SYS_dup3, from, to, closes ? O_CLOEXEC : 0); }

/// All that the program has opened for its report leads to this run's.
void take_report(int inherited) {
  const Description* const report = find_description(
      [](const Description& description) { return description.kind == Kind::report; });
  if (report != nullptr) {
    replace(*report, inherited);
  } else {
    native(SYS_close, inherited);
  }
}

void begin_child(const Inherited& inherited, long parent) {
  native(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  if (native(SYS_getppid) != parent) end_process(1);  // it died before it could tell
  move(inherited.control, control_fd, true);
  take_report(inherited.report);
  move(inherited.output, STDOUT_FILENO, false);
  move(inherited.output, STDERR_FILENO, false);
  if (!change_page(inherited.page)) refuse("the page of the run cannot be mapped");
  for (const int descriptor : {inherited.control, inherited.page, inherited.output}) {
    native(SYS_close, descriptor);
  }
  let_time_pass_alone(false);
  begin_processor_time();
  seed_random_numbers();
  renew_descriptions();
  stop_remembering_registrations();
  survive_forks(false);
  begin_threads_again();
}

void reap_children() {
  while (native(SYS_wait4, -1, nullptr, WNOHANG, nullptr) > 0) continue;
}

// True in the child.
bool serve_one() {
  int received[4] = {-1, -1, -1, -1};
  const Packet packet = receive_packet(received, 4);
  const Inherited inherited{received[0], received[1], received[2], received[3]};
  reap_children();
  bool is_child = false;
  if (packet.kind == Packet::Kind::spawn && inherited.output >= 0) {
    const long parent = native(SYS_getpid);
    // Not libc's fork, which would clear away the threads that are to go on.
    const long child = native(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, 0);
    if (child < 0) refuse("the fork server cannot fork");
    is_child = child == 0;
    if (is_child) begin_child(inherited, parent);
  }
  if (!is_child) {
    for (const int descriptor : received) {
      if (descriptor >= 0) native(SYS_close, descriptor);
    }
  }
  return is_child;
}

}  // namespace

void tell_loaded(int descriptor) {
  if (!is_fork_server) return;
  Packet packet{};
  packet.kind = Packet::Kind::loaded;
  send_packet(packet, descriptor);
}

void be_fork_server() {
  is_fork_server = true;
  const long executable = native(SYS_open, "/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (executable >= 0) {
    tell_loaded(static_cast<int>(executable));
    native(SYS_close, executable);
  }
  survive_forks(true);
  let_time_pass_alone(true);
}

void come_to_fork_point() {
  if (!is_fork_server) return;
  Packet packet{};
  packet.kind = Packet::Kind::ready;
  packet.status = count_threads() - 1;
  packet.spun_ns = ahead_ns();
  send_packet(packet);
  save_current_thread();
  while (!serve_one()) continue;
  is_fork_server = false;
  wait_until(after(0));  // for the simulator's first resume
}

}  // namespace lockstep::live::preload
