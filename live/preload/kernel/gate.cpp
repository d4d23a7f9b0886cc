#include "live/preload/kernel/gate.h"

#include <sys/mman.h>

#include <cstring>

namespace lockstep::live::preload {

namespace {

// A C call with seven words becomes a system call: each moves to where the kernel looks for it.
constexpr unsigned char code[] = {
    0x48, 0x89, 0xf8,              // mov rax, rdi
    0x48, 0x89, 0xf7,              // mov rdi, rsi
    0x48, 0x89, 0xd6,              // mov rsi, rdx
    0x48, 0x89, 0xca,              // mov rdx, rcx
    0x4d, 0x89, 0xc2,              // mov r10, r8
    0x4d, 0x89, 0xc8,              // mov r8, r9
    0x4c, 0x8b, 0x4c, 0x24, 0x08,  // mov r9, [rsp+8]
    0x0f, 0x05,                    // syscall
    0xc3,                          // ret
};

}  // namespace

bool open_gate() {
  void* const wanted = reinterpret_cast<void*>(gate_address);
  void* const page = mmap(wanted, gate_bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (page != wanted) return false;
  std::memcpy(page, code, sizeof code);
  return mprotect(page, gate_bytes, PROT_READ | PROT_EXEC) == 0;
}

}  // namespace lockstep::live::preload
