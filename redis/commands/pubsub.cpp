// SUBSCRIBE and its like owe one confirmation for each name: all but the last go out as pushes,
// ahead of the reply, which is the last one.
#include <array>
#include <optional>
#include <vector>

#include "redis/commands/commands.h"
#include "redis/protocol/glob.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

/// The word of a confirmation, and the kind of names that it is about.
struct Confirmation {
  std::string_view word;
  PubSub::Kind kind;
};

constexpr Confirmation subscribed{"subscribe", PubSub::Kind::channel};
constexpr Confirmation unsubscribed{"unsubscribe", PubSub::Kind::channel};
constexpr Confirmation pattern_subscribed{"psubscribe", PubSub::Kind::pattern};
constexpr Confirmation pattern_unsubscribed{"punsubscribe", PubSub::Kind::pattern};
constexpr Confirmation shard_subscribed{"ssubscribe", PubSub::Kind::shard_channel};
constexpr Confirmation shard_unsubscribed{"sunsubscribe", PubSub::Kind::shard_channel};

void reply_confirmation(Call& call, const Confirmation& confirmation,
                        std::optional<std::string_view> name) {
  ReplyWriter& reply = call.reply();
  reply.push(3);
  reply.bulk(confirmation.word);
  if (name) {
    reply.bulk(*name);
  } else {
    reply.null_bulk();
  }
  reply.integer(PubSub::subscription_count(call.session(), confirmation.kind));
}

void confirm(Call& call, const Confirmation& confirmation, std::string_view name, bool is_last) {
  if (is_last) {
    reply_confirmation(call, confirmation, name);
  } else {
    call.server().push_confirmation(call.session(), confirmation.word, confirmation.kind, name);
  }
}

void add_all(Call& call, const Confirmation& confirmation) {
  for (std::size_t i = 1; i < call.size(); ++i) {
    call.server().pubsub().subscribe(call.session(), confirmation.kind, call[i]);
    confirm(call, confirmation, call[i], i + 1 == call.size());
  }
}

void remove_all(Call& call, const Confirmation& confirmation) {
  if (call.server().version().refuses_idle_unsubscribe && !call.session().is_subscribed()) {
    return call.reply().error("NOSUB '" + std::string(call.spec().name) +
                              "' command executed not in subscribed mode");
  }
  std::vector<std::string> names;
  for (const std::string_view name : call.words().subspan(1)) names.emplace_back(name);
  if (names.empty()) {
    const SubscribedNames& all = PubSub::names_of(call.session(), confirmation.kind);
    names.assign(all.begin(), all.end());
  }
  if (names.empty()) return reply_confirmation(call, confirmation, std::nullopt);
  for (std::size_t i = 0; i < names.size(); ++i) {
    call.server().pubsub().unsubscribe(call.session(), confirmation.kind, names[i]);
    confirm(call, confirmation, names[i], i + 1 == names.size());
  }
}

}  // namespace

void subscribe(Call& call) { add_all(call, subscribed); }
void psubscribe(Call& call) { add_all(call, pattern_subscribed); }
void ssubscribe(Call& call) {
  if (!call.may_block()) {
    return call.reply().error("ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client");
  }
  add_all(call, shard_subscribed);
}
void unsubscribe(Call& call) { remove_all(call, unsubscribed); }
void punsubscribe(Call& call) { remove_all(call, pattern_unsubscribed); }
void sunsubscribe(Call& call) { remove_all(call, shard_unsubscribed); }

void spublish(Call& call) {
  const std::int64_t receivers = call.server().publish_to_shard(call[1], call[2]);
  if (ClusterView* const cluster = call.server().cluster()) {
    cluster->publish_to_shard(call[1], call[2]);
  } else {
    call.force_propagation();
  }
  call.reply().integer(receivers);
}

void publish(Call& call) {
  const std::int64_t receivers = call.server().publish(call[1], call[2]);
  if (ClusterView* const cluster = call.server().cluster()) {
    cluster->publish(call[1], call[2]);  // a replica hears of it as any other node does
  } else {
    call.force_propagation();
  }
  call.reply().integer(receivers);
}

namespace {

void reply_channels(Call& call, const Subscriptions& channels) {
  if (call.size() > 3) return call.reply_wrong_subcommand_arity();
  std::vector<std::string_view> names;
  for (const auto& [name, sessions] : channels.topics()) {
    if (call.size() == 2 || glob_matches(call[2], name)) names.push_back(name);
  }
  call.reply().array(names.size());
  for (const std::string_view name : names) call.reply().bulk(name);
}

void reply_listeners(Call& call, const Subscriptions& channels) {
  call.reply().array((call.size() - 2) * 2);
  for (const std::string_view name : call.words().subspan(2)) {
    const Subscriptions::Sessions* sessions = channels.find(name);
    call.reply().bulk(name);
    call.reply().integer(sessions == nullptr ? 0 : static_cast<std::int64_t>(sessions->size()));
  }
}

}  // namespace

void pubsub_channels(Call& call) { reply_channels(call, call.server().pubsub().channels()); }
void pubsub_shardchannels(Call& call) {
  reply_channels(call, call.server().pubsub().shard_channels());
}
void pubsub_numsub(Call& call) { reply_listeners(call, call.server().pubsub().channels()); }
void pubsub_shardnumsub(Call& call) {
  reply_listeners(call, call.server().pubsub().shard_channels());
}

void pubsub_numpat(Call& call) {
  std::size_t count = call.server().pubsub().patterns().topics().size();
  if (call.server().version().has_old_refusals) {  // each client's counts
    count = 0;
    for (const Session* const each : call.server().sessions().clients()) {
      count += each->patterns.size();
    }
  }
  call.reply().integer(static_cast<std::int64_t>(count));
}

void pubsub_help(Call& call) {
  static constexpr std::array<std::string_view, 11> lines{
      "CHANNELS [<pattern>]",
      "    Return the currently active channels matching a <pattern> (default: '*').",
      "NUMPAT",
      "    Return number of subscriptions to patterns.",
      "NUMSUB [<channel> ...]",
      "    Return the number of subscribers for the specified channels, excluding",
      "    pattern subscriptions(default: no channels).",
      "SHARDCHANNELS [<pattern>]",
      "    Return the currently active shard level channels matching a <pattern> (default: '*').",
      "SHARDNUMSUB [<shardchannel> ...]",
      "    Return the number of subscribers for the specified shard level channel(s)"};
  call.reply_help(lines);
}

}  // namespace lockstep::redis::commands
