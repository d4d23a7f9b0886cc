#include "model/client/discovery.h"

#include "model/client/client_process.h"
#include "model/client/cluster_discovery.h"
#include "model/client/sentinel_discovery.h"
#include "scenario/topology_kind.h"
#include "sim/network.h"

namespace lockstep::model {

void MasterDiscovery::send_request(ClientProcess& process, sim::ConnectionId connection,
                                   std::string_view label,
                                   std::initializer_list<std::string_view> words) {
  MessagePool& messages = process.environment.messages;
  const sim::Payload payload = messages.make();
  Message& message = messages[payload];
  message.kind = Message::Kind::request;
  message.label = label;
  for (const std::string_view word : words) message.arguments.push(word);
  if (!process.environment.network.send(connection, process.id, payload, label, sim::no_actor)) {
    messages.release(payload);
  }
}

std::unique_ptr<MasterDiscovery> make_discovery(ClientProcess& process,
                                                NewMasterListener& listener) {
  if (!process.environment.sentinels.empty())
    return std::make_unique<SentinelDiscovery>(process, listener);
  if (process.environment.kind == scenario::TopologyKind::cluster) {
    return std::make_unique<ClusterDiscovery>(process, listener);
  }
  return std::make_unique<ImmediateDiscovery>(process.environment.topology);
}

}  // namespace lockstep::model
