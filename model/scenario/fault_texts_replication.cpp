// Faults of replication.
#include <fmt/format.h>

#include <algorithm>

#include "model/scenario/fault_texts.h"
#include "model/scenario/suggest.h"

namespace lockstep::model {
namespace {

std::string first_replica(const Cast& cast) {
  const auto found =
      std::find_if(cast.members().begin(), cast.members().end(),
                   [](const CastMember& member) { return member.role == Role::replica; });
  return found->name;
}

}  // namespace

void read_replication_fault(const FaultText& text) {
  const CastMember& target = text.cast.process(text.subject());
  if (target.role != Role::replica) {
    const std::string hint = text.scenario.redis.replicas == 0
                                 ? "; this scenario has none, [redis] replicas adds them"
                                 : fmt::format(", as in '{}'", first_replica(text.cast));
    text.subject().complain(
        fmt::format("{} is no replica; expected one{}", in_quotes(target.name), hint));
  }
  text.fault.target = target.name;
  if (text.form.kind == FaultKind::lag) read_by(text, DurationSign::positive, "2s");
}

std::string tell_replication_fault(const FaultSpec& fault) {
  switch (fault.kind) {
    case FaultKind::lag:
      return fmt::format("let {} lag by {}", fault.target, tell_by(fault));
    case FaultKind::stall:
      return fmt::format("stall the replication of {}", fault.target);
    case FaultKind::disconnect:
      return fmt::format("disconnect {} from its master", fault.target);
    default:
      return fmt::format("{} {}", to_string(fault.kind), fault.target);
  }
}

}  // namespace lockstep::model
