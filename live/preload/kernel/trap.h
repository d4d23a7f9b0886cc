// A trapped system call, and the tables that say who answers it.
//
// Each part of the library lists the calls that it answers in a table of its own; traps.cpp puts
// them together, and the seccomp filter traps exactly those. A handler runs in the SIGSYS handler
// of the calling thread, which holds the baton (threads.h): nothing else of the program runs, so
// that the library needs no locks. It may block with wait functions and returns what the kernel
// would: a result or -errno.
#pragma once

#include <sys/ucontext.h>

#include <cstddef>
#include <cstdint>

namespace lockstep::live::preload {

struct Call {
  long number;
  long words[6];
  ucontext_t* context;  ///< of the trap: what the thread goes on with

  int integer(int index) const { return static_cast<int>(words[index]); }
  std::size_t size(int index) const { return static_cast<std::size_t>(words[index]); }
  template <class Pointed>
  Pointed* pointer(int index) const {
    return reinterpret_cast<Pointed*>(words[index]);
  }
};

using Handler = long (*)(const Call& call);

struct Trap {
  int number;
  Handler handler;
};

struct TrapTable {
  const Trap* traps;
  std::size_t count;
};

template <std::size_t count>
constexpr TrapTable table_of(const Trap (&traps)[count]) {
  return {traps, count};
}

/// To the kernel as it is.
long pass(const Call& call);

}  // namespace lockstep::live::preload
