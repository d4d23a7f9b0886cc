#include <algorithm>
#include <optional>

#include "redis/commands/commands.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis::commands {

void time(Call& call) {
  constexpr std::int64_t us_per_s = 1'000'000;
  const std::int64_t now_us = call.server().now_us();
  call.reply().array(2);
  call.reply().bulk(IntegerText(now_us / us_per_s).view());
  call.reply().bulk(IntegerText(now_us % us_per_s).view());
}

namespace {

void reply_replicas(const Server& server, ReplyWriter& reply) {
  const auto is_attached = [](const Replica& replica) { return replica.is_attached; };
  const std::span<const Replica> replicas = server.replicas();
  reply.array(
      static_cast<std::size_t>(std::count_if(replicas.begin(), replicas.end(), is_attached)));
  for (const Replica& replica : replicas) {
    if (!is_attached(replica)) continue;
    reply.array(3);
    reply.bulk(replica.host);
    reply.bulk(IntegerText(replica.port).view());
    reply.bulk(IntegerText(std::max<std::int64_t>(replica.acknowledged, 0)).view());
  }
}

}  // namespace

void role(Call& call) {
  ReplyWriter& reply = call.reply();
  const Server& server = call.server();
  if (server.role() == Role::master) {
    reply.array(3);
    reply.bulk("master");
    reply.integer(server.stream().offset());
    return reply_replicas(server, reply);
  }
  reply.array(5);
  reply.bulk("slave");
  reply.bulk(server.master_link().address().host);
  reply.integer(server.master_link().address().port);
  reply.bulk(server.master_link().is_up() ? "connected" : "connect");
  reply.integer(server.master_link().is_up() ? server.stream().offset() : -1);
}

namespace {

/// The timeout of WAIT and WAITAOF, in ms. Replies where there is none.
std::optional<std::int64_t> wait_timeout_ms(Call& call, std::size_t index) {
  const std::optional<std::int64_t> timeout_ms = parse_integer(call[index]);
  if (!timeout_ms) {
    call.reply().error("ERR timeout is not an integer or out of range");
  } else if (*timeout_ms < 0) {
    call.reply().error("ERR timeout is negative");
  } else if (!checked_add(*timeout_ms, call.now_ms()) &&
             call.server().version().names_too_long_timeouts) {
    call.reply().error("ERR timeout is out of range");
  } else {
    return timeout_ms;
  }
  return std::nullopt;
}

void wait_for(Call& call, BlockedOnReplicas wait, std::int64_t timeout_ms) {
  Server& server = call.server();
  const bool is_for_caller =
      call.origin() == Origin::script && server.version().waits_for_caller_in_scripts;
  const Session& whose = is_for_caller ? server.sessions().at(call.session().id) : call.session();
  wait.offset = whose.last_offset;
  if (server.has_acknowledgements(wait) || !call.may_block()) {
    return server.reply_to_wait(wait, call.reply());
  }
  server.block_for_replication(call.session(), wait, timeout_ms);
}

}  // namespace

void wait(Call& call) {
  const Server& server = call.server();
  if (server.role() == Role::replica) {
    return call.reply().error(server.version().no_wait_on_replicas);
  }
  const std::optional<std::int64_t> replicas = call.integer(1);
  if (!replicas) return;
  const std::optional<std::int64_t> timeout_ms = wait_timeout_ms(call, 2);
  if (timeout_ms) wait_for(call, {*replicas, 0}, *timeout_ms);
}

void waitaof(Call& call) {
  const Server& server = call.server();
  const std::optional<std::int64_t> local = call.integer(1);
  if (!local) return;
  if (*local != 0 && *local != 1) {
    return call.reply().error("ERR value is out of range, value must between 0 and 1");
  }
  const std::optional<std::int64_t> replicas = parse_integer(call[2]);
  if (!replicas || *replicas < 0) return call.reply().error(not_positive);
  const std::optional<std::int64_t> timeout_ms = wait_timeout_ms(call, 3);
  if (!timeout_ms) return;
  if (server.role() == Role::replica) {
    return call.reply().error(
        "ERR WAITAOF cannot be used with replica instances. Please also note that writes to "
        "replicas are just local and are not propagated.");
  }
  if (*local == 1 && !server.config().append_only) return call.reply().error(waits_for_no_file);
  wait_for(call, {*replicas, 0, true, *local == 1}, *timeout_ms);
}

void replicaof(Call& call) {
  Server& server = call.server();
  if (server.cluster() != nullptr) {
    return call.reply().error("ERR REPLICAOF not allowed in cluster mode.");
  }
  if (equals_ignoring_case(call[1], "no") && equals_ignoring_case(call[2], "one")) {
    server.follow({}, 0);
    return call.reply().status("OK");
  }
  constexpr std::int64_t port_max = 65535;
  const std::optional<std::int64_t> port = parse_integer(call[2]);
  if (!port || *port < 0 || *port > port_max) {
    return call.reply().error("ERR Invalid master port");
  }
  const MasterLink::Address& present = server.master_link().address();
  if (server.role() == Role::replica && present.host == call[1] && present.port == *port) {
    return call.reply().status("OK Already connected to specified master");
  }
  server.follow(call[1], *port);
  call.reply().status("OK");
}

/// Of its options NOSAVE, SAVE, NOW and FORCE none makes a difference without files; ABORT has
/// nothing to abort. Where it works the reply is of no use: the connection ends.
void shutdown(Call& call) {
  bool is_abort = false;
  bool saves = false;
  bool saves_not = false;
  bool has_others = false;
  for (const std::string_view word : call.words().subspan(1)) {
    if (equals_ignoring_case(word, "abort")) {
      is_abort = true;
    } else if (equals_ignoring_case(word, "save")) {
      saves = true;
    } else if (equals_ignoring_case(word, "nosave")) {
      saves_not = true;
    } else if (equals_ignoring_case(word, "now") || equals_ignoring_case(word, "force")) {
      has_others = true;
    } else {
      return call.reply_syntax_error();
    }
  }
  if (saves && saves_not) return call.reply_syntax_error();
  if (is_abort && (saves || saves_not || has_others)) return call.reply_syntax_error();
  if (is_abort) return call.reply().error("ERR No shutdown in progress.");
  if (!saves_not && call.server().running_script().is_busy) {
    return call.reply().error(call.server().busy_error());
  }
  if (call.server().ask_for_shutdown()) return call.reply().status("OK");
  call.reply().error("ERR Errors trying to SHUTDOWN. Check logs.");
}

}  // namespace lockstep::redis::commands
