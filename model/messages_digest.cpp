// What a message that is under way says, as a part of a state.
//
// What is left in it from an earlier use does not count: only what its kind has.
// Not state: call, is_sent_again (only observations are made of them).
#include "model/messages.h"

namespace lockstep::model {

void Message::digest_into(sim::Digest& digest, sim::ConnectionId connection) const {
  digest.add(kind);
  digest.add(label);
  digest.add(on_behalf_of);
  switch (kind) {
    case Kind::request:
      digest.add_request(connection, number);
      return arguments.digest_into(digest);
    case Kind::reply:
    case Kind::push:
      digest.add_request(connection, number);
      return reply.digest_into(digest);
    case Kind::psync_request:
      digest.name(sim::NamedKind::history, static_cast<std::uint64_t>(token));
      return digest.add_offset(static_cast<std::int64_t>(number));
    case Kind::replication:
      digest.name(sim::NamedKind::history, static_cast<std::uint64_t>(token));
      digest.add_offset(static_cast<std::int64_t>(number));
      return digest.add(std::string_view(bytes));
    case Kind::acknowledge:
      digest.add_offset(static_cast<std::int64_t>(number));
      digest.add(token >= 0);
      if (token >= 0) digest.add_offset(token);
      return;
    case Kind::full_resync:
    case Kind::acknowledge_now:
    case Kind::resource_read:
      return;
    case Kind::resource_write:
    case Kind::resource_reply:
      digest.add(number);
      digest.add(token);
      return digest.add(accepted);
    case Kind::cluster_bus:
      return cluster->digest_into(digest);
  }
}

}  // namespace lockstep::model
