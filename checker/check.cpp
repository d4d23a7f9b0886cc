#include "checker/check.h"

#include "checker/cut_off.h"
#include "checker/evidence.h"
#include "checker/liveness_bounds.h"
#include "checker/properties/answers/truthful_answers.h"
#include "checker/properties/fencing.h"
#include "checker/properties/fifo.h"
#include "checker/properties/harm.h"
#include "checker/properties/hold_count.h"
#include "checker/properties/latch_passage.h"
#include "checker/properties/lease_linearizability.h"
#include "checker/properties/mutual_exclusion.h"
#include "checker/properties/no_deadlock.h"
#include "checker/properties/no_leak.h"
#include "checker/properties/no_lost_wakeup.h"
#include "checker/properties/no_starvation.h"
#include "checker/properties/permits.h"
#include "checker/properties/valid_grant.h"
#include "checker/property.h"
#include "checker/put_to_the_test.h"
#include "checker/verdict.h"

namespace lockstep::checker {
namespace {

/// As if new, but with the memory that its texts have.
void reset(Verdict& verdict, Property property) {
  verdict.property = property;
  verdict.kind = VerdictKind::holds;
  verdict.put_to_the_test = false;
  verdict.summary.clear();
  verdict.evidence.clear();
  verdict.overlap_from_ns.reset();
  verdict.overlap_until_ns.reset();
}

}  // namespace

struct Checker::Workspace {
  explicit Workspace(const Limits& limits) : lease_linearizability(limits) {}

  void judge(const Run& run, Verdict& verdict) {
    switch (verdict.property) {
      case Property::mutual_exclusion:
        return mutual_exclusion.judge(run, verdict);
      case Property::valid_grant:
        return judge_valid_grant(run, verdict);
      case Property::lease_linearizability:
        return lease_linearizability.judge(run, verdict);
      case Property::harm:
        return harm.judge(run, verdict);
      case Property::hold_count:
        return hold_count.judge(run, verdict);
      case Property::no_leak:
        return judge_no_leak(run, verdict);
      case Property::fencing:
        return fencing.judge(run, verdict);
      case Property::fifo:
        return fifo.judge(run, verdict);
      case Property::permits:
        return permits.judge(run, verdict);
      case Property::latch:
        return latch_passage.judge(run, verdict);
      case Property::no_deadlock:
        return no_deadlock.judge(run, verdict);
      case Property::no_lost_wakeup:
        return no_lost_wakeup.judge(run, verdict);
      case Property::no_starvation:
        return no_starvation.judge(run, verdict);
      case Property::truthful_answers:
        return truthful_answers.judge(run, verdict);
    }
  }

  void ask_whether_put_to_the_test(Verdict& verdict) {
    switch (verdict.kind) {
      case VerdictKind::holds:
        verdict.put_to_the_test = put_to_the_test.is(verdict.property);
        return;
      case VerdictKind::violated:
        verdict.put_to_the_test = true;
        return;
      case VerdictKind::unknown:
        return;
    }
  }

  MutualExclusion mutual_exclusion;
  LeaseLinearizability lease_linearizability;
  Harm harm;
  HoldCount hold_count;
  Fencing fencing;
  Fifo fifo;
  Permits permits;
  LatchPassage latch_passage;
  NoDeadlock no_deadlock;
  NoLostWakeup no_lost_wakeup;
  NoStarvation no_starvation;
  PutToTheTest put_to_the_test;
  TruthfulAnswers truthful_answers;
  CutOff cut_off;
  std::vector<Verdict> verdicts;
};

Checker::Checker(const Limits& limits) : workspace_(std::make_unique<Workspace>(limits)) {}
Checker::~Checker() = default;

const LivenessBounds& default_liveness_bounds() {
  static constexpr LivenessBounds bounds;
  return bounds;
}

const std::vector<Verdict>& Checker::check(const Run& run, std::span<const Property> properties) {
  std::vector<Verdict>& verdicts = workspace_->verdicts;
  verdicts.resize(properties.size());
  workspace_->put_to_the_test.start(run);
  workspace_->cut_off.load(run);
  for (std::size_t index = 0; index < properties.size(); ++index) {
    reset(verdicts[index], properties[index]);
    workspace_->judge(run, verdicts[index]);
    workspace_->cut_off.judge(run, verdicts[index]);
    workspace_->ask_whether_put_to_the_test(verdicts[index]);
  }
  return verdicts;
}

}  // namespace lockstep::checker
