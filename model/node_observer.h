// What happens to the Redis processes of a run, for whoever wants to do the same elsewhere.
//
// An observer is told, in the order of their happening, of everything that goes into a process
// (its start and end, connections, requests, bytes of its master's stream, acknowledgements, an
// operator's orders) and of everything that comes out of it (replies, messages, its own stream).
// Events hold values of their own, since they are made only where somebody listens: without an
// observer nothing is copied.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "redis/protocol/reply.h"
#include "redis/server/server.h"
#include "sim/time.h"
#include "sim/trace.h"

namespace lockstep::model {

namespace node_event {

/// A process with no sessions and no scripts. A replica begins to connect to its master.
struct ProcessStarted {
  redis::Role role;
};
/// The process ended: whatever it had in memory, and its sessions, are gone.
struct ProcessKilled {
  enum class How : std::uint8_t {
    killed,          ///< kill -9
    power_lost,      ///< and what its disk had not synced is gone too
    exited_cleanly,  ///< after SIGTERM: it stored what it is configured to store
  };
  How how = How::killed;
};

/// All data are in a snapshot on the disk.
struct DataSaved {};

struct SessionOpened {
  redis::SessionId session;
};
/// The client is gone.
struct SessionClosed {
  redis::SessionId session;
};

/// A request begins to be executed. What it causes follows, and then its reply, unless it blocks.
struct CommandSent {
  redis::SessionId session;
  std::vector<std::string> words;
  std::string label;  ///< "acquire"
  sim::ActorId by;    ///< the thread for which it was sent, or no_actor
};
struct CommandReplied {
  redis::SessionId session;
  redis::Reply reply;
};
struct CommandBlocked {
  redis::SessionId session;
};
/// A blocked command has waited as long as it wanted to: Unblocked follows.
struct WaitTimedOut {
  redis::SessionId session;
};
/// A blocked command has its reply.
struct Unblocked {
  redis::SessionId session;
  redis::Reply reply;
};
/// A pub/sub message, or a confirmation that is not its command's last.
struct MessagePushed {
  redis::SessionId session;
  redis::Reply message;
};

/// REPLICAOF NO ONE: the link to its master is closed.
struct Promoted {};
/// REPLICAOF another node: the link to a master that it had is closed.
struct Following {
  sim::ActorId master;
};
/// At a master: the node at the other end of `session` asked for the stream. This is answered with
/// the `bytes` that it lacks, or with a snapshot of the data as they are now; the stream has come
/// to `offset`.
struct PsyncRequested {
  enum class Answer : std::uint8_t { continued, snapshot };
  redis::SessionId session;
  sim::ActorId replica;
  Answer answer;
  std::string bytes;
  std::int64_t offset;
};
/// At a master: bytes were added to its stream, which has come to `offset` with them.
struct StreamWritten {
  std::string bytes;
  std::int64_t offset;
};
/// At a replica: its master goes on with its stream where this node had it; `bytes` may be empty.
struct StreamApplied {
  std::string bytes;
};
/// At a replica: the snapshot came that its master had made for it.
struct SnapshotLoaded {};
/// At a replica: its link to its master is closed.
struct LinkClosed {};
/// At a master: the replica at the other end of `session` has everything up to `offset`.
struct Acknowledged {
  redis::SessionId session;
  sim::ActorId replica;
  std::int64_t offset;
};

}  // namespace node_event

struct NodeEvent {
  sim::ActorId node;
  sim::TimeNs at_ns;
  std::int64_t wall_us;       ///< what the node's wall clock shows
  std::uint64_t trace_event;  ///< the sequence number of the trace's latest event
  std::variant<node_event::ProcessStarted, node_event::ProcessKilled, node_event::DataSaved,
               node_event::SessionOpened, node_event::SessionClosed, node_event::CommandSent,
               node_event::CommandReplied, node_event::CommandBlocked, node_event::WaitTimedOut,
               node_event::Unblocked, node_event::MessagePushed, node_event::Promoted,
               node_event::Following, node_event::PsyncRequested, node_event::StreamWritten,
               node_event::StreamApplied, node_event::SnapshotLoaded, node_event::LinkClosed,
               node_event::Acknowledged>
      what;
};

class NodeObserver {
 public:
  virtual void on_node_event(NodeEvent event) = 0;

 protected:
  ~NodeObserver() = default;
};

}  // namespace lockstep::model
