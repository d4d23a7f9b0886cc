#include "redis/pubsub/subscriptions.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lockstep::redis {

void Subscriptions::add(std::string_view name, SessionId session) {
  auto found = topics_.find(name);
  if (found == topics_.end()) {
    if (spare_.empty()) {
      found = topics_.emplace(name, Sessions{}).first;
    } else {
      Topics::node_type node = std::move(spare_.back());
      spare_.pop_back();
      node.key().assign(name);
      found = topics_.insert(std::move(node)).position;
    }
  }
  found->second.push_back(session);
}

void Subscriptions::remove(std::string_view name, SessionId session) {
  const auto found = topics_.find(name);
  assert(found != topics_.end());
  Sessions& sessions = found->second;
  const auto listener = std::find(sessions.begin(), sessions.end(), session);
  assert(listener != sessions.end());
  sessions.erase(listener);
  if (!sessions.empty()) return;
  if (spare_.size() < spare_max) {
    spare_.push_back(topics_.extract(found));
  } else {
    topics_.erase(found);
  }
}

void Subscriptions::clear() { topics_.clear(); }

const Subscriptions::Sessions* Subscriptions::find(std::string_view name) const {
  const auto found = topics_.find(name);
  return found == topics_.end() ? nullptr : &found->second;
}

}  // namespace lockstep::redis
