// Connections between hosts, with delay, loss, cuts and resets.
//
// A connection behaves as TCP does: messages of one direction arrive in the order in which they were
// sent. Each hop takes a delay chosen from the link's range, at least 1 µs. A *lost* message never
// arrives, and neither end is told (the sender notices by a time-out). A *cut* between two hosts holds
// everything back, connection attempts included, until it heals: then it arrives, in order, as TCP's
// retransmissions would. A *reset* closes a connection: both ends are told, what is under way is lost.
//
// The network reads no payload. What a message is about is said in a label, for the trace and for
// faults that pick a message by name.
// Not covered: half-open connections, limits of bandwidth and of buffers.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/choice_source.h"
#include "sim/event_queue.h"
#include "sim/host.h"
#include "sim/time.h"
#include "sim/trace.h"

namespace lockstep::sim {

/// The range of one hop's delay. REQUIRES: 1 µs ≤ min ≤ max.
struct Latency {
  DurationNs delay_ns_min = 200 * microsecond_ns;
  DurationNs delay_ns_max = 400 * microsecond_ns;
};

/// What an interceptor sees of a message.
struct MessageInfo {
  HostId from;
  HostId to;
  ConnectionId connection;
  std::string_view label;    ///< what the message is about: "acquire", "reply to acquire", "replication"
  ActorId on_behalf_of = no_actor;    ///< the thread whose work it is
};

/// What happens to a message.
struct Verdict {
  enum class Kind : std::uint8_t { deliver, drop, delay, reset };
  Kind kind = Kind::deliver;
  DurationNs extra_delay_ns = 0;  ///< with delay: added to the link's own
};

/// Decides on messages as they are sent: the seam through which faults come in.
class Interceptor {
 public:
  virtual Verdict on_send(const MessageInfo& message) = 0;

 protected:
  ~Interceptor() = default;
};

class Network : private EventTarget {
 public:
  Network(EventQueue& queue, Trace& trace) : queue_(queue), trace_(trace) {}
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;
  virtual ~Network() = default;

  /// Adds a host; it must outlive the network. Ids count up from 0.
  HostId add_host(Host& host);
  [[nodiscard]] Host& host(HostId id) { return *hosts_[static_cast<std::uint32_t>(id)]; }
  [[nodiscard]] std::size_t host_count() const { return hosts_.size(); }

  void set_default_latency(Latency latency) { default_latency_ = latency; }
  /// The latency of one direction between two hosts.
  void set_latency(HostId from, HostId to, Latency latency);
  /// At most one; null takes it away. Does not own it.
  void set_interceptor(Interceptor* interceptor) { interceptor_ = interceptor; }

  /// Begins to open a connection. The caller later gets connection_opened, or connection_refused
  /// (closed) where no process listens; the listener gets connection_opened when it reaches it.
  ConnectionId connect(HostId from, HostId to);
  /// Closes it from one end: the other end gets connection_closed, after what was sent before.
  void close(ConnectionId connection, HostId by);
  /// Sends a message; false (and the payload stays the caller's) where the connection is not open.
  bool send(ConnectionId connection, HostId from, Payload payload, std::string_view label,
            ActorId on_behalf_of);
  [[nodiscard]] HostId peer(ConnectionId connection, HostId self) const;
  [[nodiscard]] bool is_open(ConnectionId connection) const;

  /// Breaks one connection, or all between two hosts: both ends get connection_closed.
  void reset(ConnectionId connection);
  void reset_all(HostId one, HostId other);
  /// What a crash of the process does to its connections: peers get connection_closed one hop later.
  void drop_connections_of(HostId crashed);

  /// Holds back everything between two hosts (both directions), until heal.
  void cut(HostId one, HostId other);
  void heal(HostId one, HostId other);
  [[nodiscard]] bool is_cut(HostId one, HostId other) const;

  /// Forgets connections, cuts and messages; keeps hosts, latencies and memory. The payloads under
  /// way are not given back: the owner of the payloads is reset too.
  void reset_run(ChoiceSource& choices);

 private:
  struct Connection;
  struct Flight;
  void on_event(std::uint32_t code, std::uint64_t argument) override;

  EventQueue& queue_;
  Trace& trace_;
  ChoiceSource* choices_ = nullptr;
  Interceptor* interceptor_ = nullptr;
  Latency default_latency_;
  std::vector<Host*> hosts_;
  // The implementation's tables (connections, messages under way, held messages, link latencies)
  // go here as plain members; this header lists only what callers rely on.
};

}  // namespace lockstep::sim
