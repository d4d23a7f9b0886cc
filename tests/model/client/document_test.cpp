// The lock that `lockstep new lock` makes does what docs/your-own-lock.md says, and docs/locks.md
// has every function.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "checker/property.h"
#include "checker/verdict_kind.h"
#include "lock_folder.h"
#include "lock_run.h"
#include "scenario/milestones.h"
#include "scenario/step_forms.h"
#include "tests/support/source_folder.h"

namespace lockstep::test {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(source_folder() + "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << path;
  return text.str();
}

void write_lock(const LockFolder& folder) {
  for (const std::string name :
       {"lock.toml", "client.lua", "acquire.lua", "release.lua", "extend.lua"}) {
    folder.write(name, text_of("app/templates/lock/" + name));
  }
}

TEST(YourOwnLock, HoldsWithoutFaults) {
  LockFolder folder;
  write_lock(folder);
  LockRun run(folder.folder().string());
  run.scenario.latency = {};
  for (const char* name : {"a", "b", "c"}) run.client(name, {"lock; write; unlock"}, 3);
  run.client("d", {"try_lock wait=5ms; write; unlock; sleep 30ms; force_unlock"});
  run.run();
  EXPECT_EQ(run.count("client-failed"), 0U) << run.text();
  EXPECT_GE(run.count("belief-began"), 9U);
  for (const checker::Property property :
       {checker::Property::valid_grant, checker::Property::lease_linearizability,
        checker::Property::no_leak}) {
    EXPECT_EQ(run.verdict(property), checker::VerdictKind::holds) << run.text();
  }
}

TEST(YourOwnLock, IsFoundToBreakByAPause) {
  LockFolder folder;
  write_lock(folder);
  LockRun run(folder.folder().string());
  run.client("a", {"lock; write; unlock"});
  run.client("b", {"sleep 1ms; lock; write; unlock"});
  scenario::FaultSpec& pause = run.fault(scenario::FaultKind::pause, "a");
  pause.for_ns = 15 * sim::second_ns;
  pause.trigger.when = scenario::Trigger::When{"a", scenario::Milestone::read, "", 1};
  run.run();
  EXPECT_EQ(run.verdict(checker::Property::mutual_exclusion), checker::VerdictKind::violated);
  EXPECT_EQ(run.steps_of("a/1").back(), "unlock: fail");
}

TEST(YourOwnLock, HasEveryFunctionInTheDocument) {
  const std::string text = text_of("docs/locks.md");
  for (const char* name :
       {"eval",   "command", "pipeline", "subscribe",    "wait_message", "unsubscribe",
        "sleep",  "wait",    "wall_ms",  "random",       "token",        "owner",
        "uuid",   "thread",  "number",   "monotonic_ms", "state",        "spawn",
        "cancel", "invoke",  "complete", "lost",         "refuse",       "log",
        "nodes",  "node_of", "signal"}) {
    EXPECT_NE(text.find(std::string("`client.") + name), std::string::npos) << name;
  }
}

TEST(YourOwnLock, HasEveryFunctionThatAStepCallsInTheDocument) {
  const std::string text = text_of("docs/locks.md");
  for (const scenario::StepForm& form : scenario::step_forms()) {
    if (form.role == scenario::StepRole::none) continue;
    EXPECT_NE(text.find("`" + std::string(form.word)), std::string::npos) << form.word;
  }
}

}  // namespace
}  // namespace lockstep::test
