// What files say that tell of time or of the machine. Numbers of the machine's are replaced by ones
// that are the same in each run; ids are the host's own (machine.h).
#pragma once

#include <cstddef>

namespace lockstep::live::preload {

struct Text {
  char characters[4096];
  std::size_t size = 0;

  void add(const char* word, std::size_t length);
  void add(const char* word);
  void add(long number);
};

/// Whether the library has a text for this path, unless a remedy is off.
bool is_written(const char* path);
/// False if there is none.
bool write_file(Text& text, const char* path);
/// Whether the real file, for which there is no text, is of an interface: the machine's are no
/// host's. Not covered: what stat says of their folders.
bool is_withheld(const char* path);

}  // namespace lockstep::live::preload
