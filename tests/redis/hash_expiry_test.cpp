// Fields of hashes that expire: replies and streams measured on Redis 8.0.2 and Valkey 9.1.2.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "redis/protocol/reply.h"
#include "redis/server/server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis {
namespace {

using test::SimulatedServer;
using enum ServerVersion;

/// A server with a hash of three fields, and nothing in its stream.
struct Hash {
  explicit Hash(ServerVersion version) : server(options_of(version)) {
    run("HSET h a 1 b 2 c 3");
    server.take_stream();
  }
  std::string run(std::string_view line) { return describe(server.run(line)); }
  std::string requests() { return server.take_requests(); }

  SimulatedServer server;
};

TEST(HashExpiryTest, BelongsToSomeVersions) {
  for (const ServerVersion version : {redis_6_0, redis_7_0, valkey_8_0, valkey_8_1}) {
    EXPECT_TRUE(Hash(version).run("HPEXPIRE h 1 FIELDS 1 a").starts_with("(error) ERR unknown"));
  }
}

TEST(HashExpiryTest, SetsAndTellsWhenFieldsExpire) {
  for (const ServerVersion version : {redis_8_0, valkey_9_1}) {
    Hash hash(version);
    EXPECT_EQ(hash.run("HPEXPIRE h 2500 FIELDS 1 a"), "[(integer) 1]");
    EXPECT_EQ(hash.requests(), "HPEXPIREAT h 1700000002500 FIELDS 1 a");
    EXPECT_EQ(hash.run("HPTTL h FIELDS 3 a b x"), "[(integer) 2500, (integer) -1, (integer) -2]");
    EXPECT_EQ(hash.run("HTTL h FIELDS 1 a"), "[(integer) 3]");
    hash.server.advance_ms(200);
    EXPECT_EQ(hash.run("HTTL h FIELDS 1 a"),
              version == redis_8_0 ? "[(integer) 3]" : "[(integer) 2]");
    hash.server.advance_ms(-200);
    EXPECT_EQ(hash.run("HPEXPIRETIME h FIELDS 1 a"), "[(integer) 1700000002500]");
    EXPECT_EQ(hash.run("HPEXPIRE h 9000 NX FIELDS 1 a"), "[(integer) 0]");
    EXPECT_EQ(hash.run("HPEXPIRE h 9000 GT FIELDS 2 a b"), "[(integer) 1, (integer) 0]");
    hash.requests();
    EXPECT_EQ(hash.run("HPERSIST h FIELDS 2 a b"), "[(integer) 1, (integer) -1]");
    EXPECT_EQ(hash.requests(), "HPERSIST h FIELDS 2 a b");
    EXPECT_EQ(hash.run("HPEXPIRE nothing 1 FIELDS 1 a"), "[(integer) -2]");
    EXPECT_EQ(hash.requests(), "");
  }
}

TEST(HashExpiryTest, LosesTheExpiryWithTheValueOnly) {
  Hash hash(redis_8_0);
  hash.run("HPEXPIRE h 1000 FIELDS 2 a b");
  hash.run("HINCRBY h a 1");
  hash.run("HSET h b 1");
  EXPECT_EQ(hash.run("HPTTL h FIELDS 2 a b"), "[(integer) 1000, (integer) -1]");
  hash.run("COPY h copy");
  EXPECT_EQ(hash.run("HPTTL copy FIELDS 1 a"), "[(integer) 1000]");
  hash.run("HDEL h a");
  hash.run("HSET h a 1");
  EXPECT_EQ(hash.run("HPTTL h FIELDS 1 a"), "[(integer) -1]");
}

TEST(HashExpiryTest, DeletesAtOnceWhatIsOver) {
  Hash redis(redis_8_0);
  EXPECT_EQ(redis.run("HPEXPIRE h 0 FIELDS 3 a b x"), "[(integer) 2, (integer) 2, (integer) -2]");
  EXPECT_EQ(redis.requests(), "MULTI / HDEL h a / HDEL h b / EXEC");
  EXPECT_EQ(redis.run("HEXPIREAT h 1 FIELDS 1 c"), "[(integer) 2]");
  EXPECT_EQ(redis.run("EXISTS h"), "(integer) 0");
  Hash valkey(valkey_9_1);
  valkey.run("HPEXPIRE h 0 FIELDS 3 a b x");
  EXPECT_EQ(valkey.requests(), "HDEL h a b");
}

// Redis deletes a field that a command names, Valkey hides it until the active cycle comes by.
TEST(HashExpiryTest, HidesWhatIsOver) {
  for (const ServerVersion version : {redis_8_0, valkey_9_1}) {
    const bool deletes = version == redis_8_0;
    Hash hash(version);
    hash.run("HPEXPIRE h 10 FIELDS 2 a b");
    hash.requests();
    hash.server.advance_ms(11);
    EXPECT_EQ(hash.run("HKEYS h"), "[\"c\"]");
    EXPECT_EQ(hash.run("HLEN h"), "(integer) 3");
    EXPECT_EQ(hash.requests(), "");
    EXPECT_EQ(hash.run("HGET h a"), "(nil)");
    EXPECT_EQ(hash.requests(), deletes ? "HDEL h a" : "");
    EXPECT_EQ(hash.run("HLEN h"), deletes ? "(integer) 2" : "(integer) 3");
    EXPECT_EQ(hash.run("HINCRBY h b 5"), "(integer) 5");
    EXPECT_EQ(hash.requests(), deletes ? "MULTI / HDEL h b / HINCRBY h b 5 / EXEC" : "HSET h b 5");
    hash.server.server().expire_cycle();
    EXPECT_EQ(hash.run("HLEN h"), "(integer) 2");
  }
}

TEST(HashExpiryTest, DeletesTheKeyWithItsLastField) {
  for (const ServerVersion version : {redis_8_0, valkey_9_1}) {
    SimulatedServer server(options_of(version));
    server.run("HSET h a 1");
    server.run("HPEXPIRE h 10 FIELDS 1 a");
    server.advance_ms(11);
    EXPECT_EQ(describe(server.run("EXISTS h")), "(integer) 1");
    server.take_stream();
    server.server().expire_cycle();
    EXPECT_EQ(server.take_requests(),
              version == redis_8_0 ? "HDEL h a" : "MULTI / HDEL h a / UNLINK h / EXEC");
    EXPECT_EQ(describe(server.run("EXISTS h")), "(integer) 0");
  }
}

TEST(HashExpiryTest, ReadsAndWritesWithAnExpiry) {
  Hash hash(redis_8_0);
  EXPECT_EQ(hash.run("HSETEX h FNX PX 500 FIELDS 1 x 9"), "(integer) 1");
  EXPECT_EQ(hash.requests(), "HSETEX h FNX PXAT 1700000000500 FIELDS 1 x 9");
  EXPECT_EQ(hash.run("HSETEX h FNX PX 500 FIELDS 1 x 9"), "(integer) 0");
  EXPECT_EQ(hash.run("HGETEX h PERSIST FIELDS 2 x y"), "[\"9\", (nil)]");
  EXPECT_EQ(hash.requests(), "HPERSIST h FIELDS 2 x y");
  EXPECT_EQ(hash.run("HGETDEL h FIELDS 2 x y"), "[\"9\", (nil)]");
  EXPECT_EQ(hash.requests(), "HDEL h x y");
}

// At its very moment a field is still there for whoever reads it.
TEST(HashExpiryTest, HasAFieldAtItsVeryMoment) {
  for (const ServerVersion version : {redis_8_0, valkey_9_1}) {
    Hash hash(version);
    hash.run("HPEXPIRE h 10 FIELDS 2 a b");
    hash.server.advance_ms(10);
    hash.requests();
    EXPECT_EQ(hash.run("HGET h a"), "\"1\"");
    // Redis tells nothing of a small hash's field then, but of a table's.
    const bool is_redis = version == redis_8_0;
    EXPECT_EQ(hash.run("HPTTL h FIELDS 1 a"), is_redis ? "[(integer) -2]" : "[(integer) 0]");
    EXPECT_EQ(hash.run("HSET h a 4"), is_redis ? "(integer) 0" : "(integer) 1");
    hash.requests();
    EXPECT_EQ(hash.run("HSETEX h KEEPTTL FIELDS 1 b 4"), "(integer) 1");
    EXPECT_EQ(hash.requests(), is_redis
                                   ? "HSETEX h KEEPTTL FIELDS 1 b 4"
                                   : "MULTI / HDEL h b / HSETEX h KEEPTTL FIELDS 1 b 4 / EXEC");
    hash.run("HSET h c " + std::string(65, 'x'));
    hash.run("HPEXPIRE h 10 FIELDS 1 c");
    hash.server.advance_ms(10);
    EXPECT_EQ(hash.run("HPTTL h FIELDS 1 c"), "[(integer) 0]");
  }
}

TEST(HashExpiryTest, LooksNoFurtherThanTheFirstFieldThatForbidsIt) {
  Hash hash(redis_8_0);
  hash.run("HPEXPIRE h 10 FIELDS 1 b");
  hash.server.advance_ms(11);
  hash.requests();
  EXPECT_EQ(hash.run("HSETEX h FNX FIELDS 2 a 9 b 9"), "(integer) 0");
  EXPECT_EQ(hash.requests(), "");
  EXPECT_EQ(hash.run("HSETEX h FNX FIELDS 2 b 9 a 9"), "(integer) 0");
  EXPECT_EQ(hash.requests(), "HDEL h b");
}

TEST(HashExpiryTest, KeepsNoFieldThatIsOver) {
  Hash hash(valkey_9_1);
  hash.run("HPEXPIRE h 10 FIELDS 1 a");
  hash.server.advance_ms(11);
  hash.requests();
  EXPECT_EQ(hash.run("HGETEX h PERSIST FIELDS 2 a b"), "[(nil), \"2\"]");
  EXPECT_EQ(hash.requests(), "");
  EXPECT_EQ(hash.run("hPexpireAt h 1700000005000 FIELDS 1 b"), "[(integer) 1]");
  EXPECT_EQ(hash.requests(), "hPexpireAt h 1700000005000 FIELDS 1 b");
}

TEST(HashExpiryTest, RefusesInEachVersionsWords) {
  Hash redis(redis_8_0);
  EXPECT_EQ(redis.run("HPEXPIRE h 1 FIELDS 2 a"),
            "(error) ERR The `numfields` parameter must match the number of arguments");
  EXPECT_EQ(redis.run("HPEXPIRE h -1 FIELDS 1 a"), "(error) ERR invalid expire time, must be >= 0");
  EXPECT_EQ(redis.run("HPEXPIRE h 1 2 a b"),
            "(error) ERR Mandatory argument FIELDS is missing or not at the right position");
  EXPECT_EQ(redis.run("HPEXPIREAT h 70368744177664 FIELDS 1 a"),
            "(error) ERR invalid expire time in 'hpexpireat' command");
  Hash valkey(valkey_9_1);
  EXPECT_EQ(valkey.run("HPEXPIRE h 1 FIELDS 2 a"),
            "(error) ERR numfields should be greater than 0 and match the provided number of "
            "fields");
  EXPECT_EQ(valkey.run("HPTTL h FIELDS 2 a"), "(error) ERR syntax error");
}

// A master's stream is done as it stands: what is over there is over when the master says so.
TEST(HashExpiryTest, LeavesAReplicasFieldsToItsMaster) {
  Hash master(redis_8_0);
  SimulatedServer replica(options_of(redis_8_0));
  replica.server().load_from(master.server.server());
  replica.server().demote();
  master.run("HPEXPIRE h 10 FIELDS 1 a");
  replica.server().apply_stream(master.server.take_stream());
  replica.advance_ms(11);
  EXPECT_EQ(describe(replica.run("HGET h a")), "(nil)");
  EXPECT_EQ(describe(replica.run("HLEN h")), "(integer) 3");
}

}  // namespace
}  // namespace lockstep::redis
