#include "live/one_processor.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lockstep::live {
namespace {

cpu_set_t processors_of(pid_t process) {
  cpu_set_t found;
  CPU_ZERO(&found);
  sched_getaffinity(process, sizeof found, &found);
  return found;
}

TEST(OneProcessor, IsSharedUntilItIsLeft) {
  const cpu_set_t allowed = allowed_processors();
  const pid_t process = fork();
  if (process == 0) {
    while (true) pause();
  }
  OneProcessor first(allowed);
  OneProcessor second(allowed);
  first.share_with(process);
  second.share_with(process);
  const cpu_set_t bound = processors_of(0);
  const cpu_set_t of_process = processors_of(process);
  EXPECT_EQ(CPU_COUNT(&bound), 1);
  EXPECT_TRUE(CPU_EQUAL(&bound, &of_process));
  second.leave();
  const cpu_set_t still = processors_of(0);
  EXPECT_TRUE(CPU_EQUAL(&still, &bound)) << "it was the first that bound this thread";
  first.leave();
  const cpu_set_t after = processors_of(0);
  EXPECT_TRUE(CPU_EQUAL(&after, &allowed));
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
}

}  // namespace
}  // namespace lockstep::live
