// Where a process owns as one: which assumptions a violating run did not keep.
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <string>

#include "checker/property.h"
#include "model/lock/assumption.h"
#include "tests/model/client/lock_folder.h"
#include "tests/search/contract_stories.h"

namespace lockstep::search {
namespace {

using checker::Property;
using model::Assumption;
using model::AssumptionSet;

/// Counts the holds of a process; the lease is the one that was asked for last.
void write_lock_of_processes(const test::LockFolder& folder) {
  folder.write("lock.toml", R"(title = "t"
client = "client.lua"
promises = ["mutual-exclusion", "lease-linearizability", "harm"]
[scripts]
take = "take.lua"
give = "give.lua"
[state]
key = "{name}"
owner = "process"
)");
  folder.write("client.lua", R"(local model = {}
function model.lock(lock, lease_ms)
  while true do
    local operation = client.invoke("acquire", lock, lease_ms)
    local taken = client.eval(1, "take", {lock.name}, {client.owner(), lease_ms}) == 1
    client.complete(operation, taken and "ok" or "fail")
    if taken then return true end
    client.sleep(50)
  end
end
function model.unlock(lock)
  local operation = client.invoke("release", lock)
  local given = client.eval(1, "give", {lock.name}, {client.owner()}) == 1
  client.complete(operation, given and "ok" or "fail")
  return true
end
return model
)");
  folder.write("take.lua", R"(
if redis.call('exists', KEYS[1]) == 1 and redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
  return 0
end
redis.call('hincrby', KEYS[1], ARGV[1], 1)
redis.call('pexpire', KEYS[1], ARGV[2])
return 1
)");
  folder.write("give.lua", R"(
if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 end
if redis.call('hincrby', KEYS[1], ARGV[1], -1) == 0 then redis.call('del', KEYS[1]) end
return 1
)");
}

TEST(ContractJudgeOfProcesses, HarmOfAProcessAfterItsLeaseIsALimit) {
  const test::LockFolder folder;
  write_lock_of_processes(folder);
  const std::string text = R"([[client]]
name = "a"
run  = ["lock lease=2s", "write", "unlock"]
[[client]]
name  = "b"
start = "1s"
run   = ["lock lease=30s", "write", "sleep 10s", "unlock"]
[[fault]]
delay = "write"
from  = "a"
by    = "5s"
)";
  EXPECT_EQ(broken(story(folder.folder().string(), text), Property::harm),
            (AssumptionSet{Assumption::holds_within_lease}));
}

// What the first time gave is over, and no key tells of it: what is sent again takes the lock anew.
TEST(ContractJudgeOfProcesses, NoLockRecognizesARequestWhoseHoldHasEnded) {
  const test::LockFolder folder;
  write_lock_of_processes(folder);
  std::ofstream(folder.file("lock.toml"), std::ios::app) << "[contract]\nexecuted_once = []\n";
  const auto late = [&](const std::string& lease) {
    return broken(story(folder.folder().string(), R"([[client]]
name = "a"
run  = ["lock lease=)" + lease + R"(", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock lease=30s", "unlock"]
[[fault]]
delay = "reply to take"
to    = "a"
by    = "10s"
times = 1
)"),
                  Property::lease_linearizability);
  };
  EXPECT_EQ(late("4s"), (AssumptionSet{Assumption::executed_once}));
}

/// a/1 hears late that it has the lock, and in the meantime a/2 took it for less.
TEST(ContractJudgeOfProcesses, AThreadMayCutTheLeaseOfItsProcessShort) {
  const test::LockFolder folder;
  write_lock_of_processes(folder);
  const std::optional<AssumptionSet> found = broken(story(folder.folder().string(), R"([options]
retry_attempts = 0
[[client]]
name = "a"
[[client.thread]]
run = ["lock lease=60s", "sleep 20s", "unlock"]
[[client.thread]]
run = ["sleep 100ms", "lock lease=2s", "sleep 1m", "unlock"]
[[client]]
name  = "b"
start = "500ms"
run   = ["lock lease=60s", "sleep 1s", "unlock"]
[[fault]]
delay = "reply to take"
to    = "a/1"
by    = "1s"
[[fault]]
delay = "reply to take"
to    = "a/2"
by    = "4s"
)"),
                                                    Property::mutual_exclusion);
  EXPECT_EQ(found, (AssumptionSet{Assumption::holds_within_lease}));
}

}  // namespace
}  // namespace lockstep::search
