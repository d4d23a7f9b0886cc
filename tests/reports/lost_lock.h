// A trace of two clients, a and b, and what it says of who lost the lock, told step by step.
#pragma once

#include <string>
#include <string_view>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause.h"
#include "search/runs/run_record.h"
#include "sim/time.h"
#include "sim/trace.h"
#include "tests/reports/trace_builder.h"

namespace lockstep::reports {

inline bool tells(std::string_view text, std::string_view words) {
  return text.find(words) != std::string_view::npos;
}

/// Who lost the lock how, in an overlap of a/1's belief and b/1's.
struct LostLock {
  test::TraceBuilder builder;
  sim::ActorId faults = builder.actor("faults", "faults", "faults");
  sim::ActorId a = builder.actor("a", "client", "a");
  sim::ActorId a1 = builder.actor("a/1", "client-thread", "a");
  sim::ActorId b1 = builder.actor("b/1", "client-thread", "b");
  sim::ActorId n1 = builder.actor("n1", "redis", "n1");
  sim::ActorId n2 = builder.actor("n1-replica-1", "redis", "n1");
  sim::ActorId other = builder.actor("n2", "redis", "n2");  // another master

  void lock_changes(sim::ActorId node, std::string_view holders, std::string_view cause,
                    std::string_view by) {
    builder.tell(node, model::trace_kind::lock_changed, sim::Field("lock", "lock"),
                 sim::Field("holders", holders), sim::Field("lease_ends_ns", 0),
                 sim::Field("cause", cause), sim::Field("by", by));
  }
  void lease_changes(std::string_view lock, std::string_view holders, sim::TimeNs ends_ns,
                     std::string_view cause, std::string_view by) {
    builder.tell(n1, model::trace_kind::lock_changed, sim::Field("lock", lock),
                 sim::Field("holders", holders), sim::Field("lease_ends_ns", ends_ns),
                 sim::Field("cause", cause), sim::Field("by", by));
  }
  void strike(std::string_view what, std::string_view target) {
    builder.tell(faults, model::trace_kind::fault_struck, sim::Field("fault", 0),
                 sim::Field("what", what), sim::Field("target", target));
  }
  void invoke(sim::ActorId thread, std::string_view step) {
    builder.tell(thread, model::trace_kind::step_invoked, sim::Field("step", step),
                 sim::Field("lock", "lock"));
  }
  void execute(std::string_view label, std::string_view by) { execute_on(n1, label, by); }
  void execute_on(sim::ActorId node, std::string_view label, std::string_view by) {
    builder.tell(node, model::trace_kind::command_executed, sim::Field("label", label),
                 sim::Field("command", "X"), sim::Field("arguments", "lock"),
                 sim::Field("reply", "1"), sim::Field("on_behalf_of", by), sim::Field("writes", 1));
  }
  /// Of a property that names one owner: over the whole run so far.
  std::string why(checker::Property property, std::string_view who) {
    search::RunRecord example = builder.example();
    checker::Verdict verdict{};
    verdict.property = property;
    verdict.kind = checker::VerdictKind::violated;
    verdict.evidence = {{"", example.judged->names.intern(who), {}, builder.moment()}};
    example.verdicts = {verdict};
    std::string sentences;
    for (const std::string& sentence : explain(example)) sentences += sentence + "\n";
    return sentences;
  }
  /// Of a/1's belief that began now.
  std::string why_granted() {
    search::RunRecord example = builder.example();
    checker::Verdict verdict{};
    verdict.property = checker::Property::valid_grant;
    verdict.kind = checker::VerdictKind::violated;
    verdict.evidence = {{"", example.judged->names.intern("a/1"), builder.moment(), std::nullopt}};
    example.verdicts = {verdict};
    std::string sentences;
    for (const std::string& sentence : explain(example)) sentences += sentence + "\n";
    return sentences;
  }
  std::string why() {
    search::RunRecord example = builder.example();
    checker::Verdict verdict{};
    verdict.kind = checker::VerdictKind::violated;
    verdict.evidence = {
        {"", example.judged->names.intern("a/1"), {}, checker::Moment{9'000'000'000, 999}},
        {"", example.judged->names.intern("b/1"), builder.moment(), std::nullopt}};
    example.verdicts = {verdict};
    std::string sentences;
    for (const std::string& sentence : explain(example)) sentences += sentence + "\n";
    return sentences;
  }
};

}  // namespace lockstep::reports
