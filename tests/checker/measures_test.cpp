#include "checker/measures.h"

#include <gtest/gtest.h>

#include "run_builder.h"

namespace lockstep::checker::testing::measures {
namespace {

std::int64_t most_requests(const RunBuilder& run) {
  return Measurer().measure(run.run()).requests_per_second;
}

TEST(Measures, CountTheRequestsOfAClientInAnySecond) {
  RunBuilder run;
  EXPECT_EQ(most_requests(run), 0);
  for (const std::int64_t ms : {0, 600, 999, 1000, 1500, 1600}) run.request("a/1", 1, ms);
  EXPECT_EQ(most_requests(run), 4) << "from 600 ms to before 1,600 ms";
  run.request("a/1", 1, 1'998);
  EXPECT_EQ(most_requests(run), 5) << "from 999 ms to before 1,999 ms";
}

TEST(Measures, CountAClientsThreadsTogetherAndClientsApart) {
  RunBuilder run;
  run.request("a/1", 1, 10);
  run.request("a/2", 1, 20);
  run.request("b/1", 4, 20);
  EXPECT_EQ(most_requests(run), 2);
}

}  // namespace
}  // namespace lockstep::checker::testing::measures
