#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/syscall.h>

#include <cerrno>

#include "live/preload/descriptors/descriptors.h"
#include "live/preload/descriptors/waiting.h"
#include "live/preload/kernel/control.h"
#include "live/preload/kernel/gate.h"
#include "live/preload/threads/threads.h"

namespace lockstep::live::preload {

namespace {

constexpr int registrations_max = 1024;

struct Registration {
  const Description* epoll;
  int descriptor;
  const Description* watched;  ///< what the descriptor meant; null if it was not tracked
  epoll_event event;
};

Registration registrations[registrations_max];
int registration_count;
bool is_remembering = true;

void remember(int epoll, int operation, int descriptor, const epoll_event* event) {
  const Description* const description = description_of(epoll);
  if (!is_remembering || description == nullptr) return;
  int at = 0;
  while (at < registration_count &&
         (registrations[at].epoll != description || registrations[at].descriptor != descriptor)) {
    ++at;
  }
  if (operation == EPOLL_CTL_DEL) {
    if (at == registration_count) return;
    for (--registration_count; at < registration_count; ++at) {
      registrations[at] = registrations[at + 1];
    }
    return;
  }
  if (at == registrations_max) refuse("the program watches more than 1024 descriptors by epoll");
  if (at == registration_count) ++registration_count;
  registrations[at] = {description, descriptor, description_of(descriptor), *event};
}

long make_epoll(int flags) {
  const long descriptor = native(SYS_epoll_create1, flags);
  if (descriptor < 0) return descriptor;
  Description& description = track(static_cast<int>(descriptor), Description::Kind::epoll);
  description.flags = flags;
  description.nonblocking = true;
  return descriptor;
}

long on_epoll_create(const Call& call) { return call.integer(0) <= 0 ? -EINVAL : make_epoll(0); }
long on_epoll_create1(const Call& call) { return make_epoll(call.integer(0)); }

long on_epoll_ctl(const Call& call) {
  const long result = pass(call);
  if (result == 0) {
    remember(call.integer(0), call.integer(1), call.integer(2), call.pointer<const epoll_event>(3));
  }
  return result;
}

long ask_now(const Call& call) {
  return native(SYS_epoll_wait, call.words[0], call.words[1], call.words[2], 0);
}

long wait_for_events(const Call& call, std::int64_t timeout_ns) {
  if (timeout_ns == 0) {
    yield();
    return ask_now(call);
  }
  const Deadline deadline = timeout_ns < 0 ? Deadline{} : after(timeout_ns);
  for (;;) {
    const long ready = ask_now(call);
    if (ready != 0) return ready;
    pollfd polled{call.integer(0), POLLIN, 0};
    const Thread::Woken woken = wait_for_descriptors(&polled, 1, deadline);
    if (is_by_signal(woken)) return -EINTR;
    if (woken == Thread::Woken::by_deadline) return ask_now(call);
  }
}

long on_epoll_wait(const Call& call) {
  const int timeout_ms = call.integer(3);
  return wait_for_events(call, timeout_ms < 0 ? -1 : timeout_ms * ns_per_ms);
}

long on_epoll_pwait2(const Call& call) {
  const auto* const timeout = call.pointer<const timespec>(3);
  return wait_for_events(call, timeout == nullptr ? -1 : to_ns(*timeout));
}

constexpr Trap traps[] = {
    {SYS_epoll_create, on_epoll_create}, {SYS_epoll_create1, on_epoll_create1},
    {SYS_epoll_ctl, on_epoll_ctl},       {SYS_epoll_wait, on_epoll_wait},
    {SYS_epoll_pwait, on_epoll_wait},    {SYS_epoll_pwait2, on_epoll_pwait2},
};

}  // namespace

TrapTable epoll_traps() { return table_of(traps); }

void renew_epolls() {
  for_each_descriptor([](int descriptor, const Description& description) {
    if (description.kind != Description::Kind::epoll) return;
    const long made = native(SYS_epoll_create1, description.flags);
    const bool closes = (description.flags & EPOLL_CLOEXEC) != 0;
    native(SYS_dup3, made, descriptor, closes ? O_CLOEXEC : 0);
    native(SYS_close, made);
  });
  for_each_descriptor([](int epoll, const Description& description) {
    for (int i = 0; i < registration_count; ++i) {
      Registration& registration = registrations[i];
      if (registration.epoll != &description) continue;
      if (description_of(registration.descriptor) != registration.watched) continue;
      native(SYS_epoll_ctl, epoll, EPOLL_CTL_ADD, registration.descriptor, &registration.event);
    }
  });
}

void stop_remembering_registrations() {
  is_remembering = false;
  registration_count = 0;
}

}  // namespace lockstep::live::preload
