#include "live/preload/threads/threads.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "live/preload/kernel/control.h"
#include "live/preload/kernel/gate.h"
#include "live/preload/kernel/idle.h"
#include "live/preload/process/processes.h"
#include "live/preload/threads/restartable_sequences.h"
#include "live/preload/threads/signals.h"
#include "live/preload/time/spin.h"

namespace lockstep::live::preload {

Thread threads[threads_max];
int threads_end;

namespace {

// Thread ids of the program are no process ids of the kernel (which end at 2^22), so that kill and
// its kin can tell them apart.
constexpr int first_thread_id = 1 << 22;

// So many turns are taken before descriptors are looked at although some thread can always run.
constexpr int turns_between_looks = 64;

[[gnu::tls_model("initial-exec")]] thread_local Thread* self;
bool is_surviving_forks;
int last_turn;
int turns;
int threads_begun;
/// The id of a thread that has ended; not yet 0 if the kernel is not done with it.
const std::uint32_t* leaving;

void sleep_until_turn() {
  if (is_surviving_forks) {
    save_thread(self->context);
    lockstep_save_registers(&self->context.registers);  // in a fork, the thread goes on from here
  }
  while (__atomic_exchange_n(&self->baton, 0, __ATOMIC_ACQ_REL) == 0) {
    native(SYS_futex, &self->baton, FUTEX_WAIT_PRIVATE, 0, nullptr);
  }
}

void signal_at(std::uint32_t& word) {
  __atomic_store_n(&word, 1, __ATOMIC_RELEASE);
  native(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
}

// Until the kernel has let go of the last thread that ended, its stack may be reused or not: what
// comes next would depend on who is faster.
void wait_for_leaving() {
  if (leaving == nullptr) return;
  while (__atomic_load_n(leaving, __ATOMIC_ACQUIRE) != 0) native(SYS_sched_yield);
  leaving = nullptr;
}

bool look_at_descriptors() {
  bool found = false;
  for (Thread& thread : used_threads()) {
    if (thread.state != Thread::State::waiting || thread.wait != Thread::Wait::descriptors) {
      continue;
    }
    if (native(SYS_poll, thread.polled, thread.polled_count, 0) > 0) {
      wake(thread, Thread::Woken::by_event);
      found = true;
    }
  }
  return found;
}

void look_at_deadlines() {
  for (Thread& thread : used_threads()) {
    if (thread.state == Thread::State::waiting && thread.deadline.passed()) {
      wake(thread, Thread::Woken::by_deadline);
    }
  }
}

std::int64_t next_deadline() {
  std::int64_t next = never;
  for (const Thread& thread : used_threads()) {
    if (thread.state != Thread::State::waiting) continue;
    const std::int64_t at = thread.deadline.on_monotonic_clock();
    if (at < next) next = at;
  }
  return next;
}

// SplitMix64, with the turn for a state.
std::uint64_t draw_turn() {
  std::uint64_t mixed = page().turns + static_cast<std::uint64_t>(turns) * 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

Thread* any_runnable() {
  std::uint64_t runnable = 0;
  for (const Thread& thread : used_threads())
    runnable += thread.state == Thread::State::runnable ? 1 : 0;
  if (runnable == 0) return nullptr;
  std::uint64_t chosen = runnable == 1 ? 0 : draw_turn() % runnable;
  return find_thread([&chosen](const Thread& thread) {
    return thread.state == Thread::State::runnable && chosen-- == 0;
  });
}

Thread* next_runnable() {
  if (page().turns != 0) return any_runnable();
  for (int step = 1; step <= threads_end; ++step) {
    const int turn = (last_turn + step) % threads_end;
    if (threads[turn].state != Thread::State::runnable) continue;
    last_turn = turn;
    return &threads[turn];
  }
  return nullptr;
}

Thread& next_thread() {
  if (++turns % turns_between_looks == 0) look_at_descriptors();
  for (;;) {
    Thread* const next = next_runnable();
    if (next != nullptr) return *next;
    if (look_at_descriptors()) continue;
    be_idle(next_deadline());
    note_idle();
    look_at_descriptors();
    look_at_deadlines();
  }
}

void take_the_baton() {
  self->state = Thread::State::running;
  wait_for_leaving();
}

void hand_over_the_baton() {
  Thread& next = next_thread();
  if (&next != self) {
    signal_at(next.baton);
    sleep_until_turn();
  }
  take_the_baton();
}

Thread::Woken block(Thread::Wait wait, Deadline deadline) {
  for (;;) {
    switch (deliver_signals(*self)) {
      case Delivered::interrupts:
        return Thread::Woken::by_signal;
      case Delivered::restarts:
        return Thread::Woken::by_restarting_signal;
      case Delivered::nothing:
        break;
    }
    self->state = Thread::State::waiting;
    self->wait = wait;
    self->deadline = deadline;
    hand_over_the_baton();
    if (is_by_signal(self->woken)) continue;
    const Thread::Woken woken = self->woken;  // handlers may wait, too
    deliver_signals(*self);
    return woken;
  }
}

struct Beginning {
  Thread* thread;
  void* (*run)(void*);
  void* argument;
};

// One thread begins at a time: its creator waits until it has read this.
Beginning beginning;
bool is_creating;

void* begin_thread(void*) {
  const Beginning mine = beginning;
  self = mine.thread;
  turn_off_restartable_sequences();
  self->libc_id = static_cast<std::uint32_t>(native(SYS_gettid));
  self->libc_id_at = own_thread_id();
  __atomic_store_n(&self->native_id, self->libc_id, __ATOMIC_RELEASE);
  native(SYS_futex, &self->native_id, FUTEX_WAKE_PRIVATE, 1);
  sleep_until_turn();
  take_the_baton();
  deliver_signals(*self);
  return mine.run(mine.argument);
}

Thread* unused_thread() {
  for (Thread& thread : threads) {
    if (thread.state != Thread::State::unused) continue;
    threads_end = std::max(threads_end, static_cast<int>(&thread - threads) + 1);
    return &thread;
  }
  return nullptr;
}

long on_sched_yield(const Call&) {
  yield();
  return 0;
}

long on_exit(const Call& call) {
  if (count_threads() == 1) end_program(call.integer(0));
  for (Thread& thread : used_threads()) {
    if (thread.state == Thread::State::waiting && thread.wait == Thread::Wait::end_of_thread &&
        thread.awaited == self->libc_id_at) {
      wake(thread, Thread::Woken::by_event);
    }
  }
  Thread& me = *self;
  me.state = Thread::State::waiting;  // for nothing, and its place stays taken until it has chosen
  me.wait = Thread::Wait::time;
  me.deadline = Deadline{};
  Thread& next = next_thread();
  leaving = me.libc_id_at;
  me = Thread{};
  signal_at(next.baton);
  for (;;) native(SYS_exit, call.words[0]);
}

constexpr Trap traps[] = {
    {SYS_sched_yield, on_sched_yield},
    {SYS_exit, on_exit},
};

}  // namespace

TrapTable thread_traps() { return table_of(traps); }

void begin_first_thread() {
  threads_end = 1;
  self = &threads[0];
  self->state = Thread::State::running;
  self->native_id = self->libc_id = static_cast<std::uint32_t>(native(SYS_gettid));
  self->libc_id_at = own_thread_id();
  self->id = page().pid;
}

Thread* current_thread() { return self; }
bool is_creating_thread() { return is_creating; }

Thread::Woken wait_until(Deadline deadline) { return block(Thread::Wait::time, deadline); }

Thread::Woken wait_at_futex(const std::uint32_t* address, std::uint32_t bits, Deadline deadline) {
  self->address = address;
  self->bits = bits;
  return block(Thread::Wait::futex, deadline);
}

Thread::Woken wait_for_descriptors(pollfd* polled, std::size_t count, Deadline deadline) {
  self->polled = polled;
  self->polled_count = count;
  return block(Thread::Wait::descriptors, deadline);
}

Thread::Woken wait_for_connection(int number, Deadline deadline) {
  self->connection = number;
  return block(Thread::Wait::connection, deadline);
}

Thread::Woken wait_for_end_of_thread(const std::uint32_t* libc_id_at, Deadline deadline) {
  self->awaited = libc_id_at;
  return block(Thread::Wait::end_of_thread, deadline);
}

void wake(Thread& thread, Thread::Woken woken) {
  thread.state = Thread::State::runnable;
  thread.woken = woken;
}

void yield() {
  self->state = Thread::State::runnable;
  hand_over_the_baton();
  deliver_signals(*self);
  count_yield();
}

void offer_to_be_overtaken() {
  if (page().turns == 0 || count_threads() == 1) return;
  ++turns;
  if (draw_turn() % 2 == 0) yield();
}

void survive_forks(bool survive) { is_surviving_forks = survive; }

void save_current_thread() { save_thread(self->context); }

void begin_threads_again() {
  restore_thread(self->context);
  self->native_id = static_cast<std::uint32_t>(native(SYS_gettid));
  threads[0].id = page().pid;
  for (Thread& thread : used_threads()) {
    if (thread.state == Thread::State::unused || &thread == self) continue;
    const long id = begin_again(thread.context);
    if (id < 0) refuse("a thread of the fork server cannot be begun again in its child");
    thread.native_id = static_cast<std::uint32_t>(id);
  }
}

int count_threads() {
  int count = 0;
  for (const Thread& thread : used_threads())
    count += thread.state != Thread::State::unused ? 1 : 0;
  return count;
}

int create_thread(PthreadCreate create, pthread_t* handle, const pthread_attr_t* attributes,
                  void* (*run)(void*), void* argument) {
  if (self == nullptr) return create(handle, attributes, run, argument);
  Thread* const thread = unused_thread();
  if (thread == nullptr) refuse("the program has more than 255 threads");
  *thread = Thread{};
  thread->state = Thread::State::runnable;
  thread->id = first_thread_id + ++threads_begun;
  beginning = {thread, run, argument};
  is_creating = true;
  const int failure = create(handle, attributes, begin_thread, nullptr);
  if (failure != 0) {
    is_creating = false;
    *thread = Thread{};
    return failure;
  }
  while (__atomic_load_n(&thread->native_id, __ATOMIC_ACQUIRE) == 0) {
    native(SYS_futex, &thread->native_id, FUTEX_WAIT_PRIVATE, 0, nullptr);
  }
  is_creating = false;
  return 0;
}

}  // namespace lockstep::live::preload
