// A Redis node as a part of a state: its server, its disk, its connections and links.
//
// Not state: snapshots_ (written with the messages that name them), files_ (the server writes
// them), draws_run_ids_, version, observer, choices (the same in all runs), arguments_, text_
// (memory), starts_ (ids to come are new ones), has_ordered_texts_ (once set it is reported, and
// the search begins anew).
#include <algorithm>
#include <utility>

#include "model/messages.h"
#include "model/node/cluster_bus.h"
#include "model/node/redis_node.h"
#include "sim/digest.h"

namespace lockstep::model {

void RedisNode::digest_into(sim::Digest& digest) const {
  const std::int64_t wall_ms_now = sim::floor_to_ms(wall_clock().reading_at(digest.now()));
  const auto owner = static_cast<std::uint64_t>(context_.id);
  server_.digest_into(digest, owner, context_.config, wall_ms_now);
  changes_.digest_into(digest);
  sessions_.digest_into(digest);
  operator_commands_.digest_into(digest);
  digest.add(clients_limit_);
  busy_.digest_into(digest);
  link_.digest_into(digest);
  ticks_.digest_into(digest);
  end_.digest_into(digest);
  if (cluster_ != nullptr) cluster_->digest_into(digest);
  Host::digest_into(digest);
}

// The snapshot of a full synchronisation is the sender's: of the master of who gets it.
void RedisNode::digest_payload(sim::Digest& digest, sim::ConnectionId connection,
                               sim::Payload payload) const {
  const Message& message = std::as_const(context_.environment.messages)[payload];
  message.digest_into(digest, connection);
  if (message.kind != Message::Kind::full_resync) return;
  const RedisNode* const sender = link_.uses(connection) ? link_.master() : this;
  const redis::Snapshot* const snapshot =
      sender == nullptr ? nullptr : sender->replicas_.snapshot(message.number);
  digest.add(snapshot != nullptr);
  if (snapshot == nullptr) return;
  redis::digest_into(*snapshot, digest,
                     sim::floor_to_ms(sender->wall_clock().reading_at(digest.now())));
}

// Far from the cookies of sessions: the cluster's.
void RedisNode::digest_cookie(sim::Digest& digest, std::uint64_t cookie) const {
  constexpr auto first_session = static_cast<std::uint64_t>(NodeTimer::first_session);
  const bool is_of_session = cookie >= first_session && cookie <= UINT32_MAX;
  digest.add(is_of_session ? first_session : cookie);
  if (!is_of_session) return;
  digest.name(sim::NamedKind::session, static_cast<std::uint64_t>(context_.id),
              cookie - first_session);
}

std::int64_t RedisNode::oldest_offset_wanted() const {
  std::int64_t oldest = server_.received_offset();
  for (const redis::Snapshot* const snapshot : {&files_.snapshot, &files_.append_only_base}) {
    if (snapshot->exists && snapshot->position) {
      oldest = std::min(oldest, snapshot->position->offset);
    }
  }
  return oldest;
}

}  // namespace lockstep::model
