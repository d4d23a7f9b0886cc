// A cluster node's bus and the cluster's layout as a part of a state.
//
// Not state: index_, members_, ids_, ranges_ (the same in all runs), answering_ (over between two
// events).
#include "model/node/cluster_bus.h"
#include "sim/digest.h"

namespace lockstep::model {

void ClusterBus::digest_into(sim::Digest& digest) const {
  const std::int64_t wall_ms_now =
      sim::floor_to_ms(context_.host.wall_clock().reading_at(digest.now()));
  cluster_.digest_into(digest, wall_ms_now);
  for (const auto& link : links_) digest.add_connection(link);
  digest.add(master_heard_ms_ == 0 ? -1 : wall_ms_now - master_heard_ms_);
  digest.add(failover_);
  digest.add(has_changed_);
}

void ClusterLayout::digest_into(sim::Digest& digest) const {
  for (std::size_t number = 0; number < is_bus_.size(); ++number) {
    if (!is_bus_[number]) continue;
    if (const auto name = digest.find_name(sim::NamedKind::connection, number)) digest.add(*name);
  }
  digest.add(~std::uint64_t{0});
}

}  // namespace lockstep::model
