// Cluster mode: which requests this node may serve, and who is the right one for the others.
//
// A request is looked at before anything else is asked of it but its arity: are its keys in one
// slot, does the cluster serve, whose is the slot. Scripts are looked at twice, once with the keys
// they declare and again at each redis.call.
#include <optional>
#include <string>
#include <variant>

#include "redis/commands/command_keys.h"
#include "redis/protocol/integers.h"
#include "redis/server/server.h"
#include "redis/values/key_slot.h"

namespace lockstep::redis {

struct Server::SlotRouting {
  enum class Problem : std::uint8_t {
    none,
    not_served,
    several_slots,
    down,
    down_for_writes,
    elsewhere,
  };
  Problem problem = Problem::none;
  bool writes = false;
  bool is_of_shard = false;  ///< SSUBSCRIBE and its like, which replicas serve too
  std::optional<std::uint32_t> slot;
};

void Server::find_slot(const CommandSpec& spec, std::span<const std::string_view> words,
                       SlotRouting& located) const {
  for_each_key(key_words(spec, words), words, [&](std::string_view key) {
    if (located.problem != SlotRouting::Problem::none) return;
    const std::uint32_t slot = key_slot(key);
    if (located.slot && *located.slot != slot) {
      located.problem = SlotRouting::Problem::several_slots;
      return;
    }
    located.slot = slot;
    if (!cluster_->owner_of_slot(slot)) located.problem = SlotRouting::Problem::not_served;
  });
}

Server::SlotRouting Server::find_slots(const Session& session, const CommandSpec& spec,
                                       std::span<const std::string_view> words) const {
  SlotRouting located;
  if (spec.name != "exec") {
    find_slot(spec, words, located);
    located.writes = located.slot && is_write_command(spec, words);
    located.is_of_shard = spec.is(CommandFlag::names_channels);
    return located;
  }
  if (session.transaction != TransactionState::queueing) return located;
  std::vector<std::string_view> queued_words;
  for (std::size_t i = 0; i < session.queued_count; ++i) {
    const QueuedCommand& queued = session.queue[i];
    queued_words.clear();
    for (std::size_t word = 0; word < queued.words.size(); ++word) {
      queued_words.push_back(queued.words[word]);
    }
    find_slot(*queued.spec, queued_words, located);
    located.writes |= is_write_command(*queued.spec, queued_words);
  }
  return located;
}

/// A located request whose keys are in one slot: may it be served here, now?
void Server::judge(const Session& session, SlotRouting& located) const {
  if (!located.slot || located.problem != SlotRouting::Problem::none) return;
  if (!cluster_->is_up()) {
    if (config_.get("cluster-allow-reads-when-down") != "yes") {
      located.problem = SlotRouting::Problem::down;
      return;
    }
    if (located.writes) {
      located.problem = SlotRouting::Problem::down_for_writes;
      return;
    }
  }
  const std::optional<std::size_t> owner = cluster_->owner_of_slot(*located.slot);
  if (!owner) {
    located.problem = SlotRouting::Problem::not_served;
    return;
  }
  if (*owner == cluster_->self()) return;
  const bool is_its_replica = cluster_->member(cluster_->self()).master == owner;
  const bool may_serve = session.is_read_only || located.is_of_shard;
  if (may_serve && is_its_replica && !located.writes) return;
  located.problem = SlotRouting::Problem::elsewhere;
}

namespace {

std::string moved_to(std::uint32_t slot, const ClusterMember& owner) {
  std::string text = "MOVED ";
  text += IntegerText(slot).view();
  text += ' ';
  text += owner.host;
  text += ':';
  text += IntegerText(owner.port).view();
  return text;
}

constexpr std::string_view cluster_is_down = "CLUSTERDOWN The cluster is down";

}  // namespace

bool Server::redirect(Session& session, const CommandSpec& spec,
                      std::span<const std::string_view> words, ReplyWriter& reply) {
  SlotRouting located = find_slots(session, spec, words);
  judge(session, located);
  if (located.problem == SlotRouting::Problem::none) return false;
  if (spec.name == "exec") {
    discard_transaction(session);
  } else if (session.transaction != TransactionState::none) {
    session.transaction = TransactionState::broken;
  }
  ++statistics_.calls.of(spec).rejected;
  switch (located.problem) {
    case SlotRouting::Problem::none:
      break;
    case SlotRouting::Problem::not_served:
      reply.error("CLUSTERDOWN Hash slot not served");
      break;
    case SlotRouting::Problem::several_slots:
      reply.error("CROSSSLOT Keys in request don't hash to the same slot");
      break;
    case SlotRouting::Problem::down:
      reply.error(cluster_is_down);
      break;
    case SlotRouting::Problem::down_for_writes:
      reply.error("CLUSTERDOWN The cluster is down and only accepts read commands");
      break;
    case SlotRouting::Problem::elsewhere:
      reply.error(
          moved_to(*located.slot, cluster_->member(*cluster_->owner_of_slot(*located.slot))));
      break;
  }
  return true;
}

std::string_view Server::cluster_rejection_error(const CommandSpec& spec,
                                                 std::span<const std::string_view> words) {
  SlotRouting located = find_slots(script_.session, spec, words);
  judge(script_.session, located);
  switch (located.problem) {
    case SlotRouting::Problem::none:
      break;
    case SlotRouting::Problem::down:
      return "ERR Script attempted to execute a command while the cluster is down";
    case SlotRouting::Problem::down_for_writes:
      return "ERR Script attempted to execute a write command while the cluster is down and "
             "readonly";
    case SlotRouting::Problem::not_served:
    case SlotRouting::Problem::several_slots:
    case SlotRouting::Problem::elsewhere:
      return "ERR Script attempted to access a non local key in a cluster node";
  }
  if (!located.slot || script_.may_cross_slots) return {};
  if (script_.slot && *script_.slot != *located.slot) {
    return "ERR Script attempted to access keys that do not hash to the same slot";
  }
  script_.slot = located.slot;
  return {};
}

void Server::on_cluster_changed() {
  for (Session& each : sessions_.all()) {
    if (!each.is_open || !each.wait) continue;
    const auto* const wait = std::get_if<BlockedOnKeys>(&each.wait->reason);
    if (wait == nullptr) continue;
    SlotRouting located;
    located.writes = true;
    located.slot = key_slot(wait->keys.front());
    judge(each, located);
    if (located.problem == SlotRouting::Problem::none) continue;
    if (located.problem == SlotRouting::Problem::elsewhere) {
      unblock_with_error(
          each, moved_to(*located.slot, cluster_->member(*cluster_->owner_of_slot(*located.slot))));
    } else {
      unblock_with_error(each, cluster_is_down);
    }
  }
}

}  // namespace lockstep::redis
