#include "checker/properties/no_leak.h"

#include <fmt/format.h>

#include "checker/check.h"
#include "checker/evidence.h"
#include "checker/observations.h"
#include "checker/text.h"
#include "checker/verdict.h"

namespace lockstep::checker {
namespace {

std::string describe(const Names& names, const Residue& residue) {
  const std::string when = milliseconds(residue.at.at_ns);
  const std::string whose =
      residue.owner == no_name ? "" : fmt::format(" ({})", name_of(names, residue.owner));
  switch (residue.kind) {
    case ResidueKind::lease_without_ttl:
      return fmt::format("key \"{}\" is a lease, but had no TTL at {}", residue.name, when);
    case ResidueKind::lock_key:
      return fmt::format("key \"{}{}\" was left at {}, with all holders gone and leases passed",
                         residue.name, whose, when);
    case ResidueKind::subscription:
      return fmt::format("the subscription to \"{}\" was left at {}, with all holders gone",
                         residue.name, when);
    case ResidueKind::background_task:
      return fmt::format("the background task \"{}\" still ran at {}, with all holders gone",
                         residue.name, when);
  }
  return residue.name;
}

}  // namespace

void judge_no_leak(const Run& run, Verdict& verdict) {
  const std::vector<Residue>& residues = run.observations.residues;
  for (const Residue& residue : residues) {
    if (verdict.evidence.size() == evidence_max) break;
    verdict.evidence.push_back(
        {describe(run.names, residue), residue.owner, residue.at, std::nullopt});
  }
  if (!residues.empty()) {
    verdict.kind = VerdictKind::violated;
    verdict.summary = verdict.evidence.front().what + in_all(residues.size(), "residues");
  } else if (!run.observations.came_to_rest) {
    verdict.kind = VerdictKind::unknown;
    verdict.summary = "the run did not come to rest, so what it would have left behind is unknown";
  }
}

}  // namespace lockstep::checker
