// The patterns of a lock's keys: what they match, what they may say, and which keys are leases
// where lock.toml names none.
#include "model/lock/key_pattern.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "checker/property.h"
#include "checker/verdict.h"
#include "lock_folder.h"
#include "lock_run.h"
#include "model/lock/lock_package.h"
#include "scenario/scenario.h"

namespace lockstep::model {
namespace {

using test::LockFolder;
using test::LockRun;
using Keys = std::vector<std::string>;

LockPackage loaded(const std::string& state) {
  LockFolder folder;
  folder.write("client.lua", "-- the client model");
  folder.write("lock.toml", "title = \"t\"\nclient = \"client.lua\"\n[state]\n" + state);
  scenario::Scenario scenario;
  scenario.path = "some/scenario.toml";
  scenario.lock = folder.folder().string();
  return load_lock(scenario, {test::scripts_folder()});
}

TEST(KeyPattern, OfTheStateIsALeaseWhereNobodySaysOtherwise) {
  EXPECT_EQ(loaded("key = 'l:{name}'\n").lease_keys, Keys{"l:{name}"});
  EXPECT_EQ(loaded("key = '{name}'\nshape = 'owner-token'\nalso = '{name}:b'\n").lease_keys,
            (Keys{"{name}", "{name}:b"}));
  EXPECT_EQ(loaded("key = '{name}'\n[keys]\npersistent = ['{name}:tokens']\n").lease_keys,
            Keys{"{name}"});
  EXPECT_EQ(loaded("key = '{name}'\n[keys]\nleases = ['x:{name}']\n").lease_keys, Keys{"x:{name}"});
  EXPECT_EQ(loaded("key = '{name}'\n[keys]\nleases = []\n").lease_keys, Keys{});
  EXPECT_EQ(loaded("key = '{name}'\n[keys]\npersistent = ['*']\n").lease_keys, Keys{});
  EXPECT_EQ(loaded("key = '{name}'\nshape = 'permits'\n").lease_keys, Keys{})
      << "a semaphore's number has no lease";
}

TEST(KeyPattern, OfALockWithoutKeysIsLookedAtForLeaks) {
  LockFolder folder;
  folder.write("client.lua", R"(
local model = {}
function model.lock(lock)
  while not client.command(1, "SET", lock.name, client.owner(), "NX") do
    client.sleep(20)
  end
  return true
end
function model.unlock(lock) return client.command(1, "DEL", lock.name) == 1 end
return model
)");
  folder.write("lock.toml",
               "title = 't'\nclient = 'client.lua'\n[state]\nkey = '{name}'\n"
               "shape = 'owner-token'\n");
  LockRun run(folder.folder().string());
  run.client("a", {"lock; unlock"});
  run.run();
  EXPECT_EQ(run.verdict(checker::Property::no_leak), checker::VerdictKind::violated)
      << "its key never has a TTL\n"
      << run.text();
}

TEST(KeyPattern, ExpandsTheLocksName) {
  EXPECT_EQ(expand_pattern("{name}", "orders"), "orders");
  EXPECT_EQ(expand_pattern("channel:{{name}}", "orders"), "channel:{orders}");
  EXPECT_EQ(expand_pattern("{name}:{name}", "a"), "a:a");
  EXPECT_EQ(expand_pattern("no name", "a"), "no name");
  EXPECT_EQ(expand_pattern("", "a"), "");
  EXPECT_EQ(expand_pattern("channel:{{name}}:x", "{shop}:orders"), "channel:{shop}:orders:x");
  EXPECT_EQ(expand_pattern("{name}", "{shop}:orders"), "{shop}:orders");
}

TEST(KeyPattern, MatchesKeysWithStars) {
  EXPECT_TRUE(key_matches("{name}", "orders", "orders"));
  EXPECT_FALSE(key_matches("{name}", "orders", "orders2"));
  EXPECT_TRUE(key_matches("latch:{{name}}:*", "orders", "latch:{orders}:17"));
  EXPECT_TRUE(key_matches("latch:{{name}}:*", "orders", "latch:{orders}:"));
  EXPECT_FALSE(key_matches("latch:{{name}}:*", "orders", "latch:{other}:17"));
  EXPECT_TRUE(key_matches("*:{name}:*x", "n", "a:n:n:bxx"));
  EXPECT_FALSE(key_matches("*:{name}:*x", "n", "a:n:n:bxy"));
}

}  // namespace
}  // namespace lockstep::model
