#include "checker/cut_off.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/check.h"
#include "checker/liveness_bounds.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/text.h"
#include "checker/verdict.h"

namespace lockstep::checker {
namespace {

bool says_so_itself(Property property) {
  switch (property) {
    case Property::no_leak:
    case Property::no_deadlock:
    case Property::no_lost_wakeup:
    case Property::no_starvation:
      return true;
    case Property::mutual_exclusion:
    case Property::valid_grant:
    case Property::lease_linearizability:
    case Property::harm:
    case Property::hold_count:
    case Property::fencing:
    case Property::fifo:
    case Property::permits:
    case Property::latch:
    case Property::truthful_answers:
      return false;
  }
  return false;
}

bool waits_in_vain(const Run& run, const Wait& wait) {
  if (wait.end != WaitEnd::run_over) return false;
  const Moment& since = later_of(wait.from, run.observations.healed);
  return wait.is_hopeless || wait.until.at_ns - since.at_ns > run.liveness.progress_ns;
}

}  // namespace

void CutOff::load(const Run& run) {
  at_work_.assign(run.observations.at_work.begin(), run.observations.at_work.end());
  if (at_work_.empty()) return;
  for (const Wait& wait : run.observations.waits) {
    if (waits_in_vain(run, wait)) std::erase(at_work_, thread_of(wait));
  }
}

void CutOff::judge(const Run& run, Verdict& verdict) const {
  const bool is_open = verdict.kind == VerdictKind::holds && !at_work_.empty();
  if (!is_open || says_so_itself(verdict.property)) return;
  const std::size_t others = at_work_.size() - 1;
  const std::string and_others =
      others == 0
          ? std::string()
          : fmt::format(" and {}", counted(static_cast<std::int64_t>(others), "other thread"));
  verdict.kind = VerdictKind::unknown;
  verdict.summary = fmt::format(
      "the run was cut off at {} while {}{} {} still at work, so what would have come is unknown",
      milliseconds(run.observations.ended.at_ns), name_of(run.names, at_work_.front()), and_others,
      others == 0 ? "was" : "were");
}

}  // namespace lockstep::checker
