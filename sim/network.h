// Connections between hosts, with delay, loss, cuts and resets.
//
// A connection behaves as TCP does: messages of one direction arrive in the order in which they
// were sent. Each hop takes a delay chosen from the link's range, at least 1 µs. A *lost* message
// never arrives, and neither end is told (the sender notices by a time-out). A *cut* between two
// hosts holds everything back, connection attempts included, until it heals: then it arrives, in
// order, as TCP's retransmissions would; it may concern one direction only. A *slow* link adds to
// every delay. A *reset* closes a connection: both ends are told, what is under way is lost. A
// connection is *half-open* where one end has forgotten it and the other was not told. A host that
// *does not listen* refuses new connections and keeps those it has.
//
// An end of a connection may send from the moment its host is given connection_opened until it
// closes, the peer's close reaches it, or the connection is reset. What reaches an end that is
// closed is lost.
//
// Every payload that send() takes is, exactly once, either given to the receiving host or given
// back to the sending host's on_dropped (also after that host has crashed): the two must share the
// pool that payloads are numbers of.
//
// The network reads no payload. What a message is about is said in a label, for the trace and for
// faults that pick a message by name.
// Not covered: limits of bandwidth and of buffers, keep-alives.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/choice_source.h"
#include "sim/delay_sum.h"
#include "sim/event_queue.h"
#include "sim/host.h"
#include "sim/time.h"
#include "sim/trace.h"

namespace lockstep::sim {

/// The range of one hop's delay. REQUIRES: 1 µs ≤ min ≤ max.
struct Latency {
  DurationNs delay_ns_min = 200 * microsecond_ns;
  DurationNs delay_ns_max = 400 * microsecond_ns;

  friend bool operator==(const Latency&, const Latency&) = default;
};

/// A message as an interceptor sees it.
struct MessageInfo {
  HostId from;
  HostId to;
  ConnectionId connection;
  /// What the message is about: "acquire", "reply to acquire", "replication".
  std::string_view label;
  ActorId on_behalf_of = no_actor;  ///< the thread whose work it is
  std::uint64_t message = 0;        ///< its number in the trace, from 1
};

/// What happens to a message.
struct SendDecision {
  enum class Kind : std::uint8_t { deliver, drop, delay, reset, hold };
  Kind kind = Kind::deliver;
  /// With delay: added to the link's own. With hold: the longest time that it is held back, unless
  /// Network::release_held comes first.
  DurationNs extra_delay_ns = 0;
  bool report_arrival = false;  ///< on_arrived is called once it has reached its receiver
};

/// Decides on messages as they are sent: the seam through which faults come in. It may pause and
/// crash hosts, cut and reset: a message whose sending end is closed when it returns is lost.
class Interceptor {
 public:
  virtual ~Interceptor() = default;
  virtual SendDecision on_send(const MessageInfo& message) = 0;
  /// A message whose decision asked for it has been given to its receiver, or to its inbox.
  virtual void on_arrived(std::uint64_t /*message*/) {}
  /// A host that runs has turned down a connection.
  virtual void on_refused(HostId /*listener*/) {}
};

class Network : private EventTarget {
 public:
  Network(EventQueue& queue, Trace& trace) : queue_(queue), trace_(trace) {}
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;
  ~Network() override = default;

  /// Adds a host; it must outlive the network. Ids count up from 0.
  HostId add_host(Host& host);
  [[nodiscard]] Host& host(HostId id) { return *hosts_[static_cast<std::uint32_t>(id)]; }
  [[nodiscard]] std::size_t host_count() const { return hosts_.size(); }
  [[nodiscard]] std::optional<HostId> find_host(std::string_view name) const;
  /// The owner of an event: the host that something arrives at, or that scheduled it for itself.
  [[nodiscard]] std::optional<HostId> host_of(const PendingEvent& event) const;

  /// The latency of every direction that set_latency does not name.
  void set_default_latency(Latency latency);
  /// The latency of one direction between two hosts.
  void set_latency(HostId from, HostId to, Latency latency);
  /// Sets the interceptor; nullptr clears it. Does not own it.
  void set_interceptor(Interceptor* interceptor) { interceptor_ = interceptor; }

  /// Begins to open a connection. The caller later gets connection_opened, or connection_refused
  /// (closed) where no process listens; the listener gets connection_opened when it reaches it.
  /// A paused host's kernel accepts; its process learns of it when it resumes. A crashed caller
  /// gets an id that never opens. REQUIRES: from ≠ to.
  ConnectionId connect(HostId from, HostId to);
  /// A connection from before the run: open at both ends at once, and neither is notified.
  /// REQUIRES: from ≠ to, both processes run.
  ConnectionId connect_before_run(HostId from, HostId to);
  /// Closes it from one end: the other end gets connection_closed, after what was sent before. The
  /// closing end is given nothing more, not even connection_closed, except what already waits in
  /// the inbox of a process that is catching up after a pause.
  void close(ConnectionId connection, HostId by);
  /// Sends a message; false (and the payload stays the caller's) where the connection is not open.
  bool send(ConnectionId connection, HostId from, Payload payload, std::string_view label,
            ActorId on_behalf_of);
  [[nodiscard]] HostId peer(ConnectionId connection, HostId self) const;
  /// True where both ends are open.
  [[nodiscard]] bool is_open(ConnectionId connection) const;
  /// True where `self` may send.
  [[nodiscard]] bool is_open(ConnectionId connection, HostId self) const;

