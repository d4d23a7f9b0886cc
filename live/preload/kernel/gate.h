// The gate: the one page of code from which system calls reach the kernel.
//
// The seccomp filter (filter.h) turns calls from anywhere else into traps. What the library itself
// wants of the kernel it asks for with native(), which calls through the gate. Results are the
// kernel's: negative ones are -errno, and errno itself is never touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lockstep::live::preload {

inline constexpr std::uintptr_t gate_address = 0x100000000000;
inline constexpr std::size_t gate_bytes = 4096;

/// False if the page is taken.
bool open_gate();

using Gate = long (*)(long number, long, long, long, long, long, long);

template <class Argument>
long as_word(Argument argument) {
  if constexpr (std::is_null_pointer_v<Argument>) {
    return 0;
  } else if constexpr (std::is_pointer_v<Argument>) {
    return static_cast<long>(reinterpret_cast<std::intptr_t>(argument));
  } else {
    return static_cast<long>(argument);
  }
}

template <class... Arguments>
long native(long number, Arguments... arguments) {
  static_assert(sizeof...(Arguments) <= 6);
  const long words[6] = {as_word(arguments)...};
  return reinterpret_cast<Gate>(gate_address)(number, words[0], words[1], words[2], words[3],
                                              words[4], words[5]);
}

}  // namespace lockstep::live::preload
