// Executions of the reference scenario, checks included; and what memory does over a million.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "bench/reference_run.h"

namespace lockstep::bench {
namespace {

void reference_execution(benchmark::State& state) {
  ReferenceRun reference;
  std::uint64_t seed = 0;
  std::uint64_t events = 0;
  for (auto _ : state) events += reference.run(++seed).event_count;
  state.SetItemsProcessed(state.iterations());
  state.counters["events_per_run"] =
      benchmark::Counter(static_cast<double>(events) / static_cast<double>(state.iterations()));
  state.counters["events_per_second"] =
      benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
}
BENCHMARK(reference_execution)->Unit(benchmark::kMicrosecond);

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
