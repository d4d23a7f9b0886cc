// Advice on the locks of scripts/: nothing on the good ones, the flaw of each that has one to see.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "advice/lock_advice.h"

namespace lockstep::advice {
namespace {

const std::vector<std::filesystem::path>& folders() {
  static const std::vector<std::filesystem::path> list = {
      std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "scripts"};
  return list;
}

std::set<std::string> rules_of(const std::string& lock) {
  std::set<std::string> names;
  for (const Finding& each : advise_on(lock, folders())) {
    names.insert(std::string(text_of(each.rule).name));
  }
  return names;
}

std::string listing(const std::string& lock) {
  std::string text;
  for (const Finding& each : advise_on(lock, folders())) {
    text += each.path + ":" + std::to_string(each.place.line) + ": " +
            std::string(text_of(each.rule).name) + ": " + each.what + "\n";
  }
  return text;
}

/// Flaws that the text shows. All other locks and variants are silent: what is wrong with a variant
/// then lies in time, not in its text.
const std::map<std::string, std::set<std::string>>& flaws() {
  static const std::map<std::string, std::set<std::string>> list = {
      {"setnx/setnx-then-expire", {"write-then-expire"}},
      {"setnx/fixed-value", {"fixed-owner"}},
      {"setnx/get-then-del", {"read-then-write"}},
      {"setnx/delete-without-token", {"delete-without-owner"}},
      {"setnx/timestamp", {"delete-without-owner", "no-lease", "read-then-write"}},
  };
  return list;
}

TEST(Locks, AreSilentUnlessTheirFlawShows) {
  const std::vector<std::string> locks = model::list_locks(folders());
  EXPECT_GT(locks.size(), 10U);
  for (const std::string& lock : locks) {
    const auto flaw = flaws().find(lock);
    const std::set<std::string> expected =
        flaw == flaws().end() ? std::set<std::string>() : flaw->second;
    EXPECT_EQ(rules_of(lock), expected) << lock << "\n" << listing(lock);
  }
  for (const auto& [lock, rules] : flaws()) {
    EXPECT_NE(std::find(locks.begin(), locks.end(), lock), locks.end()) << lock;
  }
}

TEST(Locks, GiveTheirFilesWhatTheyDeclare) {
  const std::filesystem::path fenced = folders()[0] / "fenced";
  EXPECT_TRUE(advise_on((fenced / "acquire.lua").string(), folders()).empty());
  EXPECT_TRUE(advise_on((fenced / "lock.toml").string(), folders()).empty());
  EXPECT_TRUE(advise_on(fenced.string(), folders()).empty());
  const std::vector<Finding> found =
      advise_on((folders()[0] / "setnx" / "client-timestamp.lua").string(), {});
  EXPECT_FALSE(found.empty());
  for (const Finding& each : found) EXPECT_TRUE(each.path.ends_with("client-timestamp.lua"));
}

TEST(Locks, ThatAreNotThereAreAnError) {
  for (const std::string name : {"nothing", "plain/nothing", "./nowhere/x.lua", "", "/"}) {
    EXPECT_THROW((void)advise_on(name, folders()), model::InputError) << name;
  }
}

}  // namespace
}  // namespace lockstep::advice
