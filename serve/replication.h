// The links between the nodes of one process: what a master propagates reaches its replicas at the
// end of the round, as it would reach other processes a moment later.
//
// A node follows another of the same process only; told to follow anybody else, it is a replica
// whose link is down. A new link starts with a full synchronisation. Replicas of replicas are fed
// with what their master was fed with.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "serve/node.h"

namespace lockstep::serve {

class Replication final : public NodeOwner {
 public:
  /// The node takes part. It must outlive the replication.
  void add(Node& node);

  /// Moves what is to move: new links, streams, acknowledgements that WAIT wants. True: something
  /// moved.
  bool deliver();
  /// All replicas say how far they are, as Redis's do once a second.
  void acknowledge();

 private:
  /// A node, and its link to its master.
  struct Member {
    Node* node;
    Member* master = nullptr;
    Member* wanted_master = nullptr;  ///< to be linked to
    /// What the master knows of the link: lost when it changes its role or a client kills it.
    struct Session {
      redis::SessionId id;
      std::uint32_t number;  ///< as the master counts its replicas
    };
    std::optional<Session> session;
    std::string outgoing;  ///< propagated, not yet given to the replicas
    bool acknowledgements_wanted = false;
  };

  void on_propagated(Node& master, std::string_view bytes) override;
  void on_getack_wanted(Node& master) override;
  void on_replica_of(Node& node, std::string_view host, std::int64_t port) override;
  void on_replica_closed(Node& master, redis::SessionId session) override;

  [[nodiscard]] Member& member_of(const Node& node);
  [[nodiscard]] Member* find(std::string_view host, std::int64_t port);
  [[nodiscard]] bool has_replicas(const Member& master) const;
  /// Whether `other` is the member itself, its master, that one's master, and so on.
  [[nodiscard]] static bool follows(const Member& member, const Member& other);
  bool deliver_stream(Member& master);
  static void unlink(Member& replica);
  static void attach(Member& replica);
  void link(Member& replica);
  static void acknowledge(const Member& replica);

  std::vector<std::unique_ptr<Member>> members_;
  /// A replica's session that ended while its server executed something.
  struct Closed {
    Node* master;
    redis::SessionId session;
    std::optional<std::uint32_t> number;  ///< where the master still counts it
  };
  std::vector<Closed> closed_;
  std::string stream_;  // memory
};

}  // namespace lockstep::serve
