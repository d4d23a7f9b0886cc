// What judging one run costs: the history and the observations of the reference scenario.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "bench/reference_run.h"
#include "checker/check.h"
#include "checker/history.h"
#include "checker/property.h"

namespace lockstep::bench {
namespace {

void judge(benchmark::State& state, std::span<const checker::Property> properties) {
  ReferenceRun reference;
  const model::RunResult& result = reference.run(1);
  const checker::Run run{
      .names = *result.names, .history = *result.history, .observations = *result.observations};
  checker::Checker checker;
  for (auto _ : state) benchmark::DoNotOptimize(checker.check(run, properties).data());
  state.SetItemsProcessed(state.iterations());
  state.counters["operations"] =
      benchmark::Counter(static_cast<double>(result.history->operations.size()));
}

void check_all_properties(benchmark::State& state) { judge(state, checker::all_properties()); }
BENCHMARK(check_all_properties);

void check_one_property(benchmark::State& state) {
  const checker::Property property =
      checker::all_properties()[static_cast<std::size_t>(state.range(0))];
  judge(state, std::array{property});
  state.SetLabel(std::string(checker::to_string(property)));
}
BENCHMARK(check_one_property)
    ->DenseRange(0, static_cast<std::int64_t>(checker::all_properties().size()) - 1);

}  // namespace
}  // namespace lockstep::bench
