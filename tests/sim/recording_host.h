// A host that notes what happens to it, and small worlds of such hosts.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/event_queue.h"
#include "sim/host.h"
#include "sim/network.h"
#include "sim/seeded_choices.h"
#include "sim/trace.h"
#include "tests/sim/recording_sink.h"

namespace lockstep::sim::testing {

class RecordingHost final : public Host {
 public:
  RecordingHost(const std::string& host_name, EventQueue& queue, Trace& trace)
      : Host(host_name, trace.add_actor({host_name, "host", host_name}), queue, trace) {}

  /// "instant what", in order.
  [[nodiscard]] const std::vector<std::string>& log() const { return log_; }
  [[nodiscard]] const std::vector<Payload>& dropped() const { return dropped_; }
  void clear_log() { log_.clear(); }

  /// Runs after an incoming was noted.
  std::function<void(const Incoming&)> handler;
  /// Runs when a payload is dropped.
  std::function<void(Payload)> on_drop;

 private:
  void on_incoming(const Incoming& incoming) override {
    note(text_of(incoming));
    if (handler) handler(incoming);
  }
  void on_dropped(Payload payload) override {
    dropped_.push_back(payload);
    if (on_drop) on_drop(payload);
  }
  void on_start() override { note("started"); }
  void on_crash() override { note("crashed"); }

  void note(const std::string& what) { log_.push_back(std::to_string(now()) + ' ' + what); }

  static std::string text_of(const Incoming& incoming) {
    const std::string argument = std::to_string(incoming.argument);
    const std::string connection = std::to_string(static_cast<std::uint32_t>(incoming.connection));
    switch (incoming.kind) {
      case Incoming::Kind::message:
        return "message " + argument + " on " + connection;
      case Incoming::Kind::connection_opened:
        return "opened " + connection;
      case Incoming::Kind::connection_refused:
        return "refused " + connection;
      case Incoming::Kind::connection_closed:
        return "closed " + connection;
      case Incoming::Kind::timer:
        return "timer " + argument;
      case Incoming::Kind::resumed_work:
        return "work " + argument;
    }
    return "?";
  }

  std::vector<std::string> log_;
  std::vector<Payload> dropped_;
};

/// Hosts "a", "b", "c" on a network where each hop takes exactly 10 µs unless a test says
/// otherwise.
class World {
 public:
  World() : sink(trace), network(queue, trace), choices(1) {
    trace.set_sink(&sink);
    for (const char* name : {"a", "b", "c"}) {
      hosts.push_back(std::make_unique<RecordingHost>(name, queue, trace));
      ids.push_back(network.add_host(*hosts.back()));
    }
    network.set_default_latency({hop_ns, hop_ns});
    network.reset_run(choices);
  }

  /// Runs events up to and including an instant.
  void run_until(TimeNs instant) {
    while (queue.next_at() <= instant && queue.run_next()) {
    }
  }
  void run_all() { run_until(never_ns - 1); }
  /// Calls at an instant.
  void at(TimeNs instant, std::function<void()> call) {
    calls_.push_back(std::make_unique<Call>(std::move(call)));
    queue.schedule(instant, *calls_.back(), 0);
  }
  /// An open connection from a to b; both have been told, and the logs are empty.
  ConnectionId connected() {
    const ConnectionId connection = network.connect(ids[0], ids[1]);
    run_all();
    for (const auto& host : hosts) host->clear_log();
    sink.clear();
    return connection;
  }
  bool send(ConnectionId connection, std::size_t from, Payload payload) {
    return network.send(connection, ids[from], payload, "label", no_actor);
  }
  /// As a fault does it.
  void crash(std::size_t host) {
    hosts[host]->crash();
    network.drop_connections_of(ids[host]);
  }

  static constexpr DurationNs hop_ns = 10 * microsecond_ns;

  EventQueue queue;
  Trace trace;
  RecordingSink sink;
  Network network;
  SeededChoices choices;
  std::vector<std::unique_ptr<RecordingHost>> hosts;
  std::vector<HostId> ids;

 private:
  struct Call final : EventTarget {
    explicit Call(std::function<void()> to_call) : call(std::move(to_call)) {}
    void on_event(std::uint32_t, std::uint64_t) override { call(); }
    std::function<void()> call;
  };
  std::vector<std::unique_ptr<Call>> calls_;
};

using Lines = std::vector<std::string>;

}  // namespace lockstep::sim::testing
