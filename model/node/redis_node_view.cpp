// Shows a Redis node: its role, its keys with what is left of their lives, who listens and who is
// blocked.
#include <fmt/format.h>

#include "model/host_view.h"
#include "model/node/redis_node.h"
#include "redis/values/value_text.h"

namespace lockstep::model {
namespace {

constexpr std::size_t keys_shown_max = 200;
constexpr std::size_t databases = 16;

}  // namespace

void RedisNode::look(HostView& view) const {
  link_.look(view);
  if (state() == sim::HostState::crashed) return;
  const bool replicates = !is_master() || !server_.replicas().empty();
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
  sessions_.look(view);
}

}  // namespace lockstep::model