  /// Breaks one connection, or all between two hosts: what is under way is lost, and both ends get
  /// connection_closed at this instant, after what is already scheduled for it.
  void reset(ConnectionId connection);
  void reset_all(HostId one, HostId other);
  /// What a crash of the process does to its connections: peers get connection_closed one hop
  /// later, after the messages that have left it. A message that is delayed or held, or that was
  /// sent while a cut lasts, has not: it is in the process's buffers, with what was sent behind it
  /// on its connection, and dies with it. What a slow link carries arrives, and what a cut caught
  /// on its way arrives after the heal.
  /// Call it right after Host::crash(), which does not know the network.
  void drop_connections_of(HostId crashed);
  /// What a failure of the machine does besides, before that: nobody sends again what a cut caught.
  void lose_what_cuts_caught(HostId failed);

  // Cuts are counted, each direction by itself: what was cut twice is healed by the second heal. A
  // heal of what is not cut has no effect.
  /// Holds back everything between two hosts (both directions), until heal.
  void cut(HostId one, HostId other);
  void heal(HostId one, HostId other);
  void cut_one_way(HostId from, HostId to);
  void heal_one_way(HostId from, HostId to);
  [[nodiscard]] bool is_cut(HostId from, HostId to) const;

  /// Adds to the delay of what is sent between two hosts from now on, on top of other calls; a
  /// negative number takes it back.
  void slow_link(HostId one, HostId other, DurationNs by_ns);
  /// The host refuses connection attempts that reach it from now on, until as many calls of
  /// resume_listening.
  void stop_listening(HostId host);
  /// A process closes a connection that it has no room for: the interceptor is told.
  void refuse(ConnectionId connection, HostId by);
  void resume_listening(HostId host);
  /// The open connections between the two are gone at `forgetful`, whose process gets
  /// connection_closed at this instant; the other is told nothing, and what it sends is lost.
  void make_half_open(HostId forgetful, HostId other);
  /// A message that is held back goes on, with what waits behind it on its connection. No effect
  /// where it is not under way any more.
  void release_held(std::uint64_t message);

  /// Links, connections and what is under way (network_digest.cpp).
  void digest_into(Digest& digest) const;
  /// Digests a connection except its name.
  void digest_connection(Digest& digest, ConnectionId connection) const;
  /// REQUIRES: there is such a connection.
  [[nodiscard]] HostId caller_of(ConnectionId id) const { return connection(id).hosts[0]; }
  /// The name of a message under way; all others are alike.
  void digest_message(Digest& digest, std::uint64_t message) const;

  // Delays drawn at one instant have no effect before the next one, so that other draws can be
  // tried without another run (network_delays.cpp).
  /// How many delays were drawn in the last step's instant from a range; none where some of what
  /// they were drawn for is not under way as it was planned.
  [[nodiscard]] std::optional<std::size_t> delays_drawn_at_instant() const;
  /// The range of one of them.
  [[nodiscard]] Latency range_of_delay(std::size_t number) const;
  /// Everything that was sent in this instant is to arrive as if these had been drawn. REQUIRES: as
  /// many as delays_drawn_at_instant() says.
  void replace_drawn_delays(std::span<const DurationNs> delays);

  /// Forgets connections, cuts and messages; keeps hosts, latencies, interceptor and memory. The
  /// payloads under way are not given back: the owner of the payloads is reset too. REQUIRES: the
  /// queue and the hosts are reset with it; `choices` outlives the run.
  void reset_run(ChoiceSource& choices);

 private:
  enum class End : std::uint8_t { caller = 0, listener = 1 };
  enum : std::uint32_t { arrival_code, reset_code };  // of events
  enum class EndState : std::uint8_t {
    unreached,  // a listener that the connection attempt has not reached
    opening,    // a caller that waits for the answer
    open,
    breaking,  // reset; its host is told at this instant
    closed,
  };
  struct Connection {
    std::array<HostId, 2> hosts;                                     // by End
    std::array<EndState, 2> states;                                  // by End
    std::array<TimeNs, 2> last_arrival_at = {TimeNs{0}, TimeNs{0}};  // by the End it goes to
  };
  enum class FlightKind : std::uint8_t { open, accept, refuse, message, close };
  enum class FlightState : std::uint8_t {
    unused,
    under_way,
    held,    // by a cut, in the buffers of its process
    caught,  // by a cut, after it had left: its machine sends it again after the heal
  };
  /// Something that travels from one end of a connection to the other.
  struct Flight {
    FlightKind kind;
    FlightState state = FlightState::unused;
    End to;
    ConnectionId connection;
    std::uint64_t sequence = 0;  // the order of sending
    Payload payload = 0;
    std::uint64_t message = 0;  // the number in the trace
    TimeNs starts_at = 0;       // it is delayed, or held back, at its sender until then
    TimeNs arrives_at = 0;      // under way: when
    bool report_arrival = false;
    EventHandle event = {};
  };
  /// One direction between two hosts.
  struct Link {
    std::optional<Latency> latency;  // else the default
    DelaySum extra_delay = {};
    std::uint32_t cuts = 0;
  };

