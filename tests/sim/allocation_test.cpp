// Once warm, runs allocate nothing: this program's operator new counts its calls.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "sim/network.h"
#include "sim/recorded_choices.h"
#include "sim/seeded_choices.h"

namespace {

// The one variable of this program that is not local: operator new has nowhere else to count.
std::size_t allocations = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(bytes);
}
void* operator new(std::size_t bytes) {
  if (void* const memory = operator new(bytes, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace lockstep::sim {
namespace {

/// Answers every message with the next number and starts a timer that it cancels.
class Chatterer final : public Host {
 public:
  Chatterer(const char* host_name, EventQueue& queue, Trace& trace)
      : Host(host_name, trace.add_actor({host_name, "host", ""}), queue, trace) {}

  Network* network = nullptr;
  HostId id{};

 private:
  void on_incoming(const Incoming& incoming) override {
    if (incoming.kind != Incoming::Kind::message || incoming.argument > 300) return;
    cancel_timer(timer_);
    timer_ = start_timer(second_ns, 1);
    network->send(incoming.connection, id, incoming.argument + 1, "a label", actor());
    run_or_defer(0);
  }
  void on_dropped(Payload) override {}

  TimerId timer_{};
};

TEST(Allocation, AWarmRunAllocatesNothing) {
  EventQueue queue;
  Trace trace;
  SeededChoices seeded(1);
  RecordingChoices choices(seeded);
  Network network(queue, trace);
  std::vector<std::unique_ptr<Chatterer>> hosts;
  for (const char* name : {"a host with a long name", "b", "c"}) {
    hosts.push_back(std::make_unique<Chatterer>(name, queue, trace));
    hosts.back()->network = &network;
    hosts.back()->id = network.add_host(*hosts.back());
  }
  const auto one_run = [&](std::uint64_t seed) {
    queue.reset();
    trace.reset();
    seeded.reset(seed);
    choices.clear();
    for (const auto& host : hosts) host->reset(Clock(5), Clock(7, 20));
    network.reset_run(choices);
    const ConnectionId connection = network.connect(hosts[0]->id, hosts[1]->id);
    network.connect(hosts[1]->id, hosts[2]->id);
    for (int event = 0; event < 400 && queue.run_next(); ++event) {
      if (event == 10) network.send(connection, hosts[0]->id, 1, "start", no_actor);
      if (event == 50) hosts[1]->pause(20 * millisecond_ns);
      if (event == 60) hosts[0]->set_monotonic_drift(-100);
      if (event == 90) network.cut(hosts[0]->id, hosts[1]->id);
      if (event == 92) network.heal(hosts[0]->id, hosts[1]->id);
      if (event == 300) hosts[1]->crash();
      if (event == 300) network.drop_connections_of(hosts[1]->id);
    }
    return trace.hash();
  };
  const std::uint64_t first = one_run(1);
  for (std::uint64_t seed = 2; seed < 10; ++seed) one_run(seed);
  const std::size_t before = allocations;
  EXPECT_EQ(one_run(1), first);
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace lockstep::sim
