#include "redis/pubsub/subscribed_names.h"

#include <algorithm>
#include <iterator>

namespace lockstep::redis {

SubscribedNames::Names::iterator SubscribedNames::find(std::string_view name) {
  if (index_.empty()) return std::find(names_.begin(), names_.end(), name);
  const auto found = index_.find(name);
  return found == index_.end() ? names_.end() : found->second;
}

bool SubscribedNames::add(std::string_view name) {
  if (find(name) != names_.end()) return false;
  if (spare_.empty()) {
    names_.emplace_back(name);
  } else {
    spare_.front().assign(name);
    names_.splice(names_.end(), spare_, spare_.begin());
  }
  if (!index_.empty()) {
    index_.emplace(names_.back(), std::prev(names_.end()));
  } else if (names_.size() > few) {
    for (auto each = names_.begin(); each != names_.end(); ++each) index_.emplace(*each, each);
  }
  return true;
}

bool SubscribedNames::remove(std::string_view name) {
  const auto found = find(name);
  if (found == names_.end()) return false;
  index_.erase(*found);
  if (spare_.size() < few) {
    spare_.splice(spare_.begin(), names_, found);
  } else {
    names_.erase(found);
  }
  return true;
}

void SubscribedNames::clear() {
  index_.clear();
  while (!names_.empty() && spare_.size() < few) {
    spare_.splice(spare_.begin(), names_, names_.begin());
  }
  names_.clear();
}

}  // namespace lockstep::redis
