#include "model/sentinel/instance.h"

namespace lockstep::model {

std::string_view to_string(InstanceKind kind) {
  switch (kind) {
    case InstanceKind::master:
      return "master";
    case InstanceKind::replica:
      return "slave";  // as Redis 7.0's Sentinel calls it
    case InstanceKind::sentinel:
      return "sentinel";
  }
  return "master";
}

}  // namespace lockstep::model
