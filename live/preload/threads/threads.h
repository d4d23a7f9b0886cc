// The program's threads: one runs at a time, the one that has the baton.
//
// A thread keeps the baton until it blocks, yields or ends, in a system call that the library
// answers. Then the next one in turn that can run gets it. When none can, the process is idle: the
// simulator is told, and virtual time goes on.
//
// Seen are threads that pthread_create or thrd_create begin. Others (a bare clone, POSIX timers
// with SIGEV_THREAD) are refused at their first trapped call. Threads that compute without any
// system call are not interrupted.
#pragma once

#include <poll.h>
#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "live/preload/kernel/trap.h"
#include "live/preload/threads/context.h"
#include "live/preload/time/local_time.h"

namespace lockstep::live::preload {

struct Thread {
  enum class State : std::uint8_t { unused, runnable, running, waiting };
  enum class Wait : std::uint8_t { time, futex, descriptors, connection, end_of_thread };
  /// A restarting signal is one after which calls that can be restarted are (SA_RESTART).
  enum class Woken : std::uint8_t { by_event, by_deadline, by_signal, by_restarting_signal };

  State state;
  Wait wait;
  Woken woken;
  /// What the thread sleeps on until it gets the baton: 1 says that it has.
  std::uint32_t baton;
  std::uint32_t native_id;          ///< 0 until the thread has begun
  std::uint32_t libc_id;            ///< what libc takes for the native id: that of the fork server
  const std::uint32_t* libc_id_at;  ///< where libc has it, and a thread that joins this one waits
  int id;                           ///< what the program sees
  Deadline deadline;
  const std::uint32_t* address;  ///< futex: what it waits at, and for which wake-ups
  std::uint32_t bits;
  pollfd* polled;  ///< descriptors: it waits until one is ready
  std::size_t polled_count;
  int call;                       ///< the number of the one that is being answered, or the last
  int connection;                 ///< connection: until the simulator has answered it
  const std::uint32_t* awaited;   ///< end_of_thread: the libc_id_at of that thread
  std::uint64_t signals;          ///< sent to it while it did not run
  std::uint64_t awaited_signals;  ///< that it waits for itself (sigwait)
  Context context;                ///< where it sleeps
};

/// Limit of the protocol between this library and its users, told when it is reached.
inline constexpr int threads_max = 255;

/// The calling thread becomes the program's first.
void begin_first_thread();

/// The calling thread; null before pthread_create has made it known.
Thread* current_thread();
/// Whether a thread is being created, which is not known yet.
bool is_creating_thread();

/// The first thread that satisfies the condition, or null.
template <class Condition>
Thread* find_thread(Condition condition);

extern Thread threads[threads_max];
/// Only these have ever been in use.
extern int threads_end;
inline std::span<Thread> used_threads() { return {threads, static_cast<std::size_t>(threads_end)}; }

/// Block the calling thread and say why it goes on.
Thread::Woken wait_until(Deadline deadline);
Thread::Woken wait_at_futex(const std::uint32_t* address, std::uint32_t bits, Deadline deadline);
Thread::Woken wait_for_descriptors(pollfd* polled, std::size_t count, Deadline deadline);
Thread::Woken wait_for_connection(int number, Deadline deadline);
Thread::Woken wait_for_end_of_thread(const std::uint32_t* libc_id_at, Deadline deadline);

constexpr bool is_by_signal(Thread::Woken woken) {
  return woken == Thread::Woken::by_signal || woken == Thread::Woken::by_restarting_signal;
}

/// Makes a waiting thread go on, when its turn comes.
void wake(Thread& thread, Thread::Woken woken);

/// Lets all others run that can before the thread goes on.
void yield();
/// Where threads run in an order that is drawn, the thread may be overtaken here.
void offer_to_be_overtaken();

using PthreadCreate = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

/// Creates a thread with libc's `create`. It waits for its first turn.
int create_thread(PthreadCreate create, pthread_t* handle, const pthread_attr_t* attributes,
                  void* (*run)(void*), void* argument);

/// sched_yield, exit (of a thread).
TrapTable thread_traps();

/// Sleeping threads write down where they are, as long as the process may fork.
void survive_forks(bool survive);
/// Before the fork: the calling thread.
void save_current_thread();
/// In the child: lets the other threads go on sleeping there.
void begin_threads_again();
int count_threads();

template <class Condition>
Thread* find_thread(Condition condition) {
  for (Thread& thread : used_threads()) {
    if (thread.state != Thread::State::unused && condition(thread)) return &thread;
  }
  return nullptr;
}

}  // namespace lockstep::live::preload
