#include "serve/replication.h"

#include <algorithm>
#include <cassert>

namespace lockstep::serve {

void Replication::add(Node& node) {
  members_.push_back(std::make_unique<Member>());
  members_.back()->node = &node;
}

Replication::Member& Replication::member_of(const Node& node) {
  const auto found = std::find_if(members_.begin(), members_.end(),
                                  [&](const auto& member) { return member->node == &node; });
  assert(found != members_.end());
  return **found;
}

/// By port, whatever the host: the nodes of one process have one address. A Unix socket's path
/// stands in for a host.
Replication::Member* Replication::find(std::string_view host, std::int64_t port) {
  for (const auto& member : members_) {
    const bool is_port = port != 0 && member->node->port() == port;
    const bool is_path = !host.empty() && member->node->path() == host;
    if (is_port || is_path) return member.get();
  }
  return nullptr;
}

bool Replication::has_replicas(const Member& master) const {
  return std::any_of(members_.begin(), members_.end(),
                     [&](const auto& member) { return member->master == &master; });
}

bool Replication::follows(const Member& member, const Member& other) {
  for (const Member* each = &member; each != nullptr; each = each->master) {
    if (each == &other) return true;
  }
  return false;
}

void Replication::on_propagated(Node& master, std::string_view bytes) {
  Member& member = member_of(master);
  if (has_replicas(member)) member.outgoing.append(bytes);
}

void Replication::on_getack_wanted(Node& master) {
  member_of(master).acknowledgements_wanted = true;
}

void Replication::on_replica_of(Node& node, std::string_view host, std::int64_t port) {
  Member& member = member_of(node);
  unlink(member);
  Member* const master = host.empty() ? nullptr : find(host, port);
  member.wanted_master = master == &member ? nullptr : master;
  for (const auto& replica : members_) {  // its server has dropped them: they come back
    if (replica->master != &member || !replica->session) continue;
    closed_.push_back({&node, replica->session->id, std::nullopt});
    replica->session.reset();
  }
}

void Replication::on_replica_closed(Node& master, redis::SessionId session) {
  for (const auto& replica : members_) {
    if (!replica->session || replica->master->node != &master) continue;
    if (replica->session->id != session) continue;
    closed_.push_back({&master, session, replica->session->number});
    replica->session.reset();
  }
}

bool Replication::deliver() {
  bool has_moved = false;
  for (const auto& member : members_) has_moved |= deliver_stream(*member);
  for (const auto& [node, session, number] : closed_) {
    redis::Server& server = node->server_now();
    server.close_session(session);
    if (number) server.drop_replica(*number);
  }
  closed_.clear();
  for (const auto& member : members_) {
    if (member->master != nullptr && !member->session) attach(*member);
  }
  for (const auto& member : members_) {
    if (member->wanted_master == nullptr) continue;
    link(*member);
    has_moved = true;
  }
  for (const auto& member : members_) {
    if (member->master == nullptr || !member->master->acknowledgements_wanted) continue;
    acknowledge(*member);
    has_moved = true;
  }
  for (const auto& member : members_) member->acknowledgements_wanted = false;
  return has_moved;
}

bool Replication::deliver_stream(Member& master) {
  if (master.outgoing.empty()) return false;
  stream_.clear();
  std::swap(stream_, master.outgoing);
  for (const auto& member : members_) {
    if (member->master != &master) continue;
    member->node->server_now().apply_stream(stream_);
    if (has_replicas(*member)) member->outgoing.append(stream_);
  }
  return true;
}

void Replication::unlink(Member& replica) {
  replica.wanted_master = nullptr;
  if (replica.session) {
    redis::Server& master = replica.master->node->server_now();
    master.close_session(replica.session->id);
    master.drop_replica(replica.session->number);
  }
  replica.session.reset();
  replica.master = nullptr;
}

/// It gets what its master propagates from here on, and has all that went before.
void Replication::attach(Member& replica) {
  redis::Server& master = replica.master->node->server_now();
  redis::Server& server = replica.node->server_now();
  const std::string host = replica.node->host();
  const std::int64_t port = replica.node->port();
  const std::string peer = host_and_port(host, port);
  const Node& at = *replica.master->node;
  const std::string local = host_and_port(at.host(), at.port());
  replica.session = {master.open_session({peer, local}), master.attach_replica(host, port)};
  master.mark_replica(replica.session->id);
  if (server.replication_id() != master.replication_id()) {
    server.adopt_replication_id(master.replication_id());
  }
  acknowledge(replica);
}

/// As a full synchronisation: everything that was propagated before is in the master's data.
void Replication::link(Member& replica) {
  Member& master = *replica.wanted_master;
  unlink(replica);
  if (follows(master, replica)) return;  // a ring of replicas has nothing to give: no link
  deliver_stream(master);                // to those it has: its data holds that already
  redis::Server& server = replica.node->server_now();
  server.mark_link_down();
  server.load_from(master.node->server_now());
  server.demote();
  replica.outgoing.clear();
  replica.master = &master;
  attach(replica);
  for (const auto& member : members_) {  // its own replicas have another history now
    if (member->master == &replica) member->wanted_master = &replica;
  }
}

void Replication::acknowledge(const Member& replica) {
  if (!replica.session) return;
  const redis::Server& server = replica.node->server_now();
  replica.master->node->server_now().acknowledge(
      replica.session->number, server.replication_offset(), server.synced_offset());
}

void Replication::acknowledge() {
  for (const auto& member : members_) {
    if (member->master != nullptr) acknowledge(*member);
  }
}

}  // namespace lockstep::serve
