#include "checker/history.h"

#include <cassert>

namespace lockstep::checker {

NameId Names::intern(std::string_view name) {
  for (std::size_t index = 0; index < names_.size(); ++index) {
    if (names_[index] == name) return static_cast<NameId>(index);
  }
  names_.emplace_back(name);
  return static_cast<NameId>(names_.size() - 1);
}

const std::string& Names::text(NameId id) const {
  assert(static_cast<std::size_t>(id) < names_.size());
  return names_[static_cast<std::size_t>(id)];
}

}  // namespace lockstep::checker
