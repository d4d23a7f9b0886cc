// Replication between simulated nodes: the stream, cuts, full synchronisation, promotion.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "checker/property.h"
#include "tests/model/engine/simulated_run.h"

namespace lockstep::model::test::replication {
namespace {

std::string scenario(std::string_view replicas, std::string_view faults) {
  return "title = \"replication\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n"
         "[redis]\nreplicas = " +
         std::string(replicas) +
         "\n[[client]]\nname = \"a\"\nrun = [\"lock lease=30s\", \"sleep 5s\", \"unlock\"]\n"
         "[[client]]\nname = \"b\"\nstart = \"1s\"\nrun = [\"lock lease=30s\", \"unlock\"]\n" +
         std::string(faults);
}

TEST(Replication, ReachesEveryReplica) {
  const SimulatedRun run(scenario("2", ""));
  EXPECT_FALSE(run.events("stream-applied", "n1-replica-1").empty());
  EXPECT_EQ(run.events("stream-applied", "n1-replica-1").size(),
            run.events("stream-applied", "n1-replica-2").size());
}

TEST(Replication, APromotedReplicaHasTheLockThatReachedIt) {
  const SimulatedRun run(scenario("1",
                                  "[[fault]]\ncrash = \"n1\"\nat = \"500ms\"\n"
                                  "[[fault]]\npromote = \"n1-replica-1\"\nat = \"600ms\"\n"));
  EXPECT_FALSE(run.violates(checker::Property::mutual_exclusion));
  EXPECT_FALSE(run.events("node-promoted", "n1-replica-1").empty());
}

TEST(Replication, ALockThatTheReplicaNeverSawIsLostWithTheMaster) {
  const SimulatedRun run(scenario("1",
                                  "[[fault]]\ncut = [\"n1\", \"n1-replica-1\"]\nat = \"0s\"\n"
                                  "[[fault]]\ncrash = \"n1\"\nat = \"500ms\"\n"
                                  "[[fault]]\npromote = \"n1-replica-1\"\nat = \"600ms\"\n"));
  EXPECT_TRUE(run.violates(checker::Property::mutual_exclusion));
}

TEST(Replication, ACutDelaysTheStreamButLosesNothing) {
  const SimulatedRun cut(
      scenario("1", "[[fault]]\ncut = [\"n1\", \"n1-replica-1\"]\nat = \"0s\"\nfor = \"2s\"\n"));
  const SimulatedRun whole(scenario("1", ""));
  ASSERT_FALSE(cut.events("stream-applied").empty());
  EXPECT_GE(cut.events("stream-applied").front()->at, 2 * sim::second_ns);
  EXPECT_EQ(cut.events("stream-applied").back()->number("offset"),
            whole.events("stream-applied").back()->number("offset"));
}

// A replica that goes on behind a loss would count offsets wrongly: whoever is promoted later could
// not go on from them.
TEST(Replication, ALostPieceOfTheStreamIsAskedForAgain) {
  const SimulatedRun lossy(scenario("2",
                                    "[[fault]]\ndrop = \"replication\"\nto = \"n1-replica-2\"\n"
                                    "[[fault]]\npromote = \"n1-replica-1\"\nat = \"4s\"\n"));
  EXPECT_EQ(lossy.events("stream-applied", "n1-replica-1").back()->number("offset"),
            lossy.events("stream-applied", "n1-replica-2").back()->number("offset"));
  EXPECT_FALSE(lossy.violates(checker::Property::mutual_exclusion));
}

TEST(Replication, AMasterThatRestartsEmptyWipesItsReplica) {
  const SimulatedRun run(scenario("1",
                                  "[[fault]]\ncrash = \"n1\"\nat = \"500ms\"\n"
                                  "[[fault]]\nrestart = \"n1\"\nat = \"600ms\"\n"
                                  "[[fault]]\ncrash = \"n1\"\nat = \"2500ms\"\n"
                                  "[[fault]]\npromote = \"n1-replica-1\"\nat = \"2600ms\"\n"));
  EXPECT_EQ(run.events("dataset-loaded", "n1-replica-1").size(), 1U);
  EXPECT_TRUE(run.violates(checker::Property::mutual_exclusion));
}

TEST(Replication, TheOtherReplicaFollowsThePromotedOne) {
  const SimulatedRun run(scenario("2",
                                  "[[fault]]\ncrash = \"n1\"\nat = \"500ms\"\n"
                                  "[[fault]]\npromote = \"n1-replica-1\"\nat = \"600ms\"\n"));
  const auto applied = run.events("stream-applied", "n1-replica-2");
  ASSERT_FALSE(applied.empty());
  EXPECT_GT(applied.back()->at, 600 * sim::millisecond_ns);
}

}  // namespace
}  // namespace lockstep::model::test::replication
