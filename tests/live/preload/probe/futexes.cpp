#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <thread>
#include <vector>

#include "tests/live/preload/probe/probe.h"

namespace probe {
namespace {

using Word = std::uint32_t;

template <class Fourth>
long futex(Word* word, int operation, Word value, Fourth fourth, Word* second = nullptr,
           Word third = 0) {
  return syscall(SYS_futex, word, operation, value, fourth, second, third);
}

long wait(Word* word, Word bits = FUTEX_BITSET_MATCH_ANY) {
  return futex(word, FUTEX_WAIT_BITSET_PRIVATE, 0, nullptr, nullptr, bits);
}

class Waiters {
 public:
  Waiters(Word* word, int count, Word bits = FUTEX_BITSET_MATCH_ANY) {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([this, word, bits] {
        wait(word, bits);
        ++awake;
      });
    }
    usleep(1000);
  }
  ~Waiters() {
    for (std::thread& thread : threads_) thread.join();
  }

  int awake = 0;

 private:
  std::vector<std::thread> threads_;
};

void wait_for_time() {
  Word word = 0;
  const timespec duration{0, 70'000'000};
  report("other_value", [&] { return futex(&word, FUTEX_WAIT_PRIVATE, 1, nullptr); });
  report("relative", [&] { return futex(&word, FUTEX_WAIT_PRIVATE, 0, &duration); });
  timespec moment{};
  clock_gettime(CLOCK_MONOTONIC, &moment);
  moment.tv_sec += 2;
  report("monotonic", [&] {
    return futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 0, &moment, nullptr, FUTEX_BITSET_MATCH_ANY);
  });
  clock_gettime(CLOCK_REALTIME, &moment);
  moment.tv_sec += 3;
  report("wall", [&] {
    return futex(&word, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 0, &moment, nullptr,
                 FUTEX_BITSET_MATCH_ANY);
  });
}

// As in memory that processes share, where a word may be any number: also a thread's id for libc.
void wake_at_the_value_of_an_id() {
  const Word* id = nullptr;
  prctl(PR_GET_TID_ADDRESS, &id);
  Word word = *id;
  std::thread waiter(
      [&word] { report("wait", [&] { return futex(&word, FUTEX_WAIT, word, nullptr); }); });
  usleep(50'000);
  report("wake", [&] { return futex(&word, FUTEX_WAKE, 1, nullptr); });
  waiter.join();
}

void wake() {
  Word word = 0;
  {
    Waiters waiters(&word, 5);
    report("two", [&] { return futex(&word, FUTEX_WAKE_PRIVATE, 2, nullptr); });
    usleep(1000);
    std::printf("awake %d\n", waiters.awake);
    report("rest", [&] { return futex(&word, FUTEX_WAKE_PRIVATE, 99, nullptr); });
  }
  Waiters odd(&word, 2, 1);
  Waiters even(&word, 3, 2);
  report("even", [&] { return futex(&word, FUTEX_WAKE_BITSET_PRIVATE, 99, nullptr, nullptr, 2); });
  usleep(1000);
  std::printf("awake %d %d\n", odd.awake, even.awake);
  report("odd", [&] { return futex(&word, FUTEX_WAKE_PRIVATE, 99, nullptr); });
}

void requeue() {
  Word first = 0;
  Word second = 0;
  Waiters waiters(&first, 6);
  report("cmp_requeue_other",
         [&] { return futex(&first, FUTEX_CMP_REQUEUE_PRIVATE, 1, 2, &second, 7); });
  report("cmp_requeue", [&] { return futex(&first, FUTEX_CMP_REQUEUE_PRIVATE, 1, 2, &second, 0); });
  report("requeue", [&] { return futex(&first, FUTEX_REQUEUE_PRIVATE, 0, 1, &second); });
  report("wake_first", [&] { return futex(&first, FUTEX_WAKE_PRIVATE, 99, nullptr); });
  report("wake_second", [&] { return futex(&second, FUTEX_WAKE_PRIVATE, 99, nullptr); });
}

void wake_by_operation() {
  Word first = 0;
  Word second = 10;
  Word other = 0;
  Waiters waiters(&first, 2);
  // second = 10 + 5; the old 10 is greater than 9: who waits at the second is woken, too: nobody.
  report("add", [&] {
    return futex(&first, FUTEX_WAKE_OP_PRIVATE, 1, 1, &second,
                 static_cast<Word>(FUTEX_OP(FUTEX_OP_ADD, 5, FUTEX_OP_CMP_GT, 9)));
  });
  std::printf("second %u\n", second);
  report("or", [&] {
    return futex(&other, FUTEX_WAKE_OP_PRIVATE, 1, 1, &first,
                 static_cast<Word>(FUTEX_OP(FUTEX_OP_OR, 4, FUTEX_OP_CMP_EQ, 0)));
  });
  std::printf("first %u\n", first);
}

constexpr Probe probes[] = {
    {"futex_time_outs", wait_for_time},
    {"futex_wake", wake},
    {"futex_value_of_an_id", wake_at_the_value_of_an_id},
    {"futex_requeue", requeue},
    {"futex_wake_op", wake_by_operation},
};

}  // namespace

std::span<const Probe> futex_probes() { return probes; }

}  // namespace probe
