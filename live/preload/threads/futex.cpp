#include "live/preload/threads/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include <cerrno>

#include "live/preload/kernel/control.h"
#include "live/preload/kernel/gate.h"
#include "live/preload/threads/threads.h"

namespace lockstep::live::preload {

namespace {

using Word = std::uint32_t;

Word value_at(const Word* address) { return __atomic_load_n(address, __ATOMIC_SEQ_CST); }

bool waits_at(const Thread& thread, const Word* address) {
  return thread.state == Thread::State::waiting && thread.wait == Thread::Wait::futex &&
         thread.address == address;
}

// FUTEX_WAIT counts from now; FUTEX_WAIT_BITSET names a moment.
Deadline deadline_of(const timespec* time, int operation, int command) {
  if (time == nullptr) return {};
  const std::int64_t ns = to_ns(*time);
  if (command == FUTEX_WAIT) return after(ns);
  const bool on_wall_clock = (operation & FUTEX_CLOCK_REALTIME) != 0;
  return {ns, on_wall_clock ? Deadline::Clock::wall : Deadline::Clock::monotonic};
}

// The caller of a futex looks at its word again after a wake-up without a cause: 0 restarts.
long result_of(Thread::Woken woken) {
  switch (woken) {
    case Thread::Woken::by_event:
    case Thread::Woken::by_restarting_signal:
      return 0;
    case Thread::Woken::by_deadline:
      return -ETIMEDOUT;
    case Thread::Woken::by_signal:
      return -EINTR;
  }
  return 0;
}

bool is_id_of_thread(const Word* address) {
  return find_thread([address](const Thread& thread) { return thread.libc_id_at == address; }) !=
         nullptr;
}

long wait(const Word* address, int operation, Word expected, const timespec* time, Word bits) {
  if (bits == 0) return -EINVAL;
  if (value_at(address) != expected) return -EAGAIN;
  const Deadline deadline = deadline_of(time, operation, operation & FUTEX_CMD_MASK);
  if ((operation & FUTEX_PRIVATE_FLAG) != 0 || !is_id_of_thread(address)) {
    return result_of(wait_at_futex(address, bits, deadline));
  }
  const Thread::Woken woken = wait_for_end_of_thread(address, deadline);
  if (woken != Thread::Woken::by_event) return result_of(woken);
  // It has ended for us; the kernel is about to clear its id.
  while (value_at(address) == expected) native(SYS_sched_yield);
  return 0;
}

long wake_some(const Word* address, long count, Word bits) {
  // A thread that is not known yet may wait in the kernel.
  if (is_creating_thread()) native(SYS_futex, address, FUTEX_WAKE_PRIVATE, count);
  long woken = 0;
  for (Thread& thread : used_threads()) {
    if (woken >= count) break;
    if (!waits_at(thread, address) || (thread.bits & bits) == 0) continue;
    wake(thread, Thread::Woken::by_event);
    ++woken;
  }
  return woken;
}

long requeue(const Word* from, const Word* to, long wake_count, long move_count) {
  const long woken = wake_some(from, wake_count, FUTEX_BITSET_MATCH_ANY);
  long moved = 0;
  for (Thread& thread : used_threads()) {
    if (moved >= move_count) break;
    if (!waits_at(thread, from)) continue;
    thread.address = to;
    ++moved;
  }
  return woken + moved;
}

Word changed(Word value, unsigned operation, Word argument) {
  switch (operation) {
    case FUTEX_OP_SET:
      return argument;
    case FUTEX_OP_ADD:
      return value + argument;
    case FUTEX_OP_OR:
      return value | argument;
    case FUTEX_OP_ANDN:
      return value & ~argument;
    default:
      return value ^ argument;
  }
}

bool compares(Word value, unsigned comparison, Word argument) {
  const auto a = static_cast<std::int32_t>(value);
  const auto b = static_cast<std::int32_t>(argument);
  switch (comparison) {
    case FUTEX_OP_CMP_EQ:
      return a == b;
    case FUTEX_OP_CMP_NE:
      return a != b;
    case FUTEX_OP_CMP_LT:
      return a < b;
    case FUTEX_OP_CMP_LE:
      return a <= b;
    case FUTEX_OP_CMP_GT:
      return a > b;
    default:
      return a >= b;
  }
}

// The twelve bits are signed.
Word twelve_bits(Word encoded) {
  return static_cast<Word>(static_cast<std::int32_t>(encoded << 20) >> 20);
}

// FUTEX_WAKE_OP: changes the second word, wakes at the first, and at the second if its old value
// compares.
long wake_and_change(const Word* first, Word* second, long wake_first, long wake_second,
                     Word encoded) {
  const unsigned operation = encoded >> 28 & 7;
  const unsigned comparison = encoded >> 24 & 15;
  Word argument = twelve_bits(encoded >> 12);
  if ((encoded >> 28 & FUTEX_OP_OPARG_SHIFT) != 0) argument = 1U << (argument & 31);
  const Word old = *second;
  *second = changed(old, operation, argument);
  long woken = wake_some(first, wake_first, FUTEX_BITSET_MATCH_ANY);
  if (compares(old, comparison, twelve_bits(encoded))) {
    woken += wake_some(second, wake_second, FUTEX_BITSET_MATCH_ANY);
  }
  return woken;
}

long on_futex(const Call& call) {
  auto* const address = call.pointer<Word>(0);
  auto* const second = call.pointer<Word>(4);
  const int operation = call.integer(1);
  const auto value = static_cast<Word>(call.words[2]);
  const auto third = static_cast<Word>(call.words[5]);
  const long count = call.integer(2);
  const auto* const time = call.pointer<const timespec>(3);
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
      return wait(address, operation, value, time, FUTEX_BITSET_MATCH_ANY);
    case FUTEX_WAIT_BITSET:
      return wait(address, operation, value, time, third);
    case FUTEX_WAKE:
      return wake_some(address, count, FUTEX_BITSET_MATCH_ANY);
    case FUTEX_WAKE_BITSET:
      return third == 0 ? -EINVAL : wake_some(address, count, third);
    case FUTEX_CMP_REQUEUE:
      if (value_at(address) != third) return -EAGAIN;
      return requeue(address, second, count, call.integer(3));
    case FUTEX_REQUEUE:
      return requeue(address, second, count, call.integer(3));
    case FUTEX_WAKE_OP:
      return wake_and_change(address, second, count, call.integer(3), third);
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
    case FUTEX_UNLOCK_PI:
    case FUTEX_TRYLOCK_PI:
    case FUTEX_WAIT_REQUEUE_PI:
    case FUTEX_CMP_REQUEUE_PI:
      refuse("the program uses mutexes with priority inheritance");
    default:
      return -ENOSYS;
  }
}

long on_futex_waitv(const Call&) { return -ENOSYS; }

constexpr int futex_waitv_number = 449;

constexpr Trap traps[] = {
    {SYS_futex, on_futex},
    {futex_waitv_number, on_futex_waitv},
};

}  // namespace

TrapTable futex_traps() { return table_of(traps); }

}  // namespace lockstep::live::preload
