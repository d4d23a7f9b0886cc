#include "live/preload/time/time_stamp_counter.h"

#include <linux/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <cstdint>

#include "live/preload/kernel/gate.h"
#include "live/preload/time/local_time.h"
#include "live/preload/time/spin.h"

namespace lockstep::live::preload {

namespace {

std::uint64_t readings;

}  // namespace

bool forbid_time_stamps() { return native(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV) == 0; }

bool emulate_time_stamp(const siginfo_t& info, ucontext_t& context) {
  if (info.si_code != SI_KERNEL) return false;
  auto& registers = context.uc_mcontext.gregs;
  const auto* const code = reinterpret_cast<const unsigned char*>(registers[REG_RIP]);
  const bool is_rdtsc = code[0] == 0x0f && code[1] == 0x31;
  const bool is_rdtscp = code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9;
  if (!is_rdtsc && !is_rdtscp) return false;
  count_clock_read();
  const std::uint64_t ticks = static_cast<std::uint64_t>(monotonic_now()) + ++readings;
  registers[REG_RAX] = static_cast<greg_t>(ticks & 0xffffffff);
  registers[REG_RDX] = static_cast<greg_t>(ticks >> 32);
  if (is_rdtscp) registers[REG_RCX] = 0;
  registers[REG_RIP] += is_rdtsc ? 2 : 3;
  return true;
}

}  // namespace lockstep::live::preload
