#include "model/client/directory.h"

#include "model/client/client_parts.h"

namespace lockstep::model {

std::unique_ptr<Directory> make_directory(ClientParts& client) {
  return std::make_unique<OperatorDirectory>(client.environment.topology);
}

}  // namespace lockstep::model
