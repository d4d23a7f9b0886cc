// The vDSO: code of the kernel in the program's memory, which tells the time without a system call.
// Its functions are overwritten with jumps to ours.
#include <elf.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "live/preload/kernel/gate.h"
#include "live/preload/kernel/jump.h"
#include "live/preload/time/clocks.h"
#include "live/preload/time/local_time.h"

namespace lockstep::live::preload {

namespace {

constexpr std::uintptr_t page_size = 4096;

int clock_gettime_in_vdso(clockid_t clock, timespec* time) {
  const std::int64_t now = read_clock(clock);
  if (now < 0) return -22;  // -EINVAL
  if (time != nullptr) *time = to_timespec(now);
  return 0;
}

int gettimeofday_in_vdso(timeval* time, void* zone) {
  if (time != nullptr) *time = to_timeval(read_clock(CLOCK_REALTIME));
  if (zone != nullptr) std::memset(zone, 0, 2 * sizeof(int));
  return 0;
}

time_t time_in_vdso(time_t* time) {
  const time_t now = read_clock(CLOCK_REALTIME) / ns_per_s;
  if (time != nullptr) *time = now;
  return now;
}

int getcpu_in_vdso(unsigned* processor, unsigned* node, void*) {
  if (processor != nullptr) *processor = 0;
  if (node != nullptr) *node = 0;
  return 0;
}

struct Replacement {
  const char* name;
  const void* function;
};

const Replacement replacements[] = {
    {"__vdso_clock_gettime", reinterpret_cast<const void*>(&clock_gettime_in_vdso)},
    {"__vdso_gettimeofday", reinterpret_cast<const void*>(&gettimeofday_in_vdso)},
    {"__vdso_time", reinterpret_cast<const void*>(&time_in_vdso)},
    {"__vdso_getcpu", reinterpret_cast<const void*>(&getcpu_in_vdso)},
};

template <class Pointed>
Pointed* at(std::uintptr_t address) {
  return reinterpret_cast<Pointed*>(address);
}

struct Vdso {
  std::uintptr_t begin;
  std::uintptr_t offset;  ///< to be added to the addresses in its tables
  std::size_t bytes;
  const Elf64_Sym* symbols;
  std::size_t symbol_count;
  const char* names;
};

// The hash table of GNU has no count: the last symbol ends the longest chain.
std::size_t count_symbols(const std::uint32_t* table) {
  const std::uint32_t bucket_count = table[0];
  const std::uint32_t first_hashed = table[1];
  const std::uint32_t* const buckets = table + 4 + std::size_t{table[2]} * 2;
  const std::uint32_t* const chains = buckets + bucket_count;
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < bucket_count; ++i) {
    std::uint32_t symbol = buckets[i];
    if (symbol < first_hashed) continue;
    while ((chains[symbol - first_hashed] & 1) == 0) ++symbol;
    if (symbol > last) last = symbol;
  }
  return last + 1;
}

void read_dynamic_section(const Elf64_Dyn* entry, Vdso& vdso) {
  const std::uint32_t* gnu_hash = nullptr;
  for (; entry->d_tag != DT_NULL; ++entry) {
    const std::uintptr_t address = vdso.offset + entry->d_un.d_ptr;
    if (entry->d_tag == DT_SYMTAB) vdso.symbols = at<const Elf64_Sym>(address);
    if (entry->d_tag == DT_STRTAB) vdso.names = at<const char>(address);
    if (entry->d_tag == DT_HASH) vdso.symbol_count = at<const std::uint32_t>(address)[1];
    if (entry->d_tag == DT_GNU_HASH) gnu_hash = at<const std::uint32_t>(address);
  }
  if (vdso.symbol_count == 0 && gnu_hash != nullptr) vdso.symbol_count = count_symbols(gnu_hash);
}

bool read_vdso(Vdso& vdso) {
  vdso = Vdso{};
  vdso.begin = getauxval(AT_SYSINFO_EHDR);
  if (vdso.begin == 0) return false;
  const auto& header = *at<const Elf64_Ehdr>(vdso.begin);
  const auto* const segments = at<const Elf64_Phdr>(vdso.begin + header.e_phoff);
  const Elf64_Dyn* dynamic = nullptr;
  for (int i = 0; i < header.e_phnum; ++i) {
    if (segments[i].p_type == PT_LOAD) {
      vdso.offset = vdso.begin + segments[i].p_offset - segments[i].p_vaddr;
      vdso.bytes = segments[i].p_memsz;
    }
    if (segments[i].p_type == PT_DYNAMIC) {
      dynamic = at<const Elf64_Dyn>(vdso.begin + segments[i].p_offset);
    }
  }
  if (dynamic == nullptr) return false;
  read_dynamic_section(dynamic, vdso);
  return vdso.symbols != nullptr && vdso.names != nullptr;
}

}  // namespace

bool patch_vdso() {
  Vdso vdso;
  if (!read_vdso(vdso)) return true;  // then every reading of a clock is a system call
  const std::size_t bytes = (vdso.bytes + page_size - 1) & ~(page_size - 1);
  if (native(SYS_mprotect, vdso.begin, bytes, PROT_READ | PROT_WRITE | PROT_EXEC) < 0) return false;
  for (std::size_t i = 0; i < vdso.symbol_count; ++i) {
    const Elf64_Sym& symbol = vdso.symbols[i];
    for (const Replacement& replacement : replacements) {
      if (std::strcmp(vdso.names + symbol.st_name, replacement.name) != 0) continue;
      write_jump(at<unsigned char>(vdso.offset + symbol.st_value), replacement.function);
    }
  }
  native(SYS_mprotect, vdso.begin, bytes, PROT_READ | PROT_EXEC);
  return true;
}

}  // namespace lockstep::live::preload
