#include "live/preload/threads/context.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>

#include "live/preload/kernel/gate.h"

// lockstep_go_on makes lockstep_save_registers return once more. lockstep_clone begins a thread
// (flags, stack, thread pointer) that takes a function and its argument from its stack.
asm(R"(
  .pushsection .text
  .hidden lockstep_save_registers
  .globl lockstep_save_registers
  .type lockstep_save_registers, @function
lockstep_save_registers:
  movq %rbx, 0(%rdi)
  movq %rbp, 8(%rdi)
  movq %r12, 16(%rdi)
  movq %r13, 24(%rdi)
  movq %r14, 32(%rdi)
  movq %r15, 40(%rdi)
  leaq 8(%rsp), %rax
  movq %rax, 48(%rdi)
  movq (%rsp), %rax
  movq %rax, 56(%rdi)
  xorl %eax, %eax
  ret
  .size lockstep_save_registers, . - lockstep_save_registers

  .hidden lockstep_go_on
  .globl lockstep_go_on
  .type lockstep_go_on, @function
lockstep_go_on:
  movq 0(%rdi), %rbx
  movq 8(%rdi), %rbp
  movq 16(%rdi), %r12
  movq 24(%rdi), %r13
  movq 32(%rdi), %r14
  movq 40(%rdi), %r15
  movq 48(%rdi), %rsp
  movl $1, %eax
  jmp *56(%rdi)
  .size lockstep_go_on, . - lockstep_go_on

  .hidden lockstep_clone
  .globl lockstep_clone
  .type lockstep_clone, @function
lockstep_clone:
  movq %rdx, %r8
  xorl %edx, %edx
  xorl %r10d, %r10d
  movl $56, %eax
  syscall
  testq %rax, %rax
  jz 1f
  ret
1:
  xorl %ebp, %ebp
  popq %rax
  popq %rdi
  call *%rax
  ud2
  .size lockstep_clone, . - lockstep_clone
  .popsection
)");

extern "C" {
[[noreturn, gnu::visibility("hidden")]] void lockstep_go_on(
    const lockstep::live::preload::Registers* registers);
[[gnu::visibility("hidden")]] long lockstep_clone(unsigned long flags, void* stack,
                                                  std::uintptr_t thread_pointer);
}

namespace lockstep::live::preload {

namespace {

constexpr unsigned long thread_flags =
    CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS;
// The stack below what a function has pushed, which it may use without moving the pointer.
constexpr std::uint64_t red_zone_bytes = 128;
// libc's structure of a thread is larger, and has the id near its beginning.
constexpr std::size_t thread_ids_end = 1024;

std::size_t thread_id_offset;

struct Restart {
  const Context* context;
  std::uint32_t restored;
};

void set_restored(std::uint32_t& word) {
  __atomic_store_n(&word, 1, __ATOMIC_RELEASE);
  native(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
}

void go_on(Restart* restart) {
  const Context& context = *restart->context;
  restore_thread(context);
  native(SYS_rt_sigprocmask, SIG_SETMASK, &context.signal_mask, nullptr,
         sizeof context.signal_mask);
  stack_t stack = context.signal_stack;
  stack.ss_flags &= ~SS_ONSTACK;
  native(SYS_sigaltstack, &stack, nullptr);
  set_restored(restart->restored);
  lockstep_go_on(&context.registers);
}

}  // namespace

void save_thread(Context& context) {
  context.thread_pointer = pthread_self();
  native(SYS_rt_sigprocmask, SIG_BLOCK, nullptr, &context.signal_mask, sizeof context.signal_mask);
  native(SYS_sigaltstack, nullptr, &context.signal_stack);
  native(SYS_get_robust_list, 0, &context.robust_list, &context.robust_list_bytes);
}

void restore_thread(const Context& context) {
  native(SYS_set_tid_address, context.thread_pointer + thread_id_offset);
  native(SYS_set_robust_list, context.robust_list, context.robust_list_bytes);
}

long begin_again(const Context& context) {
  Restart restart{&context, 0};
  auto* stack = reinterpret_cast<std::uintptr_t*>((context.registers.rsp - red_zone_bytes) &
                                                  ~std::uint64_t{15});
  *--stack = reinterpret_cast<std::uintptr_t>(&restart);
  *--stack = reinterpret_cast<std::uintptr_t>(&go_on);
  const long id = lockstep_clone(thread_flags, stack, context.thread_pointer);
  if (id < 0) return id;
  while (__atomic_load_n(&restart.restored, __ATOMIC_ACQUIRE) == 0) {
    native(SYS_futex, &restart.restored, FUTEX_WAIT_PRIVATE, 0, nullptr);
  }
  return id;
}

const std::uint32_t* own_thread_id() {
  return reinterpret_cast<const std::uint32_t*>(pthread_self() + thread_id_offset);
}

// libc has told the kernel where to clear the id at the thread's end. To look for the id itself
// would not do: process 32767 also finds the upper half of a pointer.
bool find_thread_ids() {
  std::uintptr_t address = 0;
  if (native(SYS_prctl, PR_GET_TID_ADDRESS, &address) < 0 || address < pthread_self()) return false;
  thread_id_offset = address - pthread_self();
  return thread_id_offset < thread_ids_end;
}

}  // namespace lockstep::live::preload
