// The messages between simulated hosts, and the pool that holds them.
//
// The network carries a number (sim::Payload), the message's index in the pool. Messages are
// structured values: bytes on a wire exist where Redis itself has them (the replication stream) and
// in serve/. A pooled message keeps its buffers, so that a warm simulation allocates nothing for a
// message.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/cluster/cluster_message.h"
#include "redis/protocol/arguments.h"
#include "redis/protocol/reply.h"
#include "sim/digest.h"
#include "sim/host.h"
#include "sim/trace.h"

namespace lockstep::model {

struct Message {
  enum class Kind : std::uint8_t {
    request,        ///< client → node: `arguments`
    reply,          ///< node → client: `reply` to the request with this `number`
    push,           ///< node → client: `reply` is a pub/sub message
    psync_request,  ///< replica → master: PSYNC from offset `number` of history `token`
    replication,  ///< master → replica: `bytes` of the stream, ending at `number`, history `token`
    full_resync,      ///< master → replica: the dataset, snapshot `number`, history `token`
    acknowledge,      ///< replica → master: has all up to `number`, synced up to `token`
    acknowledge_now,  ///< master → replica: please acknowledge (REPLCONF GETACK)
    resource_read,    ///< client → resource
    resource_write,   ///< client → resource: based on version `number`, with fencing `token`
    resource_reply,   ///< resource → client: the version in `number`; `accepted`
    cluster_bus,      ///< node → node: `cluster`
  };

  Kind kind = Kind::request;
  std::uint64_t number = 0;  ///< request number, stream offset, or resource version
  /// request: its client's first number for it, above it the client: the same each time it is sent.
  std::uint64_t call = 0;
  bool is_sent_again = false;
  std::int64_t token = -1;  ///< fencing token (-1: none), a replication id, or an offset
  bool accepted = true;     ///< resource_reply: false where a write was refused
  std::string_view label;   ///< literal or interned: "acquire", "reply to acquire"
  sim::ActorId on_behalf_of = sim::no_actor;
  redis::Arguments arguments;
  redis::Reply reply;
  std::string bytes;
  std::unique_ptr<ClusterMessage> cluster;  ///< made at its first use, kept as memory

  /// What it says (messages_digest.cpp); but not the snapshot of a full synchronisation.
  void digest_into(sim::Digest& digest, sim::ConnectionId connection) const;
};

/// Owns all messages of a simulation. Payloads are indices; using one after release is a bug.
class MessagePool {
 public:
  /// A message with cleared fields.
  sim::Payload make();
  [[nodiscard]] Message& operator[](sim::Payload payload) { return *messages_[payload]; }
  [[nodiscard]] const Message& operator[](sim::Payload payload) const {
    return *messages_[payload];
  }
  void release(sim::Payload payload);
  [[nodiscard]] std::size_t in_use() const { return messages_.size() - free_.size(); }
  /// Everything is free again; keeps memory.
  void reset();

  MessagePool() = default;
  MessagePool(const MessagePool&) = delete;
  MessagePool& operator=(const MessagePool&) = delete;
  ~MessagePool() = default;

 private:
  std::vector<std::unique_ptr<Message>> messages_;
  std::vector<sim::Payload> free_;
};

}  // namespace lockstep::model
