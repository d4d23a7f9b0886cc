// Times count from the next event. What somebody looks at is part of the state (digest_grain.h).
//
// Not state: scenario, package, runtime, open_faults, are_faults_unlearnt_ (the same in all runs),
// messages (written by
// those who have them), masters (the topology is written), judge, unhealed, digester,
// abstract_states (they look, and nothing depends on them).
#include "model/engine/state_digester.h"

#include <algorithm>

#include "model/engine/digest_grain.h"

namespace lockstep::model {

const sim::DigestGrain& StateDigester::grain() {
  if (!grain_) grain_ = digest_grain(scenario_, package_, *parts_.hosts.clients().front());
  return *grain_;
}

StateDigest StateDigester::digest() {
  write();
  const sim::Digest::Value value = digest_.value();
  return {value.high, value.low};
}

std::vector<DigestPart> StateDigester::digest_parts() {
  write();
  std::vector<DigestPart> parts;
  for (std::size_t i = 0; i < digest_.parts().size(); ++i) {
    parts.push_back({digest_.parts()[i].name, digest_.value_of_part(i)});
  }
  if (digest_.is_unmergeable()) parts.push_back({"history", parts_.context.trace.hash()});
  return parts;
}

bool StateDigester::may_distinguish_clients() {
  const std::vector<RedisNode*>& nodes = parts_.hosts.nodes();
  return grain().asks_servers || grain().orders_texts ||
         (grain().orders_scores &&
          std::any_of(nodes.begin(), nodes.end(),
                      [](const RedisNode* node) { return node->has_ordered_texts(); }));
}

void StateDigester::write() {
  const auto& [context, truth, hosts, faults, sometimes, loop] = parts_;
  const sim::TimeNs now_ns = loop.next_instant();
  digest_.begin(now_ns, context.trace.hash(), context.network, grain());
  const std::vector<RedisNode*>& nodes = hosts.nodes();
  if (grain().replicates && !nodes.empty()) {
    std::int64_t oldest = nodes.front()->oldest_offset_wanted();
    for (const RedisNode* node : nodes) oldest = std::min(oldest, node->oldest_offset_wanted());
    digest_.set_stream(nodes.front()->server().replication_offset(), oldest);
  }

  digest_.begin_part("time");
  loop.digest_into(digest_, truth.locks.longest_lease_ns());
  digest_.begin_part("topology");
  for (const Shard& shard : truth.topology.shards) {
    digest_.add(shard.master);
    digest_.add(shard.replicas.size());
    for (const sim::HostId replica : shard.replicas) digest_.add(replica);
  }
  digest_.begin_part("network");
  context.network.digest_into(digest_);
  hosts.digest_into(digest_);
  digest_.begin_part("events");
  context.queue.digest_into(digest_);
  digest_.begin_part("locks");
  truth.locks.digest_into(digest_);
  digest_.begin_part("beliefs");
  context.recorder.digest_into(digest_);
  digest_.begin_part("faults");
  faults.digest_into(digest_);
  if (sometimes) sometimes->digest_into(digest_);
  hosts.digest_bus_into(digest_);
}

}  // namespace lockstep::model
