#include "checker/properties/hold_count.h"

#include <fmt/format.h>

#include "checker/check.h"
#include "checker/text.h"
#include "checker/verdict.h"

namespace lockstep::checker {
namespace {

bool lowers(const HoldChange& change) { return change.count_after < change.count_before; }

bool by_own_release(const HoldChange& change) {
  return change.cause == ChangeCause::release && change.by == change.owner;
}

std::string describe_foreign_release(const Names& names, const HoldChange& change) {
  return fmt::format("{}'s release lowered {}'s hold count on lock \"{}\" from {} to {} at {}",
                     name_of(names, change.by), holder_name(names, change.owner, change.mode),
                     name_of(names, change.lock), change.count_before, change.count_after,
                     milliseconds(change.at.at_ns));
}

std::string describe_mismatch(const Names& names, const HoldCheck& check) {
  const std::string_view why = check.true_count > check.believed_count
                                   ? "a release too few would leave it held"
                                   : "its own releases removed more than it released";
  return fmt::format(
      "at {} lock \"{}\" counted {} for {}, which had acquired it {} more often than released: {}",
      milliseconds(check.at.at_ns), name_of(names, check.lock), check.true_count,
      holder_name(names, check.owner, check.mode), check.believed_count, why);
}

}  // namespace

void HoldCount::judge(const Run& run, Verdict& verdict) {
  holds_.clear();
  violations_ = 0;
  const std::vector<HoldChange>& changes = run.observations.hold_changes;
  std::size_t next_change = 0;
  for (const HoldCheck& check : run.observations.hold_checks) {
    while (next_change < changes.size() && !(check.at < changes[next_change].at)) {
      judge_change(run, changes[next_change++], verdict);
    }
    judge_check(run, check, verdict);
  }
  while (next_change < changes.size()) judge_change(run, changes[next_change++], verdict);
  verdict.summary += in_all(violations_, "mismatches");
}

void HoldCount::judge_change(const Run& run, const HoldChange& change, Verdict& verdict) {
  if (!lowers(change) || by_own_release(change)) return;
  hold_of(change.owner, change.lock, change.mode).taken_away = true;
  if (change.cause != ChangeCause::release) return;
  add_violation(describe_foreign_release(run.names, change), change.by, change.at, verdict);
}

void HoldCount::judge_check(const Run& run, const HoldCheck& check, Verdict& verdict) {
  Hold& hold = hold_of(check.owner, check.lock, check.mode);
  const bool too_many = check.true_count > check.believed_count;
  const bool too_few = check.true_count < check.believed_count && !hold.taken_away;
  if (check.believed_count == 0) hold.taken_away = false;
  if (!too_many && !too_few) return;
  add_violation(describe_mismatch(run.names, check), check.owner, check.at, verdict);
}

HoldCount::Hold& HoldCount::hold_of(NameId owner, NameId lock, HoldMode mode) {
  return holds_.at(owner, lock)[static_cast<std::size_t>(mode)];
}

void HoldCount::add_violation(std::string what, NameId who, const Moment& at, Verdict& verdict) {
  verdict.kind = VerdictKind::violated;
  if (++violations_ == 1) verdict.summary = what;
  if (violations_ > evidence_max) return;
  verdict.evidence.push_back({std::move(what), who, at, std::nullopt});
}

}  // namespace lockstep::checker
