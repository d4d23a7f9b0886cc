// Where a thread sleeps, so that another process can let it go on from there.
//
// A fork copies the memory of all threads, their stacks too, but only the one that forks goes on.
// In the child of a fork server the others are begun anew with what they had: registers, the
// pointer to their own variables, and what the kernel keeps for a thread. libc does not notice: for
// it they have their old ids.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>

namespace lockstep::live::preload {

/// What a function must keep for its caller, the stack, and where to go on.
struct Registers {
  std::uint64_t rbx, rbp, r12, r13, r14, r15, rsp, rip;
};

struct Context {
  Registers registers;
  std::uintptr_t thread_pointer;
  std::uint64_t signal_mask;
  stack_t signal_stack;
  void* robust_list;
  std::size_t robust_list_bytes;
};

/// Writes down the calling function's registers. Returns 0, and 1 once the thread goes on from here
/// in another process. The caller must not have returned until then.
extern "C" [[gnu::returns_twice, gnu::visibility("hidden")]] int lockstep_save_registers(
    Registers* registers);

/// Writes down the rest.
void save_thread(Context& context);

/// Begins a thread of this process that goes on from there; the kernel's id of it, or -errno. The
/// thread has been restored when this returns.
long begin_again(const Context& context);

/// Gives the kernel again what it forgets of the thread that forks.
void restore_thread(const Context& context);

/// Finds out where libc keeps a thread's id; false where the kernel can't say.
bool find_thread_ids();
/// libc's id of the calling thread, which the kernel sets to 0 when the thread has ended.
const std::uint32_t* own_thread_id();

}  // namespace lockstep::live::preload
