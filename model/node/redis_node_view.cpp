// What there is to see of a Redis node: its role, its keys with what is left of their lives, who
// listens and who is blocked.
#include <fmt/format.h>

#include "model/node/redis_node.h"
#include "redis/values/value_text.h"

namespace lockstep::model {
namespace {

constexpr std::size_t keys_shown_max = 200;
constexpr std::size_t databases = 16;

}  // namespace

void RedisNode::look(HostView& view) const {
  if (master_ == nullptr) {
    view.add(actor(), "role", "master");
  } else {
    view.add(
        actor(), "role",
        fmt::format("replica of {}{}", master_->name(), is_synchronised_ ? "" : ", not linked"));
  }
  if (state() == sim::HostState::crashed) return;
  const bool replicates = master_ != nullptr || !server_.replicas().empty();
  if (replicates) {
    view.add(actor(), "replication offset", std::to_string(server_.replication_offset()));
  }
  for (std::size_t database = 0; database < databases; ++database) {
    const redis::Keyspace::Map& entries = server_.keyspace(database).entries();
    std::size_t shown = 0;
    for (const auto& [key, entry] : entries) {
      if (shown++ == keys_shown_max) {
        view.add(actor(), fmt::format("further keys of database {}", database),
                 std::to_string(entries.size() - keys_shown_max));
        break;
      }
      std::string name =
          database == 0 ? std::string("key ") : fmt::format("database {} key ", database);
      name += redis::cut_text(key);
      view.add(actor(), std::move(name), redis::value_text(entry.value),
               entry.expire_at_ms ? true_time_past(*entry.expire_at_ms) : sim::never_ns);
    }
  }
  for (const auto& [channel, sessions] : server_.subscriptions()) {
    view.add(actor(), "channel " + redis::cut_text(channel),
             fmt::format("{} listen{}", sessions, sessions == 1 ? "s" : ""));
  }
  for (const Blocked& blocked : blocked_) {
    view.add(actor(), fmt::format("blocked request {}", blocked.request),
             redis::cut_text(blocked.label));
  }
}

}  // namespace lockstep::model
