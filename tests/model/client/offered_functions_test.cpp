// What a lock offers: which functions its client model may have, and what a scenario may ask for.
#include <gtest/gtest.h>

#include <array>

#include "lock_folder.h"
#include "lock_run.h"
#include "scenario/step_forms.h"
#include "scenario/text/input_error.h"
#include "tests/support/script_folder.h"

namespace lockstep::test {
namespace {

/// A lock whose state has this shape, with a client model of these functions.
std::string complaint(std::string_view shape, const std::vector<std::string>& functions,
                      const std::string& step) {
  const LockFolder folder;
  folder.write("lock.toml",
               "title = \"Own\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n"
               "shape = \"" +
                   std::string(shape) + "\"\n");
  std::string source = "local model = {}\n";
  for (const std::string& name : functions) {
    source += "function model." + name + "() return true end\n";
  }
  folder.write("client.lua", source + "return model\n");
  LockRun run(folder.folder().string());
  run.client("a", {step});
  try {
    run.run();
  } catch (const scenario::InputError& error) {
    return error.message();
  }
  return "nothing";
}

TEST(OfferedFunctions, AreTheStepsOfAScenario) {
  EXPECT_EQ(complaint("holds-by-owner", {"lock", "unlock"}, "lock; unlock"), "nothing");
  EXPECT_EQ(complaint("holds-by-owner", {"lock", "unlock"}, "try_lock; unlock"),
            "the lock 'own' has no 'try_lock' (it offers lock and unlock)");
  EXPECT_EQ(complaint("permits", {"acquire", "release"}, "lock; unlock"),
            "the lock 'own' has no 'lock' (it offers acquire and release)");
}

TEST(OfferedFunctions, AreThoseThatStepsCall) {
  const std::string text = complaint("holds-by-owner", {"lock", "unlok"}, "sleep 1s");
  EXPECT_TRUE(
      text.starts_with("no step calls the function 'unlok' of a lock whose state is "
                       "'holds-by-owner'; did you mean 'unlock'?"))
      << text;
}

TEST(OfferedFunctions, SuitTheShapeOfTheState) {
  const std::string text = complaint("count", {"await", "read_lock"}, "sleep 1s");
  EXPECT_TRUE(
      text.starts_with("no step calls the function 'read_lock' of a lock whose state is "
                       "'count'"))
      << text;
}

TEST(OfferedFunctions, IncludeWhatEndsWhatTheyBegin) {
  EXPECT_EQ(complaint("readers-and-writer", {"read_lock"}, "sleep 1s"),
            "the client model lacks the function 'read_unlock', which ends what its 'read_lock' "
            "began");
  const std::string nothing = complaint("holds-by-owner", {}, "sleep 1s");
  EXPECT_TRUE(nothing.starts_with("the client model offers nothing")) << nothing;
}

struct Shape {
  const char* name;
  std::vector<std::string> functions;
  std::string steps;
};

class EveryShape : public testing::TestWithParam<Shape> {};

TEST_P(EveryShape, RunsAllItsSteps) {
  EXPECT_EQ(complaint(GetParam().name, GetParam().functions, GetParam().steps), "nothing");
}

INSTANTIATE_TEST_SUITE_P(
    OfferedFunctions, EveryShape,
    testing::Values(
        Shape{
            "holds-by-owner",
            {"lock", "try_lock", "unlock", "force_unlock", "extend", "is_locked", "is_held_by_me",
             "hold_count", "remaining_lease", "lock_all", "try_lock_all", "unlock_all"},
            "lock; extend lease=1s; is_locked; is_held_by_me; hold_count; remaining_lease; unlock; "
            "try_lock wait=1s; unlock; force_unlock; lock_all names=a,b; unlock_all names=a,b; "
            "try_lock_all names=a,b wait=1s; unlock_all names=a,b"},
        Shape{"readers-and-writer",
              {"read_lock", "try_read_lock", "read_unlock", "write_lock", "try_write_lock",
               "write_unlock"},
              "read_lock lease=1s; read_unlock; try_read_lock; read_unlock; write_lock; "
              "write_unlock; "
              "try_write_lock wait=1s lease=1s; write_unlock"},
        Shape{
            "permits",
            {"acquire", "try_acquire", "release", "try_set_permits"},
            "try_set_permits permits=5; acquire permits=2; release permits=2; try_acquire wait=1s; "
            "release"},
        Shape{"count",
              {"try_set_count", "count_down", "await"},
              "try_set_count count=2; count_down; await wait=1s"}),
    [](const auto& test) {
      std::string name = test.param.name;
      std::erase(name, '-');
      return name;
    });

}  // namespace
}  // namespace lockstep::test
