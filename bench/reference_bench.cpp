// Executions of the reference scenarios, checks included: on one master, on a quorum of five, in
// two threads at once; and what memory does over a million.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "bench/reference_run.h"

namespace lockstep::bench {
namespace {

void execute(benchmark::State& state, const char* scenario) {
  ReferenceRun reference(scenario);
  std::uint64_t seed = 0;
  std::uint64_t events = 0;
  for (auto _ : state) events += reference.run(++seed).event_count;
  state.SetItemsProcessed(state.iterations());
  state.counters["events_per_run"] =
      benchmark::Counter(static_cast<double>(events) / static_cast<double>(state.iterations()),
                         benchmark::Counter::kAvgThreads);
  state.counters["events_per_second"] =
      benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
}

void reference_execution(benchmark::State& state) { execute(state, "bench/reference.toml"); }
BENCHMARK(reference_execution)->Unit(benchmark::kMicrosecond);

void redlock_execution(benchmark::State& state) { execute(state, "bench/reference_redlock.toml"); }
BENCHMARK(redlock_execution)->Unit(benchmark::kMicrosecond);

/// Each thread has an engine of its own. The rates of all are added up: two threads should have
/// twice that of one, on a machine with two cores to spare.
void execution_in_threads(benchmark::State& state) { execute(state, "bench/reference.toml"); }
BENCHMARK(execution_in_threads)
    ->Threads(1)
    ->Threads(2)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

/// The memory that this process has in RAM, in KiB (proc(5): VmRSS).
double resident_kib() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word == "VmRSS:") break;
  }
  double kib = 0;
  status >> kib;
  return kib;
}

/// Takes minutes: tools/bench runs it only when asked to.
void million_executions(benchmark::State& state) {
  constexpr std::uint64_t warm = 10'000;
  constexpr std::uint64_t all = 1'000'000;
  ReferenceRun reference;
  for (auto _ : state) {
    for (std::uint64_t seed = 1; seed <= warm; ++seed) reference.run(seed);
    state.counters["resident_kib_after_10000"] = resident_kib();
    for (std::uint64_t seed = warm + 1; seed <= all; ++seed) reference.run(seed);
    state.counters["resident_kib_after_1000000"] = resident_kib();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(all));
}
BENCHMARK(million_executions)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace lockstep::bench
