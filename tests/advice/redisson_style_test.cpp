// Scripts that do what Redisson's do (tests/advice/redisson): no finding on sound ones, and each
// defect that is planted in them is found.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "advice/lock_advice.h"
#include "advice/script_extraction.h"
#include "tests/advice/temporary_file.h"
#include "tests/support/source_folder.h"

namespace lockstep::advice {
namespace {

using Rules = std::set<std::string>;

/// All scripts by their names, as `extract` gives them.
const std::map<std::string, std::string>& scripts() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> found;
    const std::filesystem::path folder = std::filesystem::path(source_folder()) / "tests/advice";
    for (const auto& file : std::filesystem::directory_iterator(folder / "redisson")) {
      std::ifstream stream(file.path(), std::ios::binary);
      const std::string source{std::istreambuf_iterator<char>(stream), {}};
      Extraction extraction = extract_scripts(source, HostLanguage::java);
      EXPECT_TRUE(extraction.complaints.empty()) << file.path();
      std::vector<ExtractedScript*> named;
      for (ExtractedScript& each : extraction.scripts) {
        EXPECT_TRUE(each.holes.empty()) << file.path() << " " << each.name;
        named.push_back(&each);
      }
      number_names(named);
      for (const ExtractedScript* each : named) found[each->name] = each->body;
    }
    return found;
  }();
  return all;
}

Rules rules_of(const std::string& name, const std::string& body) {
  const TemporaryFile file(body, name + ".lua");
  Rules rules;
  for (const LintFinding& each : advise_on_file(file.path(), {})) {
    rules.insert(std::string(text_of(each.rule).name));
  }
  return rules;
}

TEST(RedissonStyle, GivesNoFalseFindings) {
  EXPECT_GT(scripts().size(), 40U);
  for (const auto& [name, body] : scripts()) EXPECT_EQ(rules_of(name, body), Rules()) << name;
}

/// Whoever removes a key whatever it holds has to say by the name that it is meant.
TEST(RedissonStyle, NeedsNamesOnlyWhereKeysAreRemovedByForce) {
  std::set<std::string> in_need;
  for (const auto& [name, body] : scripts()) {
    const Rules rules = rules_of("script", body);
    if (rules.empty()) continue;
    EXPECT_EQ(rules, Rules{"delete-without-owner"}) << name;
    in_need.insert(name);
  }
  EXPECT_EQ(in_need,
            (std::set<std::string>{"CountDownLatch.deleteAsync", "Fair.forceUnlockAsync",
                                   "ReadWrite.forceUnlockReadAsync", "Reentrant.forceUnlockAsync",
                                   "Semaphore.deleteAsync", "Spin.forceUnlockAsync"}));
}

struct Planted {
  std::string script;
  std::string sound;
  std::string wrong;
  std::string rule;
};

