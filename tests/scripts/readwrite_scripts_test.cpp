// The server scripts of scripts/readwrite, script by script: what each replies, leaves behind and
// publishes. tools/mutate-scripts shows that no line of them can change without a test that fails.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/scripts/script_server.h"

namespace lockstep::test::readwrite_scripts {
namespace {

constexpr const char* nil = "(nil)";
constexpr const char* zero = "(integer) 0";
constexpr const char* one = "(integer) 1";

std::string timeouts_of(const std::string& owner) { return "{L}:" + owner + ":rwlock_timeout"; }

/// What data() shows of the timeout key of an owner's n-th hold.
std::string timeout(const std::string& owner, int n, int left_ms) {
  return timeouts_of(owner) + ":" + std::to_string(n) + " \"1\" " + std::to_string(left_ms) + "ms";
}

/// The lock and the operations on it that all generations share.
class ReadWriteLock {
 public:
  std::string read(const std::string& owner, const std::string& lease_ms = "10000") {
    return server.run("read_acquire", {"L", timeouts_of(owner)},
                      {lease_ms, owner, owner + ":write"});
  }
  std::string write(const std::string& owner, const std::string& lease_ms = "10000") {
    return server.run("write_acquire", {"L"}, {lease_ms, owner + ":write"});
  }

