#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <threads.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/live/preload/probe/probe.h"

namespace probe {
namespace {

timespec later(clockid_t clock, long ms) {
  timespec time{};
  clock_gettime(clock, &time);
  const std::int64_t ns = time.tv_sec * 1'000'000'000 + time.tv_nsec + ms * 1'000'000;
  return {ns / 1'000'000'000, ns % 1'000'000'000};
}

long or_error(int error) {
  errno = error;
  return error == 0 ? 0 : -1;
}

// Who takes a mutex, and when, with a shared counter that is not protected: one thread at a time.
void take_turns() {
  std::mutex mutex;
  std::string order;
  std::vector<std::thread> threads;
  int unprotected = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 5; ++round) {
        {
          const std::lock_guard lock(mutex);
          order += static_cast<char>('a' + i);
          if ((i + round) % 3 == 0) usleep(100);
        }
        for (int k = 0; k < 20'000; ++k) unprotected = unprotected + 1;
        if (round == 2) sched_yield();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::printf("%s %d\n", order.c_str(), unprotected);
}

// Many threads, one after the other, joined and detached: stacks are reused in the same way.
void come_and_go() {
  for (int i = 0; i < 400; ++i) {
    int local = 0;
    std::thread thread([&local] { local = 1; });
    thread.join();
    require(local == 1, "the thread ran");
  }
  std::atomic<int> ended = 0;
  std::string places;
  for (int i = 0; i < 40; ++i) {
    std::thread([&ended, &places] {
      int here = 0;
      char text[32];
      std::snprintf(text, sizeof text, "%p ", static_cast<void*>(&here));
      places += text;
      ++ended;
    }).detach();
    if (i % 3 == 0) usleep(10);
  }
  while (ended < 40) sched_yield();
  std::printf("%s\n", places.c_str());
}

void wait_with_time_outs() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  report("cond_realtime", [&] {
    const timespec time = later(CLOCK_REALTIME, 100);
    return or_error(pthread_cond_timedwait(&condition, &mutex, &time));
  });
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_t monotonic;
  pthread_cond_init(&monotonic, &attributes);
  report("cond_monotonic", [&] {
    const timespec time = later(CLOCK_MONOTONIC, 200);
    return or_error(pthread_cond_timedwait(&monotonic, &mutex, &time));
  });
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  report("sem_timedwait", [&] {
    const timespec time = later(CLOCK_REALTIME, 300);
    return sem_timedwait(&semaphore, &time);
  });
  report("sem_clockwait", [&] {
    const timespec time = later(CLOCK_MONOTONIC, 50);
    return sem_clockwait(&semaphore, CLOCK_MONOTONIC, &time);
  });
  report("mutex_timedlock", [&] {
    const timespec time = later(CLOCK_REALTIME, 60);
    return or_error(pthread_mutex_timedlock(&mutex, &time));
  });
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        sleep(1);
        return nullptr;
      },
      nullptr);
  report("timedjoin", [&] {
    const timespec time = later(CLOCK_REALTIME, 400);
    return or_error(pthread_timedjoin_np(thread, nullptr, &time));
  });
  report("join", [&] { return or_error(pthread_join(thread, nullptr)); });
}

void wake_each_other() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 5);
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  bool is_open = false;
  std::string order;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      pthread_mutex_lock(&mutex);
      while (!is_open) pthread_cond_wait(&condition, &mutex);
      order += static_cast<char>('a' + i);
      pthread_mutex_unlock(&mutex);
      pthread_barrier_wait(&barrier);
      sem_wait(&semaphore);
      order += static_cast<char>('A' + i);
    });
  }
  usleep(1000);
  pthread_mutex_lock(&mutex);
  is_open = true;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < 4; ++i) {
    sem_post(&semaphore);
    usleep(1000);
  }
  for (std::thread& thread : threads) thread.join();
  std::printf("%s %ld\n", order.c_str(), static_cast<long>(now_ns() / 1000 % 1'000'000));
}

void use_c11_threads() {
  thrd_t thread;
  require(thrd_create(
              &thread, [](void* argument) { return *static_cast<int*>(argument) + 1; },
              []() {
                static int value = 41;
                return &value;
              }()) == thrd_success,
          "a thread");
  int result = 0;
  thrd_join(thread, &result);
  std::printf("result %d\n", result);
}

void begin_too_many() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 300; ++i) threads.emplace_back([] { sleep(1000); });
}

constexpr Probe probes[] = {
    {"turns", take_turns},
    {"come_and_go", come_and_go},
    {"waits_with_time_outs", wait_with_time_outs},
    {"wake_each_other", wake_each_other},
    {"c11_threads", use_c11_threads},
    {"too_many_threads", begin_too_many},
};

}  // namespace

std::span<const Probe> thread_probes() { return probes; }

}  // namespace probe
