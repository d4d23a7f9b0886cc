// [contract] and [[known]] of lock.toml, and what is standard without them.
#include "model/lock/contract.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "checker/property.h"
#include "lock_folder.h"
#include "model/lock/known_messages.h"
#include "model/lock/lock_package.h"
#include "model/lock/usage.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "tests/support/script_folder.h"

namespace lockstep::test::lock_contracts {
namespace {

using checker::Property;
using model::Assumption;
using model::Contract;
using model::LockFamily;

Contract shipped(const std::string& lock) {
  scenario::Scenario scenario;
  scenario.lock = lock;
  return model::load_lock(scenario, {support::script_folder()}).contract;
}

TEST(Contract, GoesByTheFamily) {
  EXPECT_EQ(shipped("plain").family, LockFamily::lease);
  EXPECT_EQ(shipped("fair").family, LockFamily::fair);
  EXPECT_EQ(shipped("fenced").family, LockFamily::fenced);
  EXPECT_EQ(shipped("redlock").family, LockFamily::quorum);
  EXPECT_EQ(shipped("readwrite").family, LockFamily::read_write);
  EXPECT_EQ(shipped("semaphore").family, LockFamily::semaphore);
  EXPECT_EQ(shipped("latch").family, LockFamily::latch);
}

TEST(Contract, IsTheBasesForAVariantAndALockThatOverlaysIt) {
  EXPECT_EQ(shipped("plain").executed_once, std::vector<std::string>{"acquire"});
  EXPECT_EQ(shipped("plain/unlatched").executed_once, std::vector<std::string>{"acquire"});
  EXPECT_EQ(shipped("fenced").executed_once, std::vector<std::string>{"acquire"});
  EXPECT_FALSE(shipped("plain").is_standard);
  EXPECT_TRUE(shipped("setnx").is_standard);
  EXPECT_EQ(shipped("setnx").executed_once, (std::vector<std::string>{"set", "setnx"}));
}

TEST(Contract, KnowsWhichLeaseIsTheLocksOwn) {
  EXPECT_EQ(shipped("plain").own_lease, "watchdog_lease");
  EXPECT_TRUE(shipped("plain").renews);
  EXPECT_EQ(shipped("redlock").own_lease, "lease");
  EXPECT_FALSE(shipped("redlock").renews);
}

TEST(Contract, OfAQuorumThatCountsHoldsAssumesThatNothingIsExecutedTwice) {
  const auto assumes_once = [](const std::string& lock) {
    return shipped(lock).assumed_for(Property::hold_count)->contains(Assumption::executed_once);
  };
  EXPECT_TRUE(assumes_once("redisson-redlock"));
  EXPECT_FALSE(assumes_once("redlock"));
}

TEST(Contract, IsOfPromisesOnly) {
  EXPECT_FALSE(shipped("readwrite").assumed_for(Property::no_lost_wakeup).has_value());
}

// spin is plain with a client model of its own; fenced has plain's.
TEST(Contract, LeavesFlawsOfTheClientModelToWhoUsesIt) {
  const auto knows_of_sleepers = [](const std::string& lock) {
    return std::ranges::any_of(shipped(lock).known, [](const model::KnownFlaw& flaw) {
      return flaw.property == Property::no_lost_wakeup;
    });
  };
  EXPECT_TRUE(knows_of_sleepers("plain"));
  EXPECT_TRUE(knows_of_sleepers("fenced"));
  EXPECT_FALSE(knows_of_sleepers("spin"));
  EXPECT_FALSE(shipped("spin").known.empty());
}

/// What is wrong with a lock.toml that goes on like this.
std::string complaint_of(const std::string& more) {
  const LockFolder folder;
  folder.write("client.lua", LockFolder::client_model(""));
  folder.write("lock.toml", std::string(LockFolder::lock_toml) + more);
  scenario::Scenario scenario;
  scenario.lock = folder.folder().string();
  try {
    static_cast<void>(model::load_lock(scenario, {}));
  } catch (const scenario::InputError& error) {
    const std::string text = error.what();
    return text.substr(text.find("lock.toml"));
  }
  return "nothing";
}

TEST(Contract, ThatIsWrongSaysWhereAndWhatWasExpected) {
  EXPECT_EQ(complaint_of("[contract]\nfamily = \"lease\"\n"), "nothing");
  EXPECT_NE(
      complaint_of("[contract]\nfamily = \"leas\"\n")
          .find("lock.toml:7:11: error: unknown family of locks 'leas'; did you mean 'lease'?"),
      std::string::npos);
  EXPECT_NE(complaint_of("[contract.assumes]\nharm = [\"keys-sty\"]\n")
                .find("lock.toml:7:10: error: unknown assumption 'keys-sty'; did you mean "
                      "'keys-stay'?"),
            std::string::npos);
  EXPECT_NE(complaint_of("[contract.assumes]\nharms = []\n").find("unknown property 'harms'"),
            std::string::npos);
  EXPECT_NE(complaint_of("[contract]\nfamly = \"lease\"\n").find("famly"), std::string::npos);
  EXPECT_NE(complaint_of("[[known]]\nproperty = \"harm\"\n").find("what"), std::string::npos);
}

TEST(Contract, NamesOptionsAndRequestsThatTheLockHas) {
  const std::string options = "[options]\nlatch = \"1s\"\n[contract]\n";
  EXPECT_EQ(complaint_of(options + "remembers = \"latch\"\nexecuted_once = [\"*\"]\n"), "nothing");
  EXPECT_NE(complaint_of(options + "remembers = \"lacth\"\n")
                .find("lock.toml:9:14: error: unknown option 'lacth'; did you mean 'latch'?"),
            std::string::npos);
  EXPECT_NE(complaint_of(options + "renews = \"connection\"\n")
                .find("lock.toml:9:11: error: unknown option 'connection' (durations are"),
            std::string::npos);
  const std::string scripts = "[scripts]\nacquire = \"client.lua\"\n[contract]\n";
  EXPECT_NE(complaint_of(scripts + "executed_once = [\"acqire\"]\n")
                .find("lock.toml:9:19: error: the lock sends no 'acqire'; did you mean"),
            std::string::npos);
  // A client model may put a command together.
  EXPECT_EQ(complaint_of(scripts + "executed_once = [\"incr\"]\n"), "nothing");
}

TEST(Contract, SaysWhatItAsksItsCallersFor) {
  EXPECT_TRUE(shipped("plain").asks_for(model::Usage::nobody_forces, Property::mutual_exclusion));
  EXPECT_FALSE(shipped("plain").asks_for(model::Usage::one_order, Property::mutual_exclusion));
  // A hold inside another keeps a lease of its own, unless the lock says that it does not.
  constexpr model::Usage unleased = model::Usage::unleased_reentry;
  EXPECT_FALSE(shipped("plain").asks_for(unleased, Property::mutual_exclusion));
  EXPECT_TRUE(shipped("multi").asks_for(unleased, Property::mutual_exclusion));
  EXPECT_TRUE(shipped("redisson-redlock").asks_for(unleased, Property::mutual_exclusion));
  Contract own = shipped("plain");
  own.usage[Property::mutual_exclusion] = {model::Usage::one_order};
  EXPECT_FALSE(own.asks_for(model::Usage::nobody_forces, Property::mutual_exclusion));
  EXPECT_TRUE(own.asks_for(model::Usage::one_order, Property::mutual_exclusion));
  EXPECT_TRUE(own.asks_for(model::Usage::nobody_forces, Property::harm));
}

TEST(Contract, AsksThatNobodyWritesAfterItsHoldUnlessTokensGuardTheResource) {
  for (const char* lock : {"plain", "redlock", "redisson-redlock", "multi"}) {
    Contract contract = shipped(lock);
    contract.usage[Property::harm] = {};
    EXPECT_TRUE(contract.asks_for(model::Usage::holds_within_lease, Property::harm)) << lock;
    EXPECT_FALSE(contract.asks_for(model::Usage::nobody_forces, Property::harm)) << lock;
  }
  Contract fenced = shipped("fenced");
  fenced.usage[Property::harm] = {};
  EXPECT_FALSE(fenced.asks_for(model::Usage::holds_within_lease, Property::harm));
}

TEST(Contract, ComplainsOfRulesDriftAndSearchThatAreNone) {
  EXPECT_EQ(complaint_of("[contract]\ndrift = \"500ppm\"\n"
                         "usage = { mutual-exclusion = [\"nobody-forces\"] }\n"),
            "nothing");
  EXPECT_NE(
      complaint_of("[contract.usage]\nharm = [\"nobody-force\"]\n")
          .find("lock.toml:7:10: error: unknown rule for callers 'nobody-force'; did you mean "
                "'nobody-forces'?"),
      std::string::npos);
  EXPECT_NE(complaint_of("[contract]\ndrift = \"-1ppm\"\n").find("lock.toml:7:10"),
            std::string::npos);
  EXPECT_EQ(complaint_of("[search]\nweights = { contention = 2 }\n"), "nothing");
  EXPECT_NE(complaint_of("[search]\nweights = { contention = -1 }\n").find("from 0 to 100"),
            std::string::npos);
  EXPECT_NE(complaint_of("[[search.options]]\ntimeot = \"1s\"\n")
                .find("lock.toml:7:10: error: unknown option 'timeot'; did you mean "
                      "'timeout'?"),
            std::string::npos);
  EXPECT_NE(complaint_of("[search]\nworkloads = []\n").find("lock.toml:7:1"), std::string::npos);
}

TEST(Contract, MayNotAssumeWithoutAReasonWhatNoNetworkKeeps) {
  const std::string assumes = "[contract.assumes]\nno-lost-wakeup = [\"messages-arrive\"]\n";
  EXPECT_NE(complaint_of(assumes).find("a lock that assumes 'messages-arrive' says why it may"),
            std::string::npos);
  EXPECT_EQ(complaint_of(assumes + "[contract.reasons]\nmessages-arrive = \"it looks once\"\n"),
            "nothing");
}

/// What is said of a scenario with that fault.
std::string said_of_fault(const std::string& lock, const std::string& fault) {
  try {
    const scenario::Scenario scenario = scenario::parse_scenario(
        "some.toml", "title = \"t\"\nlock = \"" + lock +
                         "\"\nexpect = { holds = \"no-leak\" }\n[[client]]\nname = \"a\"\n"
                         "run = [\"lock\", \"unlock\"]\n[[fault]]\n" +
                         fault);
    model::require_known_messages(scenario, {support::script_folder()});
  } catch (const scenario::InputError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(RequestLabels, AreScriptsAndCommandsOfTheClientModel) {
  for (const char* fault :
       {"drop = \"acquire\"", "drop = \"reply to release\"", "delay = \"any\"\nby = \"1s\"",
        "reset = \"subscribe\"", "delay = \"replication\"\nby = \"1s\"", "drop = \"message\"",
        "reorder = \"release\"\nbehind = \"renew\"",
        "crash = \"n1\"\nwhen = \"n1 executed acquire\"",
        "crash = \"n1\"\nwhen = \"a sent acquire\"", "crash = \"n1\"\nwhen = \"a acquired\"",
        "postpone = \"a\"\nreply = \"acquire\"\nby = \"1s\"", "drop = \"wait\""}) {
    EXPECT_EQ(said_of_fault("plain", fault), "nothing") << fault;
  }
  // A client model may put a command together, and servers send commands to each other.
  for (const char* fault : {"drop = \"incr\"", "crash = \"n1\"\nwhen = \"a sent set\"",
                            "drop = \"exec\"", "drop = \"client kill\""}) {
    EXPECT_EQ(said_of_fault("plain", fault), "nothing") << fault;
  }
  EXPECT_EQ(said_of_fault("setnx", "drop = \"set\""), "nothing");
  EXPECT_EQ(said_of_fault("redlock", "drop = \"reply to set\""), "nothing");
}

TEST(RequestLabels, ThatNobodySendsAreRefused) {
  EXPECT_EQ(said_of_fault("plain", "drop = \"aquire\""),
            "some.toml:8:1: error: nobody sends the message 'aquire': the lock 'plain' has no such "
            "script; did you mean 'acquire'? (there are acquire, force_release, release, renew and "
            "renew_batch), and its client model no such command in small letters");
  for (const char* fault :
       {"drop = \"reply to aquire\"", "reorder = \"release\"\nbehind = \"renwe\"",
        "crash = \"n1\"\nwhen = \"n1 executed aquire\"", "crash = \"n1\"\nwhen = \"a sent aquire\"",
        "crash = \"n1\"\nwhen = \"2nd aquire from a to n1\"", "drop = \"ACQUIRE\"",
        "postpone = \"a\"\nreply = \"aquire\"\nby = \"1s\""}) {
    EXPECT_NE(said_of_fault("plain", fault).find("nobody sends the message"), std::string::npos)
        << fault;
  }
}

}  // namespace
}  // namespace lockstep::test::lock_contracts
