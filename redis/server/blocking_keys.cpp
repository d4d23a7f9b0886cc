#include "redis/server/blocking_keys.h"

namespace lockstep::redis {

void BlockingKeys::add(std::uint8_t database, std::string_view key, Ticket ticket,
                       SessionId session) {
  Queues& queues = queues_[database];
  auto found = queues.find(key);
  if (found == queues.end()) found = queues.emplace(key, Queue{}).first;
  if (found->second.sessions.emplace(ticket, session).second) ++waiting_;
}

void BlockingKeys::remove(std::uint8_t database, std::string_view key, Ticket ticket) {
  Queues& queues = queues_[database];
  const auto found = queues.find(key);
  if (found == queues.end()) return;
  waiting_ -= found->second.sessions.erase(ticket);
  if (found->second.sessions.empty()) queues.erase(found);
}

std::optional<std::pair<BlockingKeys::Ticket, SessionId>> BlockingKeys::next(std::uint8_t database,
                                                                             std::string_view key,
                                                                             Ticket after) const {
  const Queues& queues = queues_[database];
  const auto found = queues.find(key);
  if (found == queues.end()) return std::nullopt;
  const auto next = found->second.sessions.upper_bound(after);
  if (next == found->second.sessions.end()) return std::nullopt;
  return *next;
}

std::vector<std::string> BlockingKeys::keys(std::uint8_t database) const {
  std::vector<std::string> names;
  for (const auto& [key, queue] : queues_[database]) names.push_back(key);
  return names;
}

void BlockingKeys::mark_ready(std::uint8_t database, std::string_view key) {
  Queues& queues = queues_[database];
  const auto found = queues.find(key);
  if (found == queues.end() || found->second.is_ready) return;
  found->second.is_ready = true;
  ready_.push_back({database, found->first});
}

BlockingKeys::ReadyKey BlockingKeys::take_ready() {
  ReadyKey taken = std::move(ready_.front());
  ready_.pop_front();
  Queues& queues = queues_[taken.database];
  if (const auto found = queues.find(taken.key); found != queues.end()) {
    found->second.is_ready = false;
  }
  return taken;
}

}  // namespace lockstep::redis