std::vector<Planted> planted_defects() {
  const std::string lease = "redis.call('pexpire', KEYS[1], ARGV[1]); ";
  const std::string fair_lease = "redis.call('pexpire', KEYS[1], ARGV[1]);";
  const std::string reader_lease = "redis.call('pexpire', KEYS[2] .. ':1', ARGV[1]); ";
  const std::string owner_3 =
      "if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then return nil;end; ";
  const std::string owner_2 =
      "if (redis.call('hexists', KEYS[1], ARGV[2]) == 0) then return nil;end; ";
  const std::string count = "local holds = redis.call('hincrby'";
  return {
      // Keys in ARGV, and values in KEYS.
      {"Reentrant.tryLockInnerAsync", "'exists', KEYS[1]", "'exists', ARGV[3]", "key-not-in-keys"},
      {"Spin.unlockInnerAsync", "'del', KEYS[1]", "'del', ARGV[3]", "key-not-in-keys"},
      {"Semaphore.releaseAsync", "'incrby', KEYS[1]", "'incrby', ARGV[3]", "key-not-in-keys"},
      {"Fenced.tryLockInnerAsync", "'incr', KEYS[2]", "'incr', 'tokens'", "key-not-in-keys"},
      {"PermitExpirableSemaphore.acquiredPermitsAsync", "KEYS[2]", "ARGV[2]", "key-not-in-keys"},
      {"Spin.unlockInnerAsync", "ARGV[2]", "KEYS[2]", "value-in-keys"},
      {"Spin.tryLockInnerAsync", "ARGV[2]", "KEYS[2]", "value-in-keys"},
      {"Reentrant.unlockLatchedAsync", "ARGV[3]", "KEYS[4]", "value-in-keys"},
      {"Semaphore.tryAcquireAsync0", "KEYS[1], ARGV[1]", "KEYS[1], KEYS[2]", "value-in-keys"},
      {"Semaphore.trySetPermitsAsync", "'set', KEYS[1], ARGV[1]", "'set', KEYS[1], KEYS[3]",
       "value-in-keys"},
      {"CountDownLatch.trySetCountAsync", "ARGV[2]", "KEYS[3]", "value-in-keys"},
      {"Fair.tryLockInnerAsync", "ARGV[1]", "KEYS[4]", "value-in-keys"},
      {"PermitExpirableSemaphore.tryReleaseAsync", "ARGV[3]", "KEYS[4]", "value-in-keys"},
      // Locks without a lease.
      {"Reentrant.tryLockInnerAsync", lease, "", "no-lease"},
      {"Reentrant.tryLockOnceAsync", lease, "", "no-lease"},
      {"Reentrant.unlockLatchedAsync", "1, 'px', ARGV[5]", "1", "no-lease"},
      {"Reentrant.unlockLatchedAsync", "0, 'px', ARGV[5]", "0", "no-lease"},
      {"Spin.tryLockInnerAsync", lease, "", "no-lease"},
      {"Fenced.tryLockInnerAsync", lease, "", "no-lease"},
      {"Fenced.tryLockAndGetTokenInnerAsync", lease, "", "no-lease"},
      {"MultiLock.tryLockAllAsync", "redis.call('pexpire', name, ARGV[1]); ", "", "no-lease"},
      {"Fair.tryLockOnceAsync", fair_lease, "", "no-lease"},
      {"Fair.tryLockInnerAsync", fair_lease, "", "no-lease"},
      {"ReadWrite.tryReadLockInnerAsync", lease, "", "no-lease"},
      {"ReadWrite.tryReadLockInnerAsync", reader_lease, "", "no-lease"},
      {"ReadWrite.tryReadLockInnerAsync", "redis.call('pexpire', key, ARGV[1]); ", "", "no-lease"},
      {"ReadWrite.tryWriteLockInnerAsync", lease, "", "no-lease"},
      // Releases by whoever comes.
      {"Reentrant.unlockInnerAsync", owner_3, "", "delete-without-owner"},
      {"Reentrant.unlockLatchedAsync", owner_3, "", "delete-without-owner"},
      {"Spin.unlockInnerAsync", owner_2, "", "delete-without-owner"},
      {"Fair.unlockInnerAsync", owner_3, "", "delete-without-owner"},
      {"ReadWrite.unlockReadInnerAsync", "if (mine == 0) then return nil;end; ", "",
       "delete-without-owner"},
      {"ReadWrite.unlockWriteInnerAsync", "if (mine == 0)", "if (mine == 2)",
       "delete-without-owner"},
      {"MultiLock.unlockAllAsync",
       "if redis.call('hexists', KEYS[i], ARGV[1]) == 1 then "
       "if redis.call('hincrby', KEYS[i], ARGV[1], -1) == 0 then",
       "if true then if redis.call('hincrby', KEYS[i], ARGV[1], -1) < 1 then",
       "delete-without-owner"},
      // What Redis does not take, and what is not the same each time.
      {"Reentrant.unlockInnerAsync", count, "holds = redis.call('hincrby'", "global-assignment"},
      {"Fair.tryLockInnerAsync", "math.max(0, ttl)", "max(0, ttl)", "unknown-global"},
      {"Semaphore.addPermitsAsync", "tonumber(ARGV[1]));", "(ARGV[1] // 1));", "not-lua-5.1"},
      {"CountDownLatch.countDownAsync", "'decr', KEYS[1]", "'decr', KEYS[1], 1", "refused-command"},
      {"Reentrant.unlockInnerAsync", "'publish', KEYS[2], ARGV[1]", "'subscribe', KEYS[2]",
       "refused-command"},
      {"Fair.tryLockInnerAsync", "tonumber(until_ms) <= tonumber(ARGV[4])",
       "tonumber(until_ms) <= tonumber(redis.call('time')[1])", "not-deterministic"},
      {"PermitExpirableSemaphore.tryAcquireAsync", "'zrangebyscore', KEYS[2], '-inf', ARGV[1]",
       "'zrandmember', KEYS[2], ARGV[1]", "not-deterministic"},
      {"MultiLock.extendAllAsync", "ipairs(KEYS)", "pairs(cjson.decode(ARGV[2]))",
       "order-of-pairs"},
  };
}

std::string replaced(std::string text, const std::string& sound, const std::string& wrong) {
  std::size_t count = 0;
  for (std::size_t at = text.find(sound); at != std::string::npos;
       at = text.find(sound, at + wrong.size())) {
    text.replace(at, sound.size(), wrong);
    ++count;
  }
  EXPECT_GT(count, 0U) << sound;
  return text;
}

TEST(RedissonStyle, ShowsEachPlantedDefect) {
  for (const Planted& each : planted_defects()) {
    const auto script = scripts().find(each.script);
    ASSERT_NE(script, scripts().end()) << each.script;
    const std::string wrong = replaced(script->second, each.sound, each.wrong);
    for (const std::string& name : {each.script, std::string("script")}) {
      EXPECT_TRUE(rules_of(name, wrong).contains(each.rule))
          << each.script << " as " << name << ", " << each.rule << "\n"
          << wrong;
    }
  }
}

}  // namespace
}  // namespace lockstep::advice
