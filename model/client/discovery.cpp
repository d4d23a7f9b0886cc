#include "model/client/discovery.h"

#include "model/client/client_components.h"
#include "model/client/cluster_discovery.h"
#include "model/client/sentinel_discovery.h"

namespace lockstep::model {

void MasterDiscovery::send_request(ClientComponents& client, sim::ConnectionId connection,
                                   std::string_view label,
                                   std::initializer_list<std::string_view> words) {
  MessagePool& messages = client.environment.messages;
  const sim::Payload payload = messages.make();
  Message& message = messages[payload];
  message.kind = Message::Kind::request;
  message.label = label;
  for (const std::string_view word : words) message.arguments.push(word);
  if (!client.environment.network.send(connection, client.id, payload, label, sim::no_actor)) {
    messages.release(payload);
  }
}

std::unique_ptr<MasterDiscovery> make_discovery(ClientComponents& client) {
  if (!client.environment.sentinels.empty()) return std::make_unique<SentinelDiscovery>(client);
  if (client.environment.kind == scenario::TopologyKind::cluster) {
    return std::make_unique<ClusterDiscovery>(client);
  }
  return std::make_unique<ImmediateDiscovery>(client.environment.topology);
}

}  // namespace lockstep::model
