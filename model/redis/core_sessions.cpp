// Opening and closing sessions.
#include <algorithm>
#include <cassert>

#include "model/redis/core.h"
#include "model/redis/transactions.h"

namespace lockstep::redis {

Session& Core::session(SessionId id) {
  assert(static_cast<std::size_t>(id) < sessions_.size());
  return sessions_[static_cast<std::size_t>(id)];
}

const Session& Core::session(SessionId id) const {
  assert(static_cast<std::size_t>(id) < sessions_.size());
  return sessions_[static_cast<std::size_t>(id)];
}

SessionId Core::open_session() {
  const auto closed = std::find_if(sessions_.begin(), sessions_.end(),
                                   [](const Session& each) { return !each.is_open; });
  const auto index = static_cast<std::size_t>(closed - sessions_.begin());
  if (closed == sessions_.end()) sessions_.emplace_back();
  Session& opened = sessions_[index];
  opened.id = static_cast<SessionId>(index);
  opened.is_open = true;
  opened.client_number = ++clients_seen_;
  return opened.id;
}

void Core::close_session(SessionId id) {
  Session& closing = session(id);
  assert(closing.is_open);
  discard_transaction(*this, closing);
  if (closing.wait) static_cast<void>(end_wait(closing));
  for (const std::string& name : closing.channels) channels_.remove(name, id);
  for (const std::string& name : closing.patterns) patterns_.remove(name, id);
  closing.channels.clear();
  closing.patterns.clear();
  closing.is_open = false;
  closing.database = 0;
  closing.name.clear();
  closing.last_offset = 0;
}

}  // namespace lockstep::redis
