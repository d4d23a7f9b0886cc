// libc's functions that begin threads.
#include <dlfcn.h>
#include <threads.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>

#include "live/preload/threads/threads.h"

namespace lockstep::live::preload {

namespace {

PthreadCreate libc_pthread_create() {
  static PthreadCreate known;
  if (known == nullptr) {
    known = reinterpret_cast<PthreadCreate>(dlsym(RTLD_NEXT, "pthread_create"));
  }
  return known;
}

struct C11Thread {
  thrd_start_t run;
  void* argument;
};

void* run_c11_thread(void* memory) {
  const C11Thread thread = *static_cast<C11Thread*>(memory);
  std::free(memory);
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(thread.run(thread.argument)));
}

}  // namespace

extern "C" [[gnu::visibility("default")]] int pthread_create(pthread_t* handle,
                                                             const pthread_attr_t* attributes,
                                                             void* (*run)(void*), void* argument) {
  return create_thread(libc_pthread_create(), handle, attributes, run, argument);
}

extern "C" [[gnu::visibility("default")]] int thrd_create(thrd_t* handle, thrd_start_t run,
                                                          void* argument) {
  auto* const thread = static_cast<C11Thread*>(std::malloc(sizeof(C11Thread)));
  if (thread == nullptr) return thrd_nomem;
  *thread = {run, argument};
  const int failure = create_thread(libc_pthread_create(), handle, nullptr, run_c11_thread, thread);
  if (failure == 0) return thrd_success;
  std::free(thread);
  return failure == EAGAIN ? thrd_nomem : thrd_error;
}

}  // namespace lockstep::live::preload
