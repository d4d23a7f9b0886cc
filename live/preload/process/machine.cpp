#include "live/preload/process/machine.h"

#include <cstring>

#include "live/preload/process/identity.h"
#include "live/preload/process/randomness.h"

namespace lockstep::live::preload {

namespace {

// FNV-1a.
std::uint64_t hash(std::uint64_t state, const char* text) {
  for (; *text != '\0'; ++text) {
    state = (state ^ static_cast<unsigned char>(*text)) * 0x100000001b3;
  }
  return state;
}

void fill_for(const char* purpose, void* bytes, std::size_t count) {
  std::uint64_t from = hash(hash(0xcbf29ce484222325, host_name()) + 1, purpose);
  draw_random_bytes(from, bytes, count);
}

}  // namespace

MachineId machine_id(const char* purpose) {
  MachineId id;
  fill_for(purpose, id.bytes, sizeof id.bytes);
  return id;
}

HardwareAddress hardware_address(const char* interface) {
  HardwareAddress address;
  fill_for(interface, address.bytes, sizeof address.bytes);
  constexpr unsigned group = 1;
  constexpr unsigned local = 2;
  address.bytes[0] = static_cast<unsigned char>((address.bytes[0] | local) & ~group);
  return address;
}

std::uint32_t own_address() {
  std::uint32_t address;
  std::memcpy(&address, host_name() + std::strlen(host_name()) + 1, sizeof address);
  return address;
}

}  // namespace lockstep::live::preload
