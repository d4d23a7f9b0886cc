// Sends all calls of a function elsewhere, by its first instructions.
#pragma once

#include <cstddef>
#include <cstring>

namespace lockstep::live::preload {

inline constexpr std::size_t jump_bytes = 12;

/// mov rax, function; jmp rax. REQUIRES: the jump_bytes at `code` can be written.
inline void write_jump(unsigned char* code, const void* function) {
  code[0] = 0x48;
  code[1] = 0xb8;
  std::memcpy(code + 2, &function, sizeof function);
  code[10] = 0xff;
  code[11] = 0xe0;
}

}  // namespace lockstep::live::preload
