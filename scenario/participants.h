// The hosts and threads of a scenario and their names, against which names in the file are checked.
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

namespace lockstep::scenario {

struct ClientSpec;
struct LocatedText;
struct RedisSpec;

enum class ParticipantKind : std::uint8_t { client, thread, master, replica, sentinel, resource };

/// clients and their threads, nodes and sentinels, the resource
enum class HostSide : std::uint8_t { client, server, resource };

struct Participant {
  std::string name;
  ParticipantKind role;
  std::size_t number;  ///< client, thread: the client's index; master, replica: the shard's;
                       ///< sentinel: its own
  std::size_t peer_group = 0;  ///< master, replica: nodes of one group talk to each other
};

inline constexpr std::string_view resource_name = "resource";

class Participants {
 public:
  Participants(const RedisSpec& redis, const std::vector<ClientSpec>& clients);

  /// Null if no participant has that name.
  [[nodiscard]] const Participant* find(std::string_view name) const;
  /// Clients, nodes, sentinels, and the resource.
  [[nodiscard]] const std::vector<Participant>& members() const { return members_; }

  /// The client, node or sentinel of that name. Throws InputError if there is none.
  [[nodiscard]] const Participant& process(const LocatedText& name) const;
  /// As process(), or the resource.
  [[nodiscard]] const Participant& host(const LocatedText& name) const;
  /// As host(), or a thread.
  [[nodiscard]] const Participant& actor(const LocatedText& name) const;
  /// The node or sentinel of that name. Throws InputError if there is none.
  [[nodiscard]] const Participant& server(const LocatedText& name) const;
  /// The node of that name. Throws InputError if there is none.
  [[nodiscard]] const Participant& node(const LocatedText& name) const;

 private:
  [[noreturn]] void complain_unknown(const LocatedText& name, std::string_view expected,
                                     const std::vector<ParticipantKind>& roles) const;
  [[nodiscard]] const Participant& member(const LocatedText& name, std::string_view expected,
                                          const std::vector<ParticipantKind>& roles) const;

  std::vector<Participant> members_;
};

/// Whether hosts of the two sides exchange messages.
[[nodiscard]] bool can_communicate(HostSide one, HostSide other);
/// Whether the two exchange messages. Clients talk to nodes and to the resource, nodes to those of
/// their shard or cluster, sentinels to all but the resource.
[[nodiscard]] bool can_communicate(const Participant& one, const Participant& other);

/// Throws InputError for a name that a client can't have: a node's or the resource's.
void require_client_name(const LocatedText& name);

}  // namespace lockstep::scenario
