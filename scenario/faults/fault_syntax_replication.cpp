// Faults of replication.
#include <fmt/format.h>

#include <algorithm>

#include "scenario/faults/fault_syntax.h"
#include "scenario/text/suggest.h"

namespace lockstep::scenario {
namespace {

std::string first_replica(const Participants& participants) {
  const auto found = std::find_if(
      participants.members().begin(), participants.members().end(),
      [](const Participant& member) { return member.role == ParticipantKind::replica; });
  return found->name;
}

}  // namespace

void read_replication_fault(const FaultParse& text) {
  const Participant& target = text.participants.process(text.subject());
  if (target.role != ParticipantKind::replica) {
    const std::string hint = text.scenario.redis.replicas == 0
                                 ? "; this scenario has none, [redis] replicas adds them"
                                 : fmt::format(", as in '{}'", first_replica(text.participants));
    text.subject().complain(
        fmt::format("{} is no replica; expected one{}", in_quotes(target.name), hint));
  }
  text.fault.target = target.name;
  if (text.form.kind == FaultKind::lag) read_by(text, DurationSign::positive, "2s");
}

std::string describe_replication_fault(const FaultSpec& fault) {
  switch (fault.kind) {
    case FaultKind::lag:
      return fmt::format("let {} lag by {}", fault.target, describe_by(fault));
    case FaultKind::stall:
      return fmt::format("stall the replication of {}", fault.target);
    case FaultKind::disconnect:
      return fmt::format("disconnect {} from its master", fault.target);
    default:
      return fmt::format("{} {}", to_string(fault.kind), fault.target);
  }
}

}  // namespace lockstep::scenario
