// What happens to the Redis processes of a run, in the order in which it happens.
//
// The events cover everything that goes into a process (its start and end, connections, requests,
// bytes of its master's stream, acknowledgements, an operator's orders) and everything that comes
// out of it (replies, messages, its own stream), so that a run can be repeated on other servers.
// An event owns its values. Without an observer no event is made and nothing is copied.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "redis/protocol/reply.h"
#include "redis/server/server_types.h"
#include "sim/time.h"
#include "sim/trace.h"

namespace lockstep::redis {

namespace node_event {

/// A process with no sessions and no scripts. A replica begins to connect to its master.
struct ProcessStarted {
  Role role;
};
/// The process ended. Its memory and its sessions are gone.
struct ProcessKilled {
  enum class How : std::uint8_t {
    killed,          ///< kill -9
    power_lost,      ///< unsynced data is lost too
    exited_cleanly,  ///< SIGTERM: it saved as configured
  };
  How how = How::killed;
};

/// A snapshot of all data is on the disk.
struct DataSaved {};

struct SessionOpened {
  SessionId session;
};
/// The client is gone.
struct SessionClosed {
  SessionId session;
};

/// A request starts executing. Its effects follow, then its reply, unless it blocks.
struct CommandSent {
  SessionId session;
  std::vector<std::string> words;
  std::string label;  ///< "acquire"
  sim::ActorId by;    ///< the thread for which it was sent, or no_actor
};
struct CommandReplied {
  SessionId session;
  Reply reply;
};
struct CommandBlocked {
  SessionId session;
};
/// A blocked command timed out; Unblocked follows.
struct WaitTimedOut {
  SessionId session;
};
/// A blocked command has its reply.
struct Unblocked {
  SessionId session;
  Reply reply;
};
/// A pub/sub message, or a confirmation that is not its command's last.
struct MessagePushed {
  SessionId session;
  Reply message;
};

/// It was told to end and waits for its replicas: until it has ended, what may write blocks.
struct WritesPaused {};
/// REPLICAOF NO ONE. The link to the master is closed.
struct Promoted {};
/// REPLICAOF another node. The link to a former master is closed.
struct Following {
  sim::ActorId master;
};
/// On a master: the replica behind `session` sent PSYNC. The answer is the missing `bytes` or a
/// snapshot of the current data; the stream is at `offset`.
struct PsyncRequested {
  enum class Answer : std::uint8_t { continued, snapshot };
  SessionId session;
  sim::ActorId replica;
  Answer answer;
  std::string bytes;
  std::int64_t offset;
};
/// On a master: bytes were appended to the stream, which is now at `offset`.
struct StreamWritten {
  std::string bytes;
  std::int64_t offset;
};
/// On a replica: the next bytes of the stream, from the replica's own offset on; may be empty.
struct StreamApplied {
  std::string bytes;
};
/// On a replica: the snapshot that its master took for it arrived.
struct SnapshotLoaded {};
/// On a replica: the link to its master is closed.
struct LinkClosed {};
/// On a master: the replica behind `session` has everything up to `offset`, and on its disk up to
/// `synced` (-1: it does not say).
struct Acknowledged {
  SessionId session;
  sim::ActorId replica;
  std::int64_t offset;
  std::int64_t synced;
};

}  // namespace node_event

struct NodeEvent {
  sim::ActorId node;
  sim::TimeNs at_ns;
  std::int64_t wall_us;       ///< the node's wall clock
  std::uint64_t trace_event;  ///< the sequence number of the trace's latest event
  std::variant<node_event::ProcessStarted, node_event::ProcessKilled, node_event::DataSaved,
               node_event::SessionOpened, node_event::SessionClosed, node_event::CommandSent,
               node_event::CommandReplied, node_event::CommandBlocked, node_event::WaitTimedOut,
               node_event::Unblocked, node_event::MessagePushed, node_event::WritesPaused,
               node_event::Promoted, node_event::Following, node_event::PsyncRequested,
               node_event::StreamWritten, node_event::StreamApplied, node_event::SnapshotLoaded,
               node_event::LinkClosed, node_event::Acknowledged>
      what;
};

class NodeObserver {
 public:
  virtual void on_node_event(NodeEvent event) = 0;

 protected:
  ~NodeObserver() = default;
};

}  // namespace lockstep::redis
