#include <algorithm>
#include <optional>

#include "model/redis/commands.h"
#include "model/redis/core.h"
#include "model/redis/integers.h"
#include "model/redis/letter_case.h"

namespace lockstep::redis::commands {

void ping(Call& call) {
  if (call.size() > 2) return call.reply_wrong_arity();
  if (call.session().is_subscribed()) {
    call.reply().array(2);
    call.reply().bulk("pong");
    call.reply().bulk(call.size() == 2 ? call[1] : std::string_view());
  } else if (call.size() == 2) {
    call.reply().bulk(call[1]);
  } else {
    call.reply().status("PONG");
  }
}

void echo(Call& call) { call.reply().bulk(call[1]); }

void select(Call& call) {
  const std::optional<std::int64_t> index = call.integer(1);
  if (!index) return;
  if (*index != static_cast<std::int32_t>(*index)) {
    return call.reply().error(
        "ERR value is out of range, value must between -2147483648 and 2147483647");
  }
  if (*index < 0 || *index >= static_cast<std::int64_t>(Core::database_count)) {
    return call.reply().error("ERR DB index is out of range");
  }
  call.session().database = static_cast<std::uint8_t>(*index);
  call.reply().status("OK");
}

void time(Call& call) {
  constexpr std::int64_t us_per_s = 1'000'000;
  const std::int64_t now_us = call.core().now_us();
  call.reply().array(2);
  call.reply().bulk(IntegerText(now_us / us_per_s).view());
  call.reply().bulk(IntegerText(now_us % us_per_s).view());
}

namespace {

void reply_replicas(const Core& core, ReplyWriter& reply) {
  const auto is_attached = [](const Replica& replica) { return replica.is_attached; };
  const std::span<const Replica> replicas = core.replicas();
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
  const Core& core = call.core();
  if (core.role() == Role::master) {
    reply.array(3);
    reply.bulk("master");
    reply.integer(core.offset());
    return reply_replicas(core, reply);
  }
  reply.array(5);
  reply.bulk("slave");
  reply.bulk(core.master_address().host);
  reply.integer(core.master_address().port);
  reply.bulk("connected");
  reply.integer(core.offset());
}

void wait(Call& call) {
  Core& core = call.core();
  if (core.role() == Role::replica) {
    return call.reply().error(
        "ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if "
        "a replica is configured to be writable (which is not the default) writes to replicas are "
        "just local and are not propagated.");
  }
  const std::optional<std::int64_t> replicas = call.integer(1);
  if (!replicas) return;
  const std::optional<std::int64_t> timeout_ms = parse_integer(call[2]);
  if (!timeout_ms) return call.reply().error("ERR timeout is not an integer or out of range");
  if (*timeout_ms < 0) return call.reply().error("ERR timeout is negative");
  const std::int64_t offset = call.session().last_offset;
  const std::int64_t acknowledged = core.acknowledged_by(offset);
  if (acknowledged >= *replicas || call.origin() != Origin::client) {
    return call.reply().integer(acknowledged);
  }
  core.wait_for_replicas(call.session(), {*replicas, offset}, *timeout_ms);
}

void replicaof(Call& call) {
  Core& core = call.core();
  if (equals_ignoring_case(call[1], "no") && equals_ignoring_case(call[2], "one")) {
    core.follow({}, 0);
    return call.reply().status("OK");
  }
  constexpr std::int64_t port_max = 65535;
  const std::optional<std::int64_t> port = parse_integer(call[2]);
  if (!port || *port < 0 || *port > port_max) {
    return call.reply().error("ERR Invalid master port");
  }
  const Core::MasterAddress& present = core.master_address();
  if (core.role() == Role::replica && present.host == call[1] && present.port == *port) {
    return call.reply().status("OK Already connected to specified master");
  }
  core.follow(call[1], *port);
  call.reply().status("OK");
}

void client_id(Call& call) {
  call.reply().integer(static_cast<std::int64_t>(call.session().client_number));
}

void client_setname(Call& call) {
  const std::string_view name = call[2];
  const bool is_plain = std::all_of(name.begin(), name.end(),
                                    [](char letter) { return letter >= '!' && letter <= '~'; });
  if (!is_plain) {
    return call.reply().error(
        "ERR Client names cannot contain spaces, newlines or special characters.");
  }
  call.session().name.assign(name);
  call.reply().status("OK");
}

void client_getname(Call& call) {
  const std::string& name = call.session().name;
  call.reply_bulk_or_null(name.empty() ? nullptr : &name);
}

}  // namespace lockstep::redis::commands
