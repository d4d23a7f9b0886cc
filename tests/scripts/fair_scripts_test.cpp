// The server scripts of scripts/fair that take the lock or wait for it, script by script: what each
// replies and leaves behind. See fair_release_scripts_test.cpp for the rest.
#include "tests/scripts/fair_scripts.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace lockstep::test::fair_scripts {
namespace {

constexpr const char* nil = "(nil)";

std::string integer(std::int64_t number) { return "(integer) " + std::to_string(number); }

/// A test's name of a script: "acquire-negative-ttl" is AcquireNegativeTtl.
std::string name_of(const testing::TestParamInfo<std::string>& parameter) {
  std::string name;
  bool begins_word = true;
  for (const char letter : parameter.param) {
    const bool is_letter = letter != '-' && letter != '_';
    if (is_letter) name += begins_word ? static_cast<char>(letter - 'a' + 'A') : letter;
    begins_word = !is_letter;
  }
  return name;
}

class FairScript : public testing::TestWithParam<std::string> {
 protected:
  void stage(std::initializer_list<const char*> commands) {
    for (const char* command : commands) server.command(command);
  }

  FairServer server;
};

// -- what acquire and try have in common

class FairTaking : public FairScript {
 protected:
  static constexpr std::int64_t lease_ms = 10'000;
  static constexpr std::int64_t wait_ms = 300;
  static constexpr std::int64_t now_ms = 1000;

