// Who takes part in a scenario: the hosts and their names, for checking what faults name.
//
// Hosts are the clients, the Redis nodes (n1, n1-replica-1, …), the sentinels (s1, …) and the
// protected resource; a client's threads (a/1, …) are actors but not hosts. The same names and
// order as in the simulation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/scenario/placed_text.h"
#include "model/scenario/scenario.h"

namespace lockstep::model {

enum class Role : std::uint8_t { client, thread, master, replica, sentinel, resource };

/// What hosts are to each other: clients and their threads, nodes and sentinels, the resource.
enum class Side : std::uint8_t { client, server, resource };

struct CastMember {
  std::string name;
  Role role;
  std::size_t number;      ///< client, thread: the client's index; master, replica: the shard's;
                           ///< sentinel: its own
  std::size_t circle = 0;  ///< master, replica: nodes of one circle talk to each other
};

inline constexpr std::string_view resource_name = "resource";

class Cast {
 public:
  Cast(const RedisSpec& redis, const std::vector<ClientSpec>& clients);

  /// Null where nobody has that name.
  [[nodiscard]] const CastMember* find(std::string_view name) const;
  /// Clients, nodes, sentinels, and the resource.
  [[nodiscard]] const std::vector<CastMember>& members() const { return members_; }

  /// The process of that name: a client, a node or a sentinel. Throws InputError: nobody, a thread,
  /// the resource.
  [[nodiscard]] const CastMember& process(const PlacedText& name) const;
  /// As process(), or the resource.
  [[nodiscard]] const CastMember& host(const PlacedText& name) const;
  /// As host(), or a thread.
  [[nodiscard]] const CastMember& actor(const PlacedText& name) const;
  /// A node or a sentinel. Throws InputError where it is neither.
  [[nodiscard]] const CastMember& server(const PlacedText& name) const;
  /// Throws InputError where it is not a node.
  [[nodiscard]] const CastMember& node(const PlacedText& name) const;

 private:
  [[noreturn]] void complain_unknown(const PlacedText& name, std::string_view expected,
                                     const std::vector<Role>& roles) const;
  [[nodiscard]] const CastMember& member(const PlacedText& name, std::string_view expected,
                                         const std::vector<Role>& roles) const;

  std::vector<CastMember> members_;
};

/// Whether hosts of the two sides ever exchange messages.
[[nodiscard]] bool ever_talk(Side one, Side other);
/// Whether the two ever exchange messages: clients and their threads talk to nodes and to the
/// resource, nodes of one shard among themselves, those of a cluster all, sentinels to all but the
/// resource.
[[nodiscard]] bool ever_talk(const CastMember& one, const CastMember& other);

/// Throws InputError where no client may have that name (nodes' and the resource's are taken).
void require_client_name(const PlacedText& name);

}  // namespace lockstep::model