  ScriptServer server{"readwrite", "channel"};
};

class ReadWriteScripts : public testing::Test, protected ReadWriteLock {};

// -- read_acquire

TEST_F(ReadWriteScripts, ReadAcquireTakesAFreeLockForItsLease) {
  EXPECT_EQ(read("a"), nil);
  EXPECT_EQ(server.data(), "L {mode=read a=1} 10000ms, " + timeout("a", 1, 10'000));
  EXPECT_EQ(server.messages(), "");
}

TEST_F(ReadWriteScripts, ReadAcquireGivesEachHoldATimeoutKeyAndExtendsTheLock) {
  read("a");
  server.advance_ms(4000);
  EXPECT_EQ(read("a", "7000"), nil);
  EXPECT_EQ(server.data(),
            "L {mode=read a=2} 7000ms, " + timeout("a", 1, 6000) + ", " + timeout("a", 2, 7000));
}

TEST_F(ReadWriteScripts, ReadAcquireNeverShortensTheLock) {
  read("a");
  EXPECT_EQ(read("b", "3000"), nil);
  EXPECT_EQ(server.data(), "L {mode=read a=1 b=1} 10000ms, " + timeout("a", 1, 10'000) + ", " +
                               timeout("b", 1, 3000));
}

TEST_F(ReadWriteScripts, ReadAcquireComparesLeasesAsNumbers) {
  read("a", "9000");
  EXPECT_EQ(read("b", "10000"), nil);
  EXPECT_EQ(server.data(), "L {mode=read a=1 b=1} 10000ms, " + timeout("a", 1, 9000) + ", " +
                               timeout("b", 1, 10'000));
}

TEST_F(ReadWriteScripts, ReadAcquireGoesUnderAWriteLockOfOnesOwn) {
  write("a", "8000");
  EXPECT_EQ(read("a"), nil);
  EXPECT_EQ(server.data(), "L {mode=write a:write=1 a=1} 10000ms, " + timeout("a", 1, 10'000));
}

TEST_F(ReadWriteScripts, ReadAcquireSaysHowLongAWritersLockStays) {
  write("a");
  read("a");
  server.advance_ms(4000);
  EXPECT_EQ(read("b"), "(integer) 6000");
  EXPECT_EQ(server.data(), "L {mode=write a:write=1 a=1} 6000ms, " + timeout("a", 1, 6000));
}

TEST_F(ReadWriteScripts, ReadAcquireTakesALockWhoseLeaseIsOver) {
  write("a");
  server.advance_ms(10'001);
  EXPECT_EQ(read("b"), nil);
  EXPECT_EQ(server.data(), "L {mode=read b=1} 10000ms, " + timeout("b", 1, 10'000));
}

// -- write_acquire

TEST_F(ReadWriteScripts, WriteAcquireTakesAFreeLockForItsLease) {
  EXPECT_EQ(write("a"), nil);
  EXPECT_EQ(server.data(), "L {mode=write a:write=1} 10000ms");
  EXPECT_EQ(server.messages(), "");
}

TEST_F(ReadWriteScripts, WriteAcquireAgainAddsItsLeaseToWhatIsLeft) {
  write("a");
  server.advance_ms(4000);
  EXPECT_EQ(write("a", "7000"), nil);
  EXPECT_EQ(server.data(), "L {mode=write a:write=2} 13000ms");
}

TEST_F(ReadWriteScripts, WriteAcquireSaysHowLongAnotherWritersLockStays) {
  write("a");
  server.advance_ms(4000);
  EXPECT_EQ(write("b"), "(integer) 6000");
  EXPECT_EQ(server.data(), "L {mode=write a:write=1} 6000ms");
}

TEST_F(ReadWriteScripts, WriteAcquireNeverTurnsAReaderIntoAWriter) {
  read("a");
  EXPECT_EQ(write("a"), "(integer) 10000");
  EXPECT_EQ(write("b"), "(integer) 10000");
  EXPECT_EQ(server.data(), "L {mode=read a=1} 10000ms, " + timeout("a", 1, 10'000));
}

TEST_F(ReadWriteScripts, WriteAcquireTakesALockWhoseLeaseIsOver) {
  write("a");
  server.advance_ms(10'001);
  EXPECT_EQ(write("b"), nil);
  EXPECT_EQ(server.data(), "L {mode=write b:write=1} 10000ms");
}

// -- what a read release does, in all its generations

/// A release script and what it shares with the others.
class ReadRelease : public testing::TestWithParam<std::string>, protected ReadWriteLock {
 protected:
  std::string release(const std::string& owner, const std::string& latch = "latch") {
    if (is_latched()) {
      return server.run("read_release", {"L", "channel", timeouts_of(owner), "{L}", latch},
                        {"free", owner, "publish", "500"});
    }
    return server.run(GetParam(), {"L", "channel", timeouts_of(owner), "{L}"}, {"free", owner});
  }
  [[nodiscard]] static bool is_latched() { return GetParam() == "read_release"; }
  /// What the latched release adds to the data.
  [[nodiscard]] static std::string latched(const std::string& value) {
    return is_latched() ? ", latch \"" + value + "\" 500ms" : "";
  }
};

TEST_P(ReadRelease, FreesTheLockWithTheLastHoldAndWakesWaiters) {
  read("a");
  EXPECT_EQ(release("a"), one);
  EXPECT_EQ(server.data(), is_latched() ? "latch \"1\" 500ms" : "");
  EXPECT_EQ(server.messages(), "free");
}

TEST_P(ReadRelease, LeavesTheLockTheLeaseOfTheHoldsBelow) {
  read("a", "3000");
  read("a", "9000");
  EXPECT_EQ(release("a"), zero);
  EXPECT_EQ(server.data(),
            "L {mode=read a=1} 3000ms" + latched("0") + ", " + timeout("a", 1, 3000));
  EXPECT_EQ(server.messages(), "");
}

TEST_P(ReadRelease, LeavesTheLockTheLongestLeaseOfAllOtherReaders) {
  read("b", "4000");
  read("c", "5000");
  read("c", "7000");
  read("c", "6000");
  read("a", "9000");
  EXPECT_EQ(release("a"), zero);
  EXPECT_EQ(server.data(), "L {mode=read b=1 c=3} 7000ms" + latched("0") + ", " +
                               timeout("b", 1, 4000) + ", " + timeout("c", 1, 5000) + ", " +
                               timeout("c", 2, 7000) + ", " + timeout("c", 3, 6000));
  EXPECT_EQ(server.messages(), "");
}

TEST_P(ReadRelease, GivesBackOneHoldAtATime) {
  read("a");
  read("a");
  read("a");
  EXPECT_EQ(release("a", "latch1"), zero);
  EXPECT_EQ(release("a", "latch2"), zero);
  EXPECT_EQ(release("a", "latch3"), one);
  EXPECT_EQ(server.messages(), "free");
}

TEST_P(ReadRelease, LeavesAReaderWithAMillisecondLeftItsHold) {
  read("b", "1");
  read("a");
  EXPECT_EQ(release("a"), zero);
  EXPECT_EQ(server.data(), "L {mode=read b=1} 1ms" + latched("0") + ", " + timeout("b", 1, 1));
}

TEST_P(ReadRelease, FreesTheLockOfReadersWhoseLeasesAreOver) {
  read("b", "3000");
  read("a");
  server.advance_ms(3001);
  EXPECT_EQ(release("a"), one);
  EXPECT_EQ(server.data(), is_latched() ? "latch \"1\" 500ms" : "");
  EXPECT_EQ(server.messages(), "free");
}

// Keys that no acquire made: of a hold that is no more, of the field `mode`.
TEST_P(ReadRelease, AsksOnlyForTheTimeoutKeysOfHoldsThatThereAre) {
  read("b", "4000");
  read("a");
  server.command("SET " + timeouts_of("b") + ":-1 1 PX 9000");
  server.command("SET " + timeouts_of("b") + ":0 1 PX 9000");
  server.command("SET " + timeouts_of("b") + ":2 1 PX 9000");
  server.command("SET " + timeouts_of("mode") + ":1 1 PX 9000");
  EXPECT_EQ(release("a"), zero);
  EXPECT_EQ(server.data(), "L {mode=read b=1} 4000ms" + latched("0") + ", " +
                               timeout("b", -1, 9000) + ", " + timeout("b", 0, 9000) + ", " +
                               timeout("b", 1, 4000) + ", " + timeout("b", 2, 9000) + ", " +
                               timeout("mode", 1, 9000));
}

TEST_P(ReadRelease, UnderAWriteLockLeavesItTheLeaseOfTheReadHoldsThatStay) {
  write("a");
  read("a", "3000");
  read("a", "3000");
  EXPECT_EQ(release("a"), zero);
  EXPECT_EQ(server.data(),
            "L {mode=write a:write=1 a=1} 3000ms" + latched("0") + ", " + timeout("a", 1, 3000));
  EXPECT_EQ(server.messages(), "");
}

TEST_P(ReadRelease, LeavesAnothersHoldsAloneAndRemembersNothing) {
  read("b");
  EXPECT_EQ(release("a"), nil);
  EXPECT_EQ(server.data(), "L {mode=read b=1} 10000ms, " + timeout("b", 1, 10'000));
  EXPECT_EQ(server.messages(), "");
}

TEST_P(ReadRelease, IsNoReleaseOfAWriter) {
  write("a");
  EXPECT_EQ(release("a"), nil);
  EXPECT_EQ(server.data(), "L {mode=write a:write=1} 10000ms");
}

TEST_P(ReadRelease, OfAFreeLockWakesWaiters) {
  EXPECT_EQ(release("a"), is_latched() ? nil : one);
  EXPECT_EQ(server.data(), "");
  EXPECT_EQ(server.messages(), "free");
}

INSTANTIATE_TEST_SUITE_P(Generations, ReadRelease,
                         testing::Values("read_release", "read_release-older",
                                         "read_release-forgets-writer"),
                         [](const testing::TestParamInfo<std::string>& parameter) -> std::string {
                           if (parameter.param == "read_release") return "Latched";
                           return parameter.param == "read_release-older" ? "Older"
                                                                          : "ForgetsWriter";
                         });

TEST_F(ReadWriteScripts, TheLastReadReleaseUnderAWriteLockLeavesItAsItIs) {
  for (const char* script : {"read_release", "read_release-older"}) {
    write("a", "20000");
    read("a");
    EXPECT_EQ(server.run(script, {"L", "channel", timeouts_of("a"), "{L}", "latch"},
                         {"free", "a", "publish", "500"}),
              zero)
        << script;
    const bool latched = script == std::string("read_release");
    EXPECT_EQ(server.data(), std::string("L {mode=write a:write=1} 20000ms") +
                                 (latched ? ", latch \"0\" 500ms" : ""))
        << script;
    EXPECT_EQ(server.messages(), "");
    server.command("DEL L");
    server.command("DEL latch");
  }
}

TEST_F(ReadWriteScripts, TheReadReleaseThatForgetsTheWriterTakesTheWriteLockWithIt) {
  write("a");
  read("a");
  EXPECT_EQ(server.run("read_release-forgets-writer", {"L", "channel", timeouts_of("a"), "{L}"},
                       {"free", "a"}),
            one);
  EXPECT_EQ(server.data(), "");
  EXPECT_EQ(server.messages(), "free");
}

TEST_F(ReadWriteScripts, AReadReleaseSentAgainSaysTheSameAndDoesNothing) {
  const std::vector<std::string> keys = {"L", "channel", timeouts_of("a"), "{L}", "latch"};
  const std::vector<std::string> arguments = {"free", "a", "publish", "500"};
  read("a");
  read("a");
  EXPECT_EQ(server.run("read_release", keys, arguments), zero);
  EXPECT_EQ(server.run("read_release", keys, arguments), zero);
  EXPECT_EQ(server.data(),
            "L {mode=read a=1} 10000ms, latch \"0\" 500ms, " + timeout("a", 1, 10'000));
  server.advance_ms(501);
  EXPECT_EQ(server.run("read_release", keys, arguments), one);
  read("a");
  EXPECT_EQ(server.run("read_release", keys, arguments), one);
  EXPECT_EQ(server.data(),
            "L {mode=read a=1} 10000ms, latch \"1\" 500ms, " + timeout("a", 1, 10'000));
  EXPECT_EQ(server.messages(), "free");
}

TEST_F(ReadWriteScripts, ReadReleasePublishesWithTheCommandThatItIsGiven) {
  const std::vector<std::string> keys = {"L", "list", timeouts_of("a"), "{L}", "latch"};
  EXPECT_EQ(server.run("read_release", keys, {"gone", "a", "set", "500"}), nil);
  EXPECT_EQ(server.data(), "list \"gone\" -");
  read("a");
  EXPECT_EQ(server.run("read_release", keys, {"free", "a", "set", "500"}), one);
  EXPECT_EQ(server.data(), "latch \"1\" 500ms, list \"free\" -");
}

// -- what a write release does, in both its generations

class WriteRelease : public testing::TestWithParam<std::string>, protected ReadWriteLock {
 protected:
  std::string release(const std::string& owner) {
    if (is_latched()) {
      return server.run("write_release", {"L", "channel", "latch"},
                        {"free", "8000", owner + ":write", "publish", "500"});
    }
    return server.run(GetParam(), {"L", "channel"}, {"free", "8000", owner + ":write"});
  }
  [[nodiscard]] static bool is_latched() { return GetParam() == "write_release"; }
  [[nodiscard]] static std::string latched(const std::string& value) {
    return is_latched() ? ", latch \"" + value + "\" 500ms" : "";
  }
};

TEST_P(WriteRelease, FreesTheLockWithTheLastHoldAndWakesWaiters) {
  write("a");
  EXPECT_EQ(release("a"), one);
  EXPECT_EQ(server.data(), is_latched() ? "latch \"1\" 500ms" : "");
  EXPECT_EQ(server.messages(), "free");
}

TEST_P(WriteRelease, KeepsTheOtherHoldsAndBeginsTheirLeaseAnew) {
  write("a");
  write("a");
  EXPECT_EQ(release("a"), zero);
  EXPECT_EQ(server.data(), "L {mode=write a:write=1} 8000ms" + latched("0"));
  EXPECT_EQ(server.messages(), "");
}

TEST_P(WriteRelease, GivesTheLockToTheReadHoldsOfItsThreadAndWakesNobody) {
  write("a", "20000");
  read("a");
  EXPECT_EQ(release("a"), one);
  EXPECT_EQ(server.data(),
            "L {mode=read a=1} 20000ms" + latched("1") + ", " + timeout("a", 1, 10'000));
  EXPECT_EQ(server.messages(), "");
}

TEST_P(WriteRelease, LeavesAnothersLockAloneAndRemembersNothing) {
  write("b");
  EXPECT_EQ(release("a"), nil);
  EXPECT_EQ(server.data(), "L {mode=write b:write=1} 10000ms");
  EXPECT_EQ(server.messages(), "");
}

TEST_P(WriteRelease, IsNoReleaseOfAReader) {
  read("a");
  EXPECT_EQ(release("a"), nil);
  EXPECT_EQ(server.data(), "L {mode=read a=1} 10000ms, " + timeout("a", 1, 10'000));
  EXPECT_EQ(server.messages(), "");
}

TEST_P(WriteRelease, OfAFreeLockWakesWaiters) {
  EXPECT_EQ(release("a"), is_latched() ? nil : one);
  EXPECT_EQ(server.data(), "");
  EXPECT_EQ(server.messages(), "free");
}

INSTANTIATE_TEST_SUITE_P(Generations, WriteRelease,
                         testing::Values("write_release", "write_release-older"),
                         [](const testing::TestParamInfo<std::string>& parameter) -> std::string {
                           return parameter.param == "write_release" ? "Latched" : "Older";
                         });

TEST_F(ReadWriteScripts, AWriteReleaseSentAgainSaysTheSameAndDoesNothing) {
  const std::vector<std::string> keys = {"L", "channel", "latch"};
  const std::vector<std::string> arguments = {"free", "8000", "a:write", "publish", "500"};
  write("a");
  write("a");
  EXPECT_EQ(server.run("write_release", keys, arguments), zero);
  EXPECT_EQ(server.run("write_release", keys, arguments), zero);
  EXPECT_EQ(server.data(), "L {mode=write a:write=1} 8000ms, latch \"0\" 500ms");
  server.advance_ms(501);
  EXPECT_EQ(server.run("write_release", keys, arguments), one);
  write("a");
  EXPECT_EQ(server.run("write_release", keys, arguments), one);
  EXPECT_EQ(server.data(), "L {mode=write a:write=1} 10000ms, latch \"1\" 500ms");
  EXPECT_EQ(server.messages(), "free");
}

TEST_F(ReadWriteScripts, WriteReleasePublishesWithTheCommandThatItIsGiven) {
  const std::vector<std::string> keys = {"L", "list", "latch"};
  EXPECT_EQ(server.run("write_release", keys, {"gone", "8000", "a:write", "set", "500"}), nil);
  EXPECT_EQ(server.data(), "list \"gone\" -");
  write("a");
  EXPECT_EQ(server.run("write_release", keys, {"free", "8000", "a:write", "set", "500"}), one);
  EXPECT_EQ(server.data(), "latch \"1\" 500ms, list \"free\" -");
}

// -- what a read renewal does, in all its generations

class ReadRenew : public testing::TestWithParam<std::string>, protected ReadWriteLock {
 protected:
  std::string renew(const std::string& owner, const std::string& lease_ms) {
    return server.run(GetParam(), {"L", "{L}"}, {lease_ms, owner});
  }
};

TEST_P(ReadRenew, BeginsTheLocksLeaseAnewWhateverItWas) {
  write("a", "50000");
  read("a");
  server.advance_ms(4000);
  EXPECT_EQ(renew("a", "30000"), one);
  const bool keys_too = GetParam() != "read_renew-lock-only";
  EXPECT_EQ(server.data(),
            "L {mode=write a:write=1 a=1} 30000ms, " + timeout("a", 1, keys_too ? 30'000 : 6000));
}

TEST_P(ReadRenew, LeavesOthersLocksAlone) {
  read("b");
  EXPECT_EQ(renew("a", "30000"), zero);
  EXPECT_EQ(server.data(), "L {mode=read b=1} 10000ms, " + timeout("b", 1, 10'000));
}

TEST_P(ReadRenew, MakesNoLock) {
  EXPECT_EQ(renew("a", "30000"), zero);
  EXPECT_EQ(server.data(), "");
}

INSTANTIATE_TEST_SUITE_P(Generations, ReadRenew,
                         testing::Values("read_renew", "read_renew-everybody",
                                         "read_renew-lock-only"),
                         [](const testing::TestParamInfo<std::string>& parameter) -> std::string {
                           if (parameter.param == "read_renew") return "OfThisOwner";
                           return parameter.param == "read_renew-everybody" ? "OfEverybody"
                                                                            : "OfTheLockOnly";
                         });

/// Two readers, two holds each, with keys beside theirs that no renewal may touch.
class ReadRenewOfTwo : public ReadWriteScripts {
 protected:
  ReadRenewOfTwo() {
    read("a");
    read("b");
    read("b");
    read("a");
    for (const char* owner : {"a", "b"}) {
      for (const char* n : {":-1", ":0", ":3"}) {
        server.command("SET " + timeouts_of(owner) + n + " 1 PX 7000");
      }
    }
    server.command("SET " + timeouts_of("mode") + ":1 1 PX 7000");
  }
  /// What is there with so much left of a's and b's leases.
  static std::string data(int a_ms, int b_ms) {
    std::string text = "L {mode=read a=2 b=2} 30000ms";
    for (const char* owner : {"a", "b"}) {
      const int left_ms = *owner == 'a' ? a_ms : b_ms;
      for (const int n : {-1, 0}) text += ", " + timeout(owner, n, 7000);
      for (const int n : {1, 2}) text += ", " + timeout(owner, n, left_ms);
      text += ", " + timeout(owner, 3, 7000);
    }
    return text + ", " + timeout("mode", 1, 7000);
  }
};

TEST_F(ReadRenewOfTwo, RenewsAllHoldsOfTheOneReader) {
  EXPECT_EQ(server.run("read_renew", {"L", "{L}"}, {"30000", "b"}), one);
  EXPECT_EQ(server.data(), data(10'000, 30'000));
}

TEST_F(ReadRenewOfTwo, OfEverybodyRenewsAllHoldsOfAllReaders) {
  EXPECT_EQ(server.run("read_renew-everybody", {"L", "{L}"}, {"30000", "b"}), one);
  EXPECT_EQ(server.data(), data(30'000, 30'000));
}

TEST_F(ReadRenewOfTwo, OfTheLockOnlyRenewsNoHold) {
  EXPECT_EQ(server.run("read_renew-lock-only", {"L", "{L}"}, {"30000", "b"}), one);
  EXPECT_EQ(server.data(), data(10'000, 10'000));
}

}  // namespace
}  // namespace lockstep::test::readwrite_scripts