  /// The arrival of a flight, as it was planned with a delay that was drawn.
  struct DrawnArrival {
    std::uint32_t flight;
    EventHandle event;
    TimeNs drawn_at;
    TimeNs starts_at;  // what the delay is counted from
    DurationNs extra;  // what is added to it
    Latency range;     // what it was drawn from
    TimeNs last_at;    // the last arrival of its direction before it
  };

  void on_event(std::uint32_t code, std::uint64_t argument) override;
  void digest_event(Digest& digest, std::uint32_t code, std::uint64_t argument) const override;
  void digest_flight(Digest& digest, const Flight& flight) const;

  // network.cpp: connections and messages
  [[nodiscard]] bool exists(ConnectionId id) const;
  [[nodiscard]] Connection& connection(ConnectionId id);
  [[nodiscard]] const Connection& connection(ConnectionId id) const;
  [[nodiscard]] static constexpr std::size_t index_of(End end) {
    return static_cast<std::size_t>(end);
  }
  [[nodiscard]] static End end_of(const Connection& connection, HostId host);
  [[nodiscard]] HostId host_at(ConnectionId id, End end) const;
  [[nodiscard]] EndState& state_at(ConnectionId id, End end);
  [[nodiscard]] bool is_crashed(HostId id) const;
  void apply_decision(const Flight& message, const SendDecision& decision);
  void close_end(ConnectionId id, End end, std::string_view why);
  void lose(const Flight& message, std::string_view why);

  // network_flights.cpp: what travels
  void launch(Flight flight);
  void schedule_arrival(std::uint32_t index);
  void arrive(std::uint32_t index);
  void open_arrives(ConnectionId id);
  void accept_arrives(ConnectionId id);
  void refuse_arrives(ConnectionId id);
  void message_arrives(const Flight& message);
  void close_arrives(ConnectionId id, End to);
  void report_reset(ConnectionId id, End end);
  void release(std::uint32_t index);

  // network_faults.cpp: what strikes many of them at once
  template <typename Predicate>
  void select_flights(Predicate predicate);
  struct Direction {  // of a connection
    ConnectionId connection;
    End to;

    friend bool operator==(const Direction&, const Direction&) = default;
  };
  [[nodiscard]] bool is_unsent(const Flight& flight, std::vector<Direction>& waiting) const;
  void select_unsent(HostId crashed);
  void hold_back_selected();
  void lose_selected(std::string_view why);
  [[nodiscard]] static bool is_between(const Connection& connection, HostId one, HostId other);
  [[nodiscard]] HostId sender_of(const Flight& flight) const;
  [[nodiscard]] bool goes(const Flight& flight, HostId from, HostId to) const;
  bool begin_cut(HostId from, HostId to);
  bool end_cut(HostId from, HostId to);
  void hold_back(std::uint32_t index);
  struct Directions {
    bool there;
    bool back;
  };
  struct CutKinds {  // of trace events
    std::string_view both_ways;
    std::string_view one_way;
  };
  void emit_cuts(HostId one, HostId other, Directions changed, const CutKinds& kinds);
  void select_between(HostId one, HostId other, Directions directions);
  void start_cuts(HostId one, HostId other, Directions started);
  void end_cuts(HostId one, HostId other, Directions ended);

  [[nodiscard]] Link& link(HostId from, HostId to);
  [[nodiscard]] const Link& link(HostId from, HostId to) const;
  [[nodiscard]] Latency range_of(HostId from, HostId to) const;
  [[nodiscard]] DurationNs draw_delay(HostId from, HostId to);

  EventQueue& queue_;
  Trace& trace_;
  ChoiceSource* choices_ = nullptr;
  Interceptor* interceptor_ = nullptr;
  Latency default_latency_;
  std::vector<Host*> hosts_;
  std::vector<Link> links_;                          // from · host_count + to
  std::vector<std::uint32_t> refusing_connections_;  // by host: how often it was told not to listen
  std::vector<Connection> connections_;              // of this run, ConnectionId − 1
  std::vector<Flight> flights_;
  std::vector<std::uint32_t> free_flights_;
  std::vector<std::uint32_t> selected_;  // the last answer of select_flights, in order of sending
  std::vector<DrawnArrival>
      drawn_arrivals_;  // of the last instant in which a delay was drawn, in order
  std::uint64_t next_flight_sequence_ = 0;
  std::uint64_t last_message_ = 0;
};

}  // namespace lockstep::sim
