#include "model/client/directory.h"

#include "model/client/client_parts.h"
#include "model/client/cluster_directory.h"
#include "model/client/sentinel_directory.h"

namespace lockstep::model {

void Directory::send_request(ClientParts& client, sim::ConnectionId connection,
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

std::unique_ptr<Directory> make_directory(ClientParts& client) {
  if (!client.environment.sentinels.empty()) return std::make_unique<SentinelDirectory>(client);
  if (client.environment.kind == TopologyKind::cluster) {
    return std::make_unique<ClusterDirectory>(client);
  }
  return std::make_unique<OperatorDirectory>(client.environment.topology);
}

}  // namespace lockstep::model
