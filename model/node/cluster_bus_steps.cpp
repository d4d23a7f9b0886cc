// What a node of a cluster finds out and does, as the trace tells it.
#include "model/cluster/cluster_trace.h"
#include "model/node/cluster_bus.h"
#include "model/node/redis_node.h"

namespace lockstep::model {

void ClusterBus::on_step(const ClusterStep& step) {
  const auto emit = [&](std::string_view kind, std::initializer_list<sim::Field> fields) {
    context_.emit(kind, fields);
  };
  const std::string& about = name_of(step.about);
  switch (step.kind) {
    case ClusterStep::Kind::suspected:
      return emit(trace_kind::cluster_suspected, {{"node", about}});
    case ClusterStep::Kind::trusted:
      return emit(trace_kind::cluster_trusted, {{"node", about}});
    case ClusterStep::Kind::failed:
      return emit(trace_kind::cluster_failed, {{"node", about}});
    case ClusterStep::Kind::recovered:
      return emit(trace_kind::cluster_recovered, {{"node", about}});
    case ClusterStep::Kind::ineligible:
      return emit(trace_kind::cluster_hindered,
                  {{"master", about}, {"silent_ms", master_silent_ms()}});
    case ClusterStep::Kind::standing:
      return emit(trace_kind::cluster_standing, {{"master", about}, {"in_ms", step.number}});
    case ClusterStep::Kind::vote_requested:
      return emit(trace_kind::cluster_vote_requested, {{"master", about}, {"epoch", step.number}});
    case ClusterStep::Kind::voted:
      return emit(trace_kind::cluster_voted, {{"for", about}, {"epoch", step.number}});
    case ClusterStep::Kind::elected:
      has_changed_ = true;
      return emit(trace_kind::cluster_elected, {{"in_place_of", about}, {"epoch", step.number}});
    case ClusterStep::Kind::slots_moved:
      has_changed_ = true;
      return emit(trace_kind::cluster_slots_moved,
                  {{"from", step.from == no_cluster_node ? std::string_view() : name_of(step.from)},
                   {"to", about},
                   {"epoch", step.number}});
    case ClusterStep::Kind::state_changed:
      has_changed_ = true;
      return emit(trace_kind::cluster_state, {{"state", step.number == 1 ? "ok" : "fail"}});
  }
}

}  // namespace lockstep::model
