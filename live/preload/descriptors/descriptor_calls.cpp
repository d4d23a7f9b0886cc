// The calls that make, copy, change and close descriptors.
#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <initializer_list>

#include "live/preload/descriptors/descriptors.h"
#include "live/preload/kernel/gate.h"
#include "live/preload/network/interfaces.h"
#include "live/protocol.h"

namespace lockstep::live::preload {

namespace {

bool is_ours(int descriptor) {
  if (descriptor == control_fd) return true;
  return find_description([descriptor](const Description& description) {
           return description.simulator_end == descriptor;
         }) != nullptr;
}

long on_close(const Call& call) {
  const int descriptor = call.integer(0);
  if (is_ours(descriptor)) return -EBADF;
  forget(descriptor);
  return native(SYS_close, descriptor);
}

long on_close_range(const Call& call) {
  const auto first = static_cast<unsigned>(call.words[0]);
  const auto last = static_cast<unsigned>(call.words[1]);
  const auto flags = static_cast<unsigned>(call.words[2]);
  if (first > last) return -EINVAL;
  if ((flags & CLOSE_RANGE_CLOEXEC) != 0) return pass(call);
  for (unsigned at = first; at <= last && at < descriptors_max; ++at) {
    const int descriptor = static_cast<int>(at);
    if (is_ours(descriptor)) continue;
    forget(descriptor);
    native(SYS_close, descriptor);
  }
  if (last < descriptors_max) return 0;
  return native(SYS_close_range, first < descriptors_max ? descriptors_max : first, last, flags);
}

long copied(int original, long copy) {
  if (copy >= 0) share(original, static_cast<int>(copy));
  return copy;
}

long on_dup(const Call& call) { return copied(call.integer(0), pass(call)); }

long on_dup_to(const Call& call) {
  if (is_ours(call.integer(1))) return -EBADF;
  return copied(call.integer(0), pass(call));
}

long on_fcntl(const Call& call) {
  const int command = call.integer(1);
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) {
    return copied(call.integer(0), pass(call));
  }
  Description* const description = description_of(call.integer(0));
  if (description == nullptr || description->kind == Description::Kind::report) return pass(call);
  if (command == F_GETFL) {
    const long flags = pass(call);
    return flags < 0 || description->nonblocking ? flags : flags & ~long{O_NONBLOCK};
  }
  if (command == F_SETFL) {
    const long result = native(SYS_fcntl, call.integer(0), F_SETFL, call.words[2] | O_NONBLOCK);
    if (result >= 0) description->nonblocking = (call.words[2] & O_NONBLOCK) != 0;
    return result;
  }
  return pass(call);
}

long on_ioctl(const Call& call) {
  const auto request = static_cast<unsigned long>(call.words[1]);
  if (is_about_interfaces(request)) return tell_of_interfaces(request, call.pointer<void>(2));
  if (request != FIONBIO) return pass(call);
  Description* const description = description_of(call.integer(0));
  if (description == nullptr) return pass(call);
  description->nonblocking = *call.pointer<const int>(2) != 0;
  return 0;
}

void track_pair(const int (&ends)[2], bool nonblocking, int flags, bool is_pipe) {
  Description& one = track(ends[0], Description::Kind::stream);
  Description& other = track(ends[1], Description::Kind::stream);
  one.partner = &other;
  other.partner = &one;
  other.is_second = true;
  for (Description* end : {&one, &other}) {
    end->nonblocking = nonblocking;
    end->flags = flags;
    end->is_pipe = is_pipe;
  }
}

long make_pipe(int* ends, int flags) {
  int made[2];
  const long result = native(SYS_pipe2, made, flags);
  if (result < 0) return result;
  if ((flags & O_NONBLOCK) == 0) {
    set_nonblocking(made[0]);
    set_nonblocking(made[1]);
  }
  track_pair(made, (flags & O_NONBLOCK) != 0, flags, true);
  ends[0] = made[0];
  ends[1] = made[1];
  return 0;
}

long on_pipe(const Call& call) { return make_pipe(call.pointer<int>(0), 0); }
long on_pipe2(const Call& call) { return make_pipe(call.pointer<int>(0), call.integer(1)); }

long on_socketpair(const Call& call) {
  int* const ends = call.pointer<int>(3);
  const int type = call.integer(1);
  const long result =
      native(SYS_socketpair, call.words[0], type | SOCK_NONBLOCK, call.words[2], ends);
  if (result < 0) return result;
  track_pair({ends[0], ends[1]}, (type & SOCK_NONBLOCK) != 0, type, false);
  return 0;
}

long make_event(unsigned count, int flags) {
  const long descriptor = native(SYS_eventfd2, count, flags | EFD_NONBLOCK);
  if (descriptor < 0) return descriptor;
  Description& event = track(static_cast<int>(descriptor), Description::Kind::event);
  event.nonblocking = (flags & EFD_NONBLOCK) != 0;
  event.flags = flags | EFD_NONBLOCK;
  return descriptor;
}

long on_eventfd(const Call& call) { return make_event(static_cast<unsigned>(call.words[0]), 0); }
long on_eventfd2(const Call& call) {
  return make_event(static_cast<unsigned>(call.words[0]), call.integer(1));
}

constexpr Trap traps[] = {
    {SYS_close, on_close},     {SYS_close_range, on_close_range},
    {SYS_dup, on_dup},         {SYS_dup2, on_dup_to},
    {SYS_dup3, on_dup_to},     {SYS_fcntl, on_fcntl},
    {SYS_ioctl, on_ioctl},     {SYS_pipe, on_pipe},
    {SYS_pipe2, on_pipe2},     {SYS_socketpair, on_socketpair},
    {SYS_eventfd, on_eventfd}, {SYS_eventfd2, on_eventfd2},
};

}  // namespace

TrapTable descriptor_traps() { return table_of(traps); }

}  // namespace lockstep::live::preload
