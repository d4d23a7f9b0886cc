#include "model/client/directory.h"

#include "model/client/client_parts.h"
#include "model/client/cluster_directory.h"
#include "model/client/sentinel_directory.h"

namespace lockstep::model {

std::unique_ptr<Directory> make_directory(ClientParts& client) {
  if (!client.environment.sentinels.empty()) return std::make_unique<SentinelDirectory>(client);
  if (client.environment.kind == TopologyKind::cluster) {
    return std::make_unique<ClusterDirectory>(client);
  }
  return std::make_unique<OperatorDirectory>(client.environment.topology);
}

}  // namespace lockstep::model
