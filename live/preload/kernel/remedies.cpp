#include "live/preload/kernel/remedies.h"

#include <cstddef>
#include <cstring>

namespace lockstep::live::preload {

namespace {

struct Name {
  Remedy remedy;
  const char* text;
};

constexpr Name names[] = {
    {Remedy::vdso, "vdso"},           {Remedy::rdtsc, "rdtsc"},       {Remedy::random, "random"},
    {Remedy::at_random, "at_random"}, {Remedy::identity, "identity"},
};

unsigned turned_off;

unsigned bit(Remedy remedy) { return 1U << static_cast<unsigned>(remedy); }

}  // namespace

void read_remedies(const char* without) {
  while (without != nullptr && *without != '\0') {
    const std::size_t length = std::strcspn(without, ",");
    for (const Name& name : names) {
      if (std::strlen(name.text) == length && std::strncmp(name.text, without, length) == 0) {
        turned_off |= bit(name.remedy);
      }
    }
    without += length + (without[length] == ',' ? 1 : 0);
  }
}

bool has_no(Remedy remedy) { return (turned_off & bit(remedy)) != 0; }

}  // namespace lockstep::live::preload
