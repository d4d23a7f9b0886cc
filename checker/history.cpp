#include "checker/history.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>

namespace lockstep::checker {
namespace {

/// So many are found sooner one by one than by their hash.
constexpr std::size_t few = 32;

}  // namespace

NameId Names::intern(std::string_view name) {
  if (names_.size() < few) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) return static_cast<NameId>(found - names_.begin());
  } else {
    if (2 * names_.size() >= slots_.size()) make_slots(4 * names_.size());
    std::uint32_t& slot = slots_[slot_of(name)];
    if (slot != 0) return static_cast<NameId>(slot - 1);
    slot = static_cast<std::uint32_t>(names_.size() + 1);
  }
  names_.emplace_back(name);
  return static_cast<NameId>(names_.size() - 1);
}

/// Where the name is, or where it belongs.
std::size_t Names::slot_of(std::string_view name) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t place = std::hash<std::string_view>()(name) & mask;
  while (slots_[place] != 0 && names_[slots_[place] - 1] != name) place = (place + 1) & mask;
  return place;
}

void Names::make_slots(std::size_t count) {
  slots_.assign(std::bit_ceil(count), 0);
  std::uint32_t number = 0;
  for (const std::string& name : names_) slots_[slot_of(name)] = ++number;
}

void Names::forget_after(std::size_t count) {
  assert(count <= names_.size());
  names_.resize(count);
  slots_.clear();
}

const std::string& Names::text(NameId id) const {
  assert(static_cast<std::size_t>(id) < names_.size());
  return names_[static_cast<std::size_t>(id)];
}

}  // namespace lockstep::checker
