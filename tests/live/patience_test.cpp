// When a program counts as stuck: by what it does itself, not by how long that takes on a machine
// that is busy, or has stood still.
#include "live/patience.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <functional>
#include <string>

namespace lockstep::live {
namespace {

using Verdict = Patience::Verdict;

constexpr Patience::Limits short_limits{300'000'000, 10};

/// A process that does this until it is killed.
class Doing {
 public:
  explicit Doing(const std::function<void()>& act) : id_(fork()) {
    if (id_ > 0) return;
    while (true) act();
  }
  ~Doing() {
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }
  Doing(const Doing&) = delete;
  Doing& operator=(const Doing&) = delete;

  [[nodiscard]] pid_t id() const { return id_; }

 private:
  pid_t id_;
};

/// What is said after at most so many looks.
Verdict verdict_of(const Doing& doing, Patience& patience, int looks, bool has_spoken = false) {
  for (int i = 0; i < looks; ++i) {
    poll(nullptr, 0, Patience::look_ms);
    const Verdict verdict = patience.look(doing.id(), has_spoken);
    if (verdict != Verdict::runs) return verdict;
  }
  return Verdict::runs;
}

void spin() {
  volatile int count = 0;
  for (int i = 0; i < 1'000'000; ++i) count = count + 1;
}

TEST(Patience, EndsWithWhatHasUsedUpItsProcessorTime) {
  const Doing spinning(spin);
  Patience patience(short_limits);
  EXPECT_EQ(verdict_of(spinning, patience, 100), Verdict::spins);
  EXPECT_NE(patience.describe(Verdict::spins, spinning.id()).find("processor time"),
            std::string::npos);
}

TEST(Patience, EndsAlsoWithWhatTalksMeanwhile) {
  const Doing spinning(spin);
  Patience patience(short_limits);
  EXPECT_EQ(verdict_of(spinning, patience, 100, true), Verdict::spins);
}

TEST(Patience, DoesNotEndWithTheTimeForWhichAProcessIsKeptFromRunning) {
  const Doing spinning(spin);
  kill(spinning.id(), SIGSTOP);
  waitpid(spinning.id(), nullptr, WUNTRACED);
  Patience patience(short_limits);
  EXPECT_EQ(verdict_of(spinning, patience, 20), Verdict::runs);
  kill(spinning.id(), SIGCONT);
  EXPECT_EQ(verdict_of(spinning, patience, 100), Verdict::spins);
}

TEST(Patience, CountsItsOwnLooksAndNotTheTimeBetweenThem) {
  const Doing sleeping([] { pause(); });
  Patience patience(short_limits);
  poll(nullptr, 0, Patience::look_ms);
  EXPECT_EQ(patience.look(sleeping.id(), false), Verdict::runs);
  poll(nullptr, 0, 20 * Patience::look_ms);  // as if Lockstep had been stopped
  EXPECT_EQ(patience.look(sleeping.id(), false), Verdict::runs);
  EXPECT_EQ(verdict_of(sleeping, patience, 20), Verdict::sleeps);
}

TEST(Patience, NamesTheCallInWhichAProcessSleeps) {
  std::string path = ::testing::TempDir() + "lockstep-patience-XXXXXX";
  const int held = mkstemp(path.data());
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  const Doing waiting([&path] { flock(open(path.c_str(), O_RDWR | O_CLOEXEC), LOCK_EX); });
  Patience patience(short_limits);
  ASSERT_EQ(verdict_of(waiting, patience, 20), Verdict::sleeps);
  const std::string why = patience.describe(Verdict::sleeps, waiting.id());
  EXPECT_NE(why.find("sleeps in the kernel (flock)"), std::string::npos) << why;
  unlink(path.c_str());
  close(held);
}

TEST(Patience, HasNoneToLoseWithWhatWorksNowAndThen) {
  const Doing working([] {
    poll(nullptr, 0, 50);
    for (int i = 0; i < 10; ++i) spin();
  });
  Patience patience({3'600'000'000'000, 10});
  EXPECT_EQ(verdict_of(working, patience, 25), Verdict::runs);
}

TEST(Patience, SaysNothingOfAProcessThatIsNoMore) {
  pid_t gone = 0;
  {
    const Doing brief([] { pause(); });
    gone = brief.id();
  }
  Patience patience(short_limits);
  EXPECT_EQ(patience.look(gone, false), Verdict::runs);
}

}  // namespace
}  // namespace lockstep::live
