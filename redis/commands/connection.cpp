// What a connection says about itself: its protocol, who it is, its database, its end.
#include <optional>
#include <string>

#include "redis/commands/commands.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis::commands {

void ping(Call& call) {
  if (call.size() > 2) return call.reply_wrong_arity();
  if (call.reply().protocol() == Protocol::resp2 && call.session().is_subscribed()) {
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
  std::optional<std::int64_t> index = parse_integer(call[1]);
  if (!index) return call.refuse(not_an_integer);
  const auto cut = static_cast<std::int32_t>(*index);
  if (call.server().version().cuts_database_index) {
    index = cut;
  } else if (*index != cut) {
    return call.refuse(not_an_int);
  }
  if (call.server().cluster() != nullptr && *index != 0) {
    return call.reply().error("ERR SELECT is not allowed in cluster mode");
  }
  if (*index < 0 || *index >= static_cast<std::int64_t>(database_count)) {
    return call.refuse(no_such_database);
  }
  call.session().database = static_cast<std::uint8_t>(*index);
  call.reply().status("OK");
}

// There is one user, "default", and it has no password: any will do.

namespace {

void reply_wrong_password(Call& call) {
  call.reply().error(call.server().version().has_old_refusals
                         ? "WRONGPASS invalid username-password pair"
                         : "WRONGPASS invalid username-password pair or user is disabled.");
}

bool is_user(std::string_view name) { return name == "default"; }

}  // namespace

void auth(Call& call) {
  if (call.size() > 3) return call.reply_syntax_error();
  if (call.size() == 2) {
    return call.reply().error(
        "ERR AUTH <password> called without any password configured for the default user. Are you "
        "sure your configuration is correct?");
  }
  if (!is_user(call[1])) return reply_wrong_password(call);
  call.reply().status("OK");
}

namespace {

/// HELLO [2|3]: the protocol asked for, the present one where none is; replies where it is none.
std::optional<Protocol> protocol_asked(Call& call) {
  if (call.size() == 1) return call.session().protocol;
  const std::optional<std::int64_t> version = parse_integer(call[1]);
  if (!version && !call.server().version().has_old_refusals) {
    call.reply().error("ERR Protocol version is not an integer or out of range");
    return std::nullopt;
  }
  if (version != 2 && version != 3) {
    call.reply().error("NOPROTO unsupported protocol version");
    return std::nullopt;
  }
  return *version == 2 ? Protocol::resp2 : Protocol::resp3;
}

bool log_in(Call& call, std::string_view user) {
  if (is_user(user)) return true;
  reply_wrong_password(call);
  return false;
}

/// What HELLO asks for besides a protocol.
struct HelloOptions {
  std::optional<std::string_view> user;
  std::optional<std::string_view> name;
};

bool follow(Call& call, const HelloOptions& options) {
  if (options.user && !log_in(call, *options.user)) return false;
  return !options.name || set_client_name(call, *options.name);
}

/// HELLO's options, from the third word; false where one is refused, with a reply.
bool follow_hello_options(Call& call) {
  const bool follows_each = !call.server().version().reads_hello_first;
  HelloOptions all;
  for (std::size_t i = 2; i < call.size(); ++i) {
    const std::size_t more = call.size() - 1 - i;
    HelloOptions option;
    if (equals_ignoring_case(call[i], "auth") && more >= 2) {
      all.user = option.user = call[i + 1];
      i += 2;
    } else if (equals_ignoring_case(call[i], "setname") && more >= 1) {
      if (!is_client_name(call, call[i + 1])) return false;
      all.name = option.name = call[i + 1];
      ++i;
    } else {
      std::string text = "ERR Syntax error in HELLO option '";
      text += as_c_string(call[i]);
      text += '\'';
      call.reply().error(text);
      return false;
    }
    if (follows_each && !follow(call, option)) return false;
  }
  return follows_each || follow(call, all);
}

}  // namespace

void hello(Call& call) {
  const std::optional<Protocol> protocol = protocol_asked(call);
  if (!protocol || !follow_hello_options(call)) return;
  call.session().protocol = *protocol;
  ReplyWriter& reply = call.reply();
  reply.set_protocol(*protocol);
  reply.map(7);
  reply.bulk("server");
  const VersionTraits& version = call.server().version();
  reply.bulk(version.server);
  reply.bulk("version");
  reply.bulk(version.release);
  reply.bulk("proto");
  reply.integer(static_cast<std::int64_t>(*protocol));
  reply.bulk("id");
  reply.integer(static_cast<std::int64_t>(call.session().client_number));
  reply.bulk("mode");
  reply.bulk(call.server().cluster() == nullptr ? "standalone" : "cluster");
  reply.bulk("role");
  reply.bulk(call.server().role() == Role::master ? "master" : "replica");
  reply.bulk("modules");
  if (version.module.empty()) return reply.array(0);
  reply.array(1);
  reply.map(4);
  reply.bulk("name");
  reply.bulk(version.module);
  reply.bulk("ver");
  reply.integer(1);
  reply.bulk("path");
  reply.bulk(version.module == "lua" ? "lua" : "");
  reply.bulk("args");
  reply.array(0);
}

void reset(Call& call) {
  call.server().reset_session(call.session());
  call.reply().set_protocol(Protocol::resp2);
  call.reply().status("RESET");
}

void monitor(Call& call) {
  if (!call.may_block()) {
    return call.reply().error("ERR MONITOR isn't allowed for DENY BLOCKING client");
  }
  call.server().add_monitor(call.session().id);
  call.reply().status("OK");
}

void quit(Call& call) {
  call.reply().status("OK");
  call.server().end_session(call.session());
}

}  // namespace lockstep::redis::commands
