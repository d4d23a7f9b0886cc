// How a client finds the master of a shard: what a client library learns of the topology.
//
// Calls and subscriptions ask it which node to connect to, and report failures. Every client sees
// an operator's failover at once (ImmediateDiscovery); in the other topologies a client asks by
// message, on connections of its own, and may be wrong for a while.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string_view>

#include "model/topology.h"
#include "sim/digest.h"
#include "sim/host.h"

namespace lockstep::model {

class ClientProcess;

/// Told when the client learns of another master.
class NewMasterListener {
 public:
  virtual void on_new_master(std::size_t shard) = 0;

 protected:
  ~NewMasterListener() = default;
};

class MasterDiscovery {
 public:
  MasterDiscovery() = default;
  MasterDiscovery(const MasterDiscovery&) = delete;
  MasterDiscovery& operator=(const MasterDiscovery&) = delete;
  virtual ~MasterDiscovery() = default;

  /// The same throughout a run.
  [[nodiscard]] virtual std::size_t shard_count() const = 0;
  /// The host to connect to for the shard; none while the client does not know it.
  [[nodiscard]] virtual std::optional<sim::HostId> master_of(std::size_t shard) const = 0;

  /// The node refused a connection, did not answer in time, or answered that it is not the one.
  virtual void on_node_failure(std::size_t /*shard*/, sim::HostId /*node*/) {}

  /// A node answered with a MOVED: whether the error says whom to ask instead, which master_of says
  /// from now on.
  virtual bool on_moved(std::string_view /*error*/) { return false; }

  // Connections and timers of its own (TimerUse::discovery). Each: false where the connection is
  // none of its. A message that it takes is its own to release.
  virtual bool on_opened(sim::ConnectionId /*connection*/) { return false; }
  virtual bool on_closed(sim::ConnectionId /*connection*/) { return false; }  ///< or refused
  virtual bool on_message(sim::ConnectionId /*connection*/, sim::Payload /*payload*/) {
    return false;
  }
  virtual void on_timer(std::uint32_t /*whose*/) {}

  /// A new run: the process starts.
  virtual void start_run() {}
  /// The process died.
  virtual void forget_all() {}
  /// Digests what it knows and does. By default states are kept apart.
  virtual void digest_into(sim::Digest& digest) const { digest.mark_unmergeable(); }

 protected:
  /// Sends a request of its own, not on behalf of a thread.
  static void send_request(ClientProcess& process, sim::ConnectionId connection,
                           std::string_view label, std::initializer_list<std::string_view> words);
};

/// Every client knows at once what an operator has decided.
class ImmediateDiscovery final : public MasterDiscovery {
 public:
  /// Does not own the topology.
  explicit ImmediateDiscovery(const Topology& topology) : topology_(topology) {}

  [[nodiscard]] std::size_t shard_count() const override { return topology_.shards.size(); }
  [[nodiscard]] std::optional<sim::HostId> master_of(std::size_t shard) const override {
    return topology_.master_of(shard);
  }
  void digest_into(sim::Digest& /*digest*/) const override {}  // the topology is written elsewhere

 private:
  const Topology& topology_;
};

/// The one that suits the client's environment. Does not own; both outlive it.
[[nodiscard]] std::unique_ptr<MasterDiscovery> make_discovery(ClientProcess& process,
                                                              NewMasterListener& listener);

}  // namespace lockstep::model
