// What one event costs the kernel: scheduled, taken from the queue, told to the trace.
#include <benchmark/benchmark.h>

#include <cstdint>

#include "sim/event_queue.h"
#include "sim/seeded_choices.h"
#include "sim/trace.h"

namespace lockstep::bench {
namespace {

/// Emits an event with two fields, as messages have them, and schedules its own next one.
class Ticker final : public sim::EventTarget {
 public:
  Ticker(sim::EventQueue& queue, sim::Trace& trace) : queue_(queue), trace_(trace) {}

  void on_event(std::uint32_t code, std::uint64_t argument) override {
    trace_.emit(queue_.now(), "message-sent", sim::no_actor,
                {{"message", argument}, {"label", "acquire"}});
    schedule(code, argument + 1);
  }

  void schedule(std::uint32_t code, std::uint64_t argument) {
    const auto delay_ns = static_cast<std::int64_t>(
        200'000 + choices_.choose({sim::Purpose::network_delay, code}, 200'001));
    queue_.schedule(queue_.now() + delay_ns, *this, code, argument);
  }

 private:
  sim::EventQueue& queue_;
  sim::Trace& trace_;
  sim::SeededChoices choices_{1};
};

/// With as many events pending as the argument says.
void kernel_event(benchmark::State& state) {
  sim::EventQueue queue;
  sim::Trace trace;
  Ticker ticker(queue, trace);
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    ticker.schedule(static_cast<std::uint32_t>(i), 0);
  }
  for (auto _ : state) queue.run_next();
  benchmark::DoNotOptimize(trace.hash());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(kernel_event)->Arg(4)->Arg(16)->Arg(64);

}  // namespace
}  // namespace lockstep::bench
