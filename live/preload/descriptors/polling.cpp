#include <poll.h>
#include <sys/select.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstring>

#include "live/preload/descriptors/waiting.h"
#include "live/preload/kernel/gate.h"
#include "live/preload/threads/threads.h"
#include "live/preload/time/local_time.h"

namespace lockstep::live::preload {

namespace {

constexpr int selectable_max = 1024;
constexpr std::size_t bits_in_word = 8 * sizeof(long);

long poll_now(pollfd* polled, std::size_t count) { return native(SYS_poll, polled, count, 0); }

// A time-out of 0 asks, and lets others run; a negative one never ends.
long wait_polling(pollfd* polled, std::size_t count, std::int64_t timeout_ns) {
  if (timeout_ns == 0) {
    yield();
    return poll_now(polled, count);
  }
  const Deadline deadline = timeout_ns < 0 ? Deadline{} : after(timeout_ns);
  for (;;) {
    const long ready = poll_now(polled, count);
    if (ready != 0) return ready;
    const Thread::Woken woken = wait_for_descriptors(polled, count, deadline);
    if (is_by_signal(woken)) return -EINTR;
    if (woken == Thread::Woken::by_deadline) return poll_now(polled, count);
  }
}

template <class Time>
std::int64_t timeout_of(const Time* timeout) {
  return timeout == nullptr ? -1 : to_ns(*timeout);
}

long on_poll(const Call& call) {
  const int timeout_ms = call.integer(2);
  return wait_polling(call.pointer<pollfd>(0), call.size(1),
                      timeout_ms < 0 ? -1 : timeout_ms * ns_per_ms);
}

long on_ppoll(const Call& call) {
  return wait_polling(call.pointer<pollfd>(0), call.size(1),
                      timeout_of(call.pointer<const timespec>(2)));
}

// A set of select, of which only the words that it needs may be touched.
class Set {
 public:
  explicit Set(long* words) : words_(words) {}

  bool has(int descriptor) const {
    return words_ != nullptr && (words_[word(descriptor)] & mask(descriptor)) != 0;
  }
  void add(int descriptor) { words_[word(descriptor)] |= mask(descriptor); }
  void clear(int count) {
    if (words_ == nullptr) return;
    const std::size_t words = (static_cast<std::size_t>(count) + bits_in_word - 1) / bits_in_word;
    std::memset(words_, 0, words * sizeof(long));
  }

 private:
  static std::size_t word(int descriptor) {
    return static_cast<std::size_t>(descriptor) / bits_in_word;
  }
  static long mask(int descriptor) {
    return static_cast<long>(1UL << (static_cast<std::size_t>(descriptor) % bits_in_word));
  }

  long* words_;
};

struct Sets {
  Set readable;
  Set writable;
  Set exceptional;
};

std::size_t polled_of(const Sets& sets, int count, pollfd* polled) {
  std::size_t size = 0;
  for (int descriptor = 0; descriptor < count; ++descriptor) {
    int events = 0;
    if (sets.readable.has(descriptor)) events |= POLLIN;
    if (sets.writable.has(descriptor)) events |= POLLOUT;
    if (sets.exceptional.has(descriptor)) events |= POLLPRI;
    if (events != 0) polled[size++] = {descriptor, static_cast<short>(events), 0};
  }
  return size;
}

// How many bits are set.
long tell_ready(Sets& sets, int count, const pollfd* polled, std::size_t size) {
  sets.readable.clear(count);
  sets.writable.clear(count);
  sets.exceptional.clear(count);
  long bits = 0;
  const auto tell = [&bits](const pollfd& one, Set& set, int wanted, int found) {
    if ((one.events & wanted) == 0 || (one.revents & found) == 0) return;
    set.add(one.fd);
    ++bits;
  };
  for (std::size_t i = 0; i < size; ++i) {
    if ((polled[i].revents & POLLNVAL) != 0) return -EBADF;
    tell(polled[i], sets.readable, POLLIN, POLLIN | POLLHUP | POLLERR);
    tell(polled[i], sets.writable, POLLOUT, POLLOUT | POLLHUP | POLLERR);
    tell(polled[i], sets.exceptional, POLLPRI, POLLPRI);
  }
  return bits;
}

long wait_selecting(const Call& call, std::int64_t timeout_ns) {
  const int wanted = call.integer(0);
  if (wanted < 0) return -EINVAL;
  const int count = wanted < selectable_max ? wanted : selectable_max;
  Sets sets{Set(call.pointer<long>(1)), Set(call.pointer<long>(2)), Set(call.pointer<long>(3))};
  pollfd polled[selectable_max];
  const std::size_t size = polled_of(sets, count, polled);
  const long ready = wait_polling(polled, size, timeout_ns);
  return ready < 0 ? ready : tell_ready(sets, count, polled, size);
}

long on_select(const Call& call) {
  return wait_selecting(call, timeout_of(call.pointer<const timeval>(4)));
}

long on_pselect(const Call& call) {
  return wait_selecting(call, timeout_of(call.pointer<const timespec>(4)));
}

constexpr Trap traps[] = {
    {SYS_poll, on_poll},
    {SYS_ppoll, on_ppoll},
    {SYS_select, on_select},
    {SYS_pselect6, on_pselect},
};

}  // namespace

TrapTable poll_traps() { return table_of(traps); }

}  // namespace lockstep::live::preload
