// A Redis node's side towards its replicas: it answers PSYNC, sends them its stream, and asks for
// acknowledgements.
//
// As in Redis it continues from its backlog where it can, else it sends its whole dataset as it is
// at that moment.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/node/client_sessions.h"
#include "model/node/node_context.h"
#include "redis/persistence/stored_files.h"

namespace lockstep::model {

class ReplicationSource {
 public:
  ReplicationSource(NodeContext& context, ClientSessions& sessions)
      : context_(context), sessions_(sessions) {}

  void start_run() { snapshots_.clear(); }
  /// A replica has been linked by this connection since before the run.
  void attach_before_run(sim::ConnectionId connection, const sim::Host& replica);
  /// A replica asks for the stream (PSYNC).
  void serve(ClientSessions::Peer& peer, const Message& request);
  void on_acknowledged(const ClientSessions::Peer& peer, const Message& acknowledgement);
  /// Sends bytes of the stream that end at this offset to all replicas.
  void send_stream(std::string_view bytes, std::int64_t offset_after);
  /// REPLCONF GETACK.
  void request_acknowledgements();
  /// Whether all attached replicas have everything that this node wrote.
  [[nodiscard]] bool are_replicas_caught_up() const;
  /// Closes their connections. They come back and continue where they were, if they may.
  void disconnect_replicas();
  /// The snapshot of a full synchronisation, by the number in its message; null if there is none.
  [[nodiscard]] const redis::Snapshot* snapshot(std::uint64_t number) const;

 private:
  void send_stream(const ClientSessions::Peer& peer, std::string_view bytes,
                   std::int64_t offset_after);
  void send_snapshot(const ClientSessions::Peer& peer);
  void request_acknowledgement(const ClientSessions::Peer& peer);

  NodeContext& context_;
  ClientSessions& sessions_;
  std::vector<std::unique_ptr<redis::Snapshot>> snapshots_;  // full synchronisations under way
};

}  // namespace lockstep::model
