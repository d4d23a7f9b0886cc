// SUBSCRIBE and its like owe one confirmation for each name: all but the last go out as pushes,
// ahead of the reply, which is the last one.
#include <vector>

#include "redis/commands/commands.h"
#include "redis/protocol/glob.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

void reply_confirmation(Call& call, std::string_view kind, const std::string_view* name) {
  const Session& session = call.session();
  ReplyWriter& reply = call.reply();
  reply.push(3);
  reply.bulk(kind);
  if (name != nullptr) {
    reply.bulk(*name);
  } else {
    reply.null_bulk();
  }
  reply.integer(static_cast<std::int64_t>(session.channels.size() + session.patterns.size()));
}

void confirm(Call& call, std::string_view kind, std::string_view name, bool is_last) {
  if (is_last) {
    reply_confirmation(call, kind, &name);
  } else {
    call.server().push_confirmation(call.session(), kind, name);
  }
}

void add_all(Call& call, PubSub::Kind kind, std::string_view confirmation) {
  for (std::size_t i = 1; i < call.size(); ++i) {
    call.server().pubsub().subscribe(call.session(), kind, call[i]);
    confirm(call, confirmation, call[i], i + 1 == call.size());
  }
}

void remove_all(Call& call, PubSub::Kind kind, std::string_view confirmation) {
  if (call.server().version().refuses_idle_unsubscribe && !call.session().is_subscribed()) {
    return call.reply().error("NOSUB '" + std::string(call.spec().name) +
                              "' command executed not in subscribed mode");
  }
  std::vector<std::string> names;
  for (const std::string_view name : call.words().subspan(1)) names.emplace_back(name);
  if (names.empty()) {
    names = kind == PubSub::Kind::channel ? call.session().channels : call.session().patterns;
  }
  if (names.empty()) return reply_confirmation(call, confirmation, nullptr);
  for (std::size_t i = 0; i < names.size(); ++i) {
    call.server().pubsub().unsubscribe(call.session(), kind, names[i]);
    confirm(call, confirmation, names[i], i + 1 == names.size());
  }
}

}  // namespace

void subscribe(Call& call) { add_all(call, PubSub::Kind::channel, "subscribe"); }
void psubscribe(Call& call) { add_all(call, PubSub::Kind::pattern, "psubscribe"); }
void unsubscribe(Call& call) { remove_all(call, PubSub::Kind::channel, "unsubscribe"); }
void punsubscribe(Call& call) { remove_all(call, PubSub::Kind::pattern, "punsubscribe"); }

void publish(Call& call) {
  const std::int64_t receivers = call.server().publish(call[1], call[2]);
  if (ClusterView* const cluster = call.server().cluster()) {
    cluster->publish(call[1], call[2]);  // a replica hears of it as any other node does
  } else {
    call.force_propagation();
  }
  call.reply().integer(receivers);
}

void pubsub_channels(Call& call) {
  if (call.size() > 3) return call.reply_wrong_subcommand_arity();
  std::vector<std::string_view> names;
  for (const auto& [name, sessions] : call.server().pubsub().channels().topics()) {
    if (call.size() == 2 || glob_matches(call[2], name)) names.push_back(name);
  }
  call.reply().array(names.size());
  for (const std::string_view name : names) call.reply().bulk(name);
}

void pubsub_numpat(Call& call) {
  call.reply().integer(
      static_cast<std::int64_t>(call.server().pubsub().patterns().topics().size()));
}

void pubsub_numsub(Call& call) {
  call.reply().array((call.size() - 2) * 2);
  for (const std::string_view name : call.words().subspan(2)) {
    const Subscriptions::Sessions* sessions = call.server().pubsub().channels().find(name);
    call.reply().bulk(name);
    call.reply().integer(sessions == nullptr ? 0 : static_cast<std::int64_t>(sessions->size()));
  }
}

}  // namespace lockstep::redis::commands