  std::string take(const std::string& owner) {
    const std::string& script = GetParam();
    return script.starts_with("try") ? server.try_acquire(script, owner, lease_ms, now_ms, wait_ms)
                                     : server.acquire(script, owner, lease_ms, wait_ms, now_ms);
  }
};

TEST_P(FairTaking, TakesAFreeLockWhereNobodyWaits) {
  EXPECT_EQ(take("a"), nil);
  EXPECT_EQ(server.data(), "L {a=1} 10000ms");
  EXPECT_EQ(server.published(), "");
}

TEST_P(FairTaking, TakesAFreeLockAsTheHeadAndBringsTheOthersDeadlinesNearer) {
  stage({"RPUSH Q a b c d", "ZADD T 5000 a 6000 b 7000 c 8000 d"});
  EXPECT_EQ(take("a"), nil);
  EXPECT_EQ(server.data(), GetParam() == "acquire-inflating"
                               ? "L {a=1} 10000ms, Q [b c d] -, T <b:6000 c:7000 d:8000> -"
                               : "L {a=1} 10000ms, Q [b c d] -, T <b:5700 c:6700 d:7700> -");
  EXPECT_EQ(server.published(), "");
}

TEST_P(FairTaking, TakesALockWhoseLeaseIsOver) {
  stage({"HSET L b 1", "PEXPIRE L 100"});
  server.advance_ms(101);
  EXPECT_EQ(take("a"), nil);
  EXPECT_EQ(server.data(), "L {a=1} 10000ms");
}

TEST_P(FairTaking, TakesALockOnceMoreThoughOthersWait) {
  stage({"HSET L a 1", "PEXPIRE L 100", "RPUSH Q b c", "ZADD T 5000 b 6000 c"});
  EXPECT_EQ(take("a"), nil);
  EXPECT_EQ(server.data(), "L {a=2} 10000ms, Q [b c] -, T <b:5000 c:6000> -");
}

TEST_P(FairTaking, DoesNotTakeAFreeLockOutOfTurn) {
  stage({"RPUSH Q b a", "ZADD T 5000 b 5300 a"});
  EXPECT_NE(take("a"), nil);
  EXPECT_EQ(server.data(), "Q [b a] -, T <b:5000 a:5300> -");
}

TEST_P(FairTaking, DoesNotTakeAnothersLockThoughItIsTheHead) {
  stage({"HSET L b 1", "RPUSH Q a", "ZADD T 5000 a"});
  EXPECT_NE(take("a"), nil);
  EXPECT_EQ(server.data(), "L {b=1} -, Q [a] -, T <a:5000> -");
}

TEST_P(FairTaking, TakesALockOnceTheDeadOnesAheadAreOut) {
  stage({"RPUSH Q b c a", "ZADD T 800 b 1000 c 1001 a"});
  EXPECT_EQ(take("a"), nil);
  EXPECT_EQ(server.data(), "L {a=1} 10000ms");
}

INSTANTIATE_TEST_SUITE_P(Scripts, FairTaking,
                         testing::Values("acquire", "acquire-inflating", "acquire-negative-ttl",
                                         "acquire-old", "try", "try-old"),
                         name_of);

// -- try alone

class FairTry : public FairTaking {};

TEST_P(FairTry, LeavesNothingBehindWhereItFails) {
  stage({"HSET L b 1"});
  EXPECT_EQ(take("a"), integer(1));
  EXPECT_EQ(server.data(), "L {b=1} -");
  stage({"DEL L", "RPUSH Q b", "ZADD T 5000 b"});
  EXPECT_EQ(take("a"), integer(1));
  EXPECT_EQ(server.data(), "Q [b] -, T <b:5000> -");
}

INSTANTIATE_TEST_SUITE_P(Scripts, FairTry, testing::Values("try", "try-old"), name_of);

// -- acquire alone

class FairWaiting : public FairTaking {
 protected:
  [[nodiscard]] static bool is_current() {
    return GetParam() == "acquire" || GetParam() == "acquire-inflating";
  }
};

TEST_P(FairWaiting, TheFirstWaitsForTheLease) {
  stage({"HSET L h 1", "PEXPIRE L 4000"});
  EXPECT_EQ(take("a"), integer(4000));
  EXPECT_EQ(server.data(), "L {h=1} 4000ms, Q [a] -, T <a:5300> -");
  EXPECT_EQ(server.published(), "");
}

TEST_P(FairWaiting, TheNextWaitsForTheDeadlineOfTheLast) {
  stage({"HSET L h 1", "PEXPIRE L 4000", "RPUSH Q b c d", "ZADD T 5000 b 6000 c 7000 d"});
  EXPECT_EQ(take("a"), integer(6000));
  EXPECT_EQ(server.data(), "L {h=1} 4000ms, Q [b c d a] -, T <b:5000 c:6000 d:7000 a:7300> -");
}

TEST_P(FairWaiting, WaitsBehindAnotherThoughTheLockIsFree) {
  stage({"RPUSH Q b", "ZADD T 5000 b"});
  EXPECT_EQ(take("a"), integer(4000));
  EXPECT_EQ(server.data(), "Q [b a] -, T <b:5000 a:5300> -");
}

TEST_P(FairWaiting, SaysThatAnothersLockStaysForEver) {
  stage({"HSET L h 1"});
  EXPECT_EQ(take("a"), integer(-1));
  EXPECT_EQ(server.data(), "L {h=1} -, Q [a] -, T <a:1299> -");
}

TEST_P(FairWaiting, KeepsItsPlaceAndDeadlineWhenItAsksAgain) {
  stage({"HSET L h 1", "PEXPIRE L 4000", "RPUSH Q b a c", "ZADD T 5000 b 6000 a 7000 c"});
  EXPECT_EQ(take("a"), integer(is_current() ? 4000 : 6000 - wait_ms - now_ms));
  EXPECT_EQ(server.data(), "L {h=1} 4000ms, Q [b a c] -, T <b:5000 a:6000 c:7000> -");
}

TEST_P(FairWaiting, OfAWaiterWhosePredecessorIsLateTheOldOnesSayLessThanNothing) {
  stage({"HSET L h 1", "PEXPIRE L 4000", "RPUSH Q a", "ZADD T 1100 a"});
  EXPECT_EQ(take("a"), integer(is_current() ? 4000 : -200));
}

TEST_P(FairWaiting, OfALockThatStaysForEverTheCurrentOnesSayNothingToAWaiter) {
  stage({"HSET L h 1", "RPUSH Q a", "ZADD T 5000 a"});
  EXPECT_EQ(take("a"), integer(is_current() ? 0 : 3700));
}

TEST_P(FairWaiting, JoinsAgainAtTheEndWhereItsOwnDeadlineIsOver) {
  stage({"HSET L h 1", "PEXPIRE L 4000", "RPUSH Q a b", "ZADD T 1000 a 6000 b"});
  EXPECT_EQ(take("a"), integer(5000));
  EXPECT_EQ(server.data(), "L {h=1} 4000ms, Q [b a] -, T <b:6000 a:6300> -");
}

// Only where the deadlines were lost (F6): the same owner stands in the queue twice.
TEST_P(FairWaiting, JoinsASecondTimeWhereItsDeadlineWasLost) {
  stage({"HSET L h 1", "PEXPIRE L 4000", "RPUSH Q b a", "ZADD T 5000 b"});
  EXPECT_EQ(take("a"), integer(4000));
  EXPECT_EQ(server.data(), "L {h=1} 4000ms, Q [b a a] -, T <b:5000 a:5300> -");
}

TEST_P(FairWaiting, BehindATailWithoutDeadline) {
  stage({"HSET L h 1", "PEXPIRE L 4000", "RPUSH Q b c", "ZADD T 5000 b"});
  const std::string reply = take("a");
  if (GetParam() == "acquire-old") {
    EXPECT_NE(reply.find("attempt to perform arithmetic on a nil value"), std::string::npos)
        << reply;
    EXPECT_EQ(server.data(), "L {h=1} 4000ms, Q [b c] -, T <b:5000> -");
  } else {
    EXPECT_EQ(reply, integer(4000));
    EXPECT_EQ(server.data(), "L {h=1} 4000ms, Q [b c a] -, T <b:5000 a:5300> -");
  }
}

INSTANTIATE_TEST_SUITE_P(Scripts, FairWaiting,
                         testing::Values("acquire", "acquire-inflating", "acquire-negative-ttl",
                                         "acquire-old"),
                         name_of);

// -- acquire_failed

class FairGivingUp : public FairScript {
 protected:
  void SetUp() override {
    stage({"HSET L h 1", "RPUSH Q a b c d", "ZADD T 5000 a 6000 b 7000 c 8000 d"});
  }
  [[nodiscard]] static bool inflates() { return GetParam() == "acquire_failed-inflating"; }
};

TEST_P(FairGivingUp, BringsTheDeadlinesBehindNearer) {
  EXPECT_EQ(server.give_up(GetParam(), "b", 300), nil);
  EXPECT_EQ(server.data(), inflates() ? "L {h=1} -, Q [a c d] -, T <a:5000 c:7000 d:8000> -"
                                      : "L {h=1} -, Q [a c d] -, T <a:5000 c:6700 d:7700> -");
  EXPECT_EQ(server.published(), "");
}

TEST_P(FairGivingUp, TheHeadBringsAllOfThemNearer) {
  server.give_up(GetParam(), "a", 300);
  EXPECT_EQ(server.data(), inflates() ? "L {h=1} -, Q [b c d] -, T <b:6000 c:7000 d:8000> -"
                                      : "L {h=1} -, Q [b c d] -, T <b:5700 c:6700 d:7700> -");
}

TEST_P(FairGivingUp, TheTailNone) {
  server.give_up(GetParam(), "d", 300);
  EXPECT_EQ(server.data(), "L {h=1} -, Q [a b c] -, T <a:5000 b:6000 c:7000> -");
}

TEST_P(FairGivingUp, WhoIsNotInTheQueueChangesNothing) {
  EXPECT_EQ(server.give_up(GetParam(), "h", 300), nil);
  EXPECT_EQ(server.data(), "L {h=1} -, Q [a b c d] -, T <a:5000 b:6000 c:7000 d:8000> -");
}

TEST_P(FairGivingUp, LeavesWithAllItsPlaces) {
  stage({"RPUSH Q a"});
  server.give_up(GetParam(), "a", 0);
  EXPECT_EQ(server.data(), "L {h=1} -, Q [b c d] -, T <b:6000 c:7000 d:8000> -");
}

INSTANTIATE_TEST_SUITE_P(Scripts, FairGivingUp,
                         testing::Values("acquire_failed", "acquire_failed-inflating"), name_of);

}  // namespace
}  // namespace lockstep::test::fair_scripts
