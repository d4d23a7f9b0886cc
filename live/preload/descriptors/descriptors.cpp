#include "live/preload/descriptors/descriptors.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include <algorithm>

#include "live/preload/kernel/control.h"
#include "live/preload/kernel/gate.h"

namespace lockstep::live::preload {

Description descriptions[descriptors_max];
int descriptions_end;
int descriptors_end;

namespace {

Description* table[descriptors_max];

void set(int descriptor, Description& description) {
  table[descriptor] = &description;
  descriptors_end = std::max(descriptors_end, descriptor + 1);
  descriptions_end = std::max(descriptions_end, static_cast<int>(&description - descriptions) + 1);
}

}  // namespace

Description* description_of(int descriptor) {
  return descriptor >= 0 && descriptor < descriptors_max ? table[descriptor] : nullptr;
}

Description& track(int descriptor, Description::Kind kind) {
  if (descriptor >= descriptors_max) refuse("the program has more than 1024 open descriptors");
  forget(descriptor);
  for (Description& description : descriptions) {
    if (description.references > 0) continue;
    description = Description{};
    description.kind = kind;
    description.references = 1;
    description.simulator_end = -1;
    set(descriptor, description);
    return description;
  }
  refuse("the program has more than 1024 open descriptors");
}

void share(int original, int copy) {
  if (original == copy) return;
  Description* const description = description_of(original);
  forget(copy);
  if (description == nullptr) return;
  if (copy >= descriptors_max) refuse("the program has more than 1024 open descriptors");
  set(copy, *description);
  ++description->references;
}

void forget(int descriptor) {
  Description* const description = description_of(descriptor);
  if (description == nullptr) return;
  table[descriptor] = nullptr;
  if (--description->references > 0) return;
  if (description->simulator_end >= 0) native(SYS_close, description->simulator_end);
  if (description->partner != nullptr) description->partner->partner = nullptr;
}

void replace(const Description& description, int made) {
  for_each_descriptor([&](int descriptor, const Description& other) {
    if (&other != &description) return;
    const long flags = native(SYS_fcntl, descriptor, F_GETFD);
    native(SYS_dup3, made, descriptor, (flags & FD_CLOEXEC) != 0 ? O_CLOEXEC : 0);
  });
  native(SYS_close, made);
}

void set_nonblocking(int descriptor) {
  const long flags = native(SYS_fcntl, descriptor, F_GETFL);
  if (flags >= 0) native(SYS_fcntl, descriptor, F_SETFL, flags | O_NONBLOCK);
}

}  // namespace lockstep::live::preload
