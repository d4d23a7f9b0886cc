// The lock that docs/your-own-lock.md shows does what it says.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "lock_folder.h"
#include "lock_run.h"

namespace lockstep::test {
namespace {

std::string document() {
  std::ifstream file(std::string(LOCKSTEP_SOURCE_DIR) + "/docs/your-own-lock.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The code block that follows "`my-lock/NAME`:".
std::string shown_file(const std::string& name) {
  const std::string text = document();
  const std::size_t title = text.find("`my-lock/" + name + "`:");
  const std::size_t begin = text.find('\n', text.find("```", title)) + 1;
  return text.substr(begin, text.find("```", begin) - begin);
}

void write_lock(const LockFolder& folder) {
  for (const char* name : {"lock.toml", "client.lua", "release.lua"}) {
    folder.write(name, shown_file(name));
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
  model::FaultSpec& pause = run.fault(model::FaultKind::pause, "a");
  pause.for_ns = 15 * sim::second_ns;
  pause.trigger.when = model::Trigger::When{"a", model::Milestone::read, "", 1};
  run.run();
  EXPECT_EQ(run.verdict(checker::Property::mutual_exclusion), checker::VerdictKind::violated);
  EXPECT_EQ(run.steps_of("a/1").back(), "unlock: fail");
}

TEST(YourOwnLock, HasEveryFunctionInTheDocument) {
  const std::string text = document();
  for (const char* name :
       {"eval",     "command", "pipeline",     "subscribe", "wait_message", "unsubscribe",
        "sleep",    "wall_ms", "monotonic_ms", "random",    "token",        "owner",
        "uuid",     "thread",  "state",        "spawn",     "cancel",       "invoke",
        "complete", "lost",    "refuse",       "log",       "nodes"}) {
    EXPECT_NE(text.find(std::string("client.") + name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace lockstep::test
