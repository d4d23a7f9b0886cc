// CLIENT: what a connection is called, what it hears, who else is there, and ending them.
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "redis/commands/client_text.h"
#include "redis/commands/commands.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char letter) { return letter >= '!' && letter <= '~'; });
}

/// An error that ends in a word in quotes.
void reply_quoting(Call& call, std::string_view beginning, std::string_view word) {
  std::string text(beginning);
  text += as_c_string(word);
  text += '\'';
  call.reply().error(text);
}

}  // namespace

void client_id(Call& call) {
  call.reply().integer(static_cast<std::int64_t>(call.session().client_number));
}

bool is_client_name(Call& call, std::string_view name) {
  const bool ends_at_nul = call.server().version().ends_names_at_nul;
  if (!is_plain(ends_at_nul ? as_c_string(name) : name)) {
    call.reply().error("ERR Client names cannot contain spaces, newlines or special characters.");
    return false;
  }
  return true;
}

bool set_client_name(Call& call, std::string_view name) {
  if (!is_client_name(call, name)) return false;
  call.session().name.assign(name);
  return true;
}

void client_setname(Call& call) {
  if (set_client_name(call, call[2])) call.reply().status("OK");
}

void client_getname(Call& call) {
  const std::string& name = call.session().name;
  call.reply_bulk_or_null(name.empty() ? nullptr : &name);
}

void client_reply(Call& call) {
  ReplyMode& replies = call.session().replies;
  if (equals_ignoring_case(call[2], "on")) {
    replies = ReplyMode::on;
    call.reply().status("OK");
  } else if (equals_ignoring_case(call[2], "off")) {
    replies = ReplyMode::off;
  } else if (equals_ignoring_case(call[2], "skip")) {
    if (replies != ReplyMode::off) replies = ReplyMode::skip_next;
  } else {
    call.reply_syntax_error();
  }
}

void client_info(Call& call) {
  std::string text;
  append_client_line(call.session(), call.now_ms(), text);
  call.reply().verbatim("txt", text);
}

namespace {

/// The type a word names; where it names none, replies so and returns nothing.
std::optional<ClientType> read_type(Call& call, std::string_view word) {
  const std::optional<ClientType> type = client_type_named(word);
  if (!type) reply_quoting(call, "ERR Unknown client type '", word);
  return type;
}

/// CLIENT LIST ID …: false where a word is no number, with a reply.
bool append_clients_by_number(Call& call, std::string& text) {
  for (const std::string_view word : call.words().subspan(3)) {
    const std::optional<std::int64_t> number = parse_integer(word);
    if (!number) {
      call.reply().error("ERR Invalid client ID");
      return false;
    }
    const Session* const found = call.server().sessions().find_client(*number);
    if (found != nullptr) append_client_line(*found, call.now_ms(), text);
  }
  return true;
}

}  // namespace

void client_list(Call& call) {
  std::string text;
  const bool has_ids = !call.server().version().has_old_refusals;
  if (has_ids && call.size() > 3 && equals_ignoring_case(call[2], "id")) {
    if (!append_clients_by_number(call, text)) return;
    return call.reply().verbatim("txt", text);
  }
  std::optional<ClientType> type;
  if (call.size() == 4 && equals_ignoring_case(call[2], "type")) {
    type = read_type(call, call[3]);
    if (!type) return;
  } else if (call.size() != 2) {
    return call.reply_syntax_error();
  }
  for (const Session* session : call.server().sessions().clients()) {
    if (!type || client_type(*session) == *type) {
      append_client_line(*session, call.now_ms(), text);
    }
  }
  call.reply().verbatim("txt", text);
}

namespace {

/// The clients that CLIENT KILL selects.
struct KillFilter {
  std::optional<std::int64_t> number;
  std::optional<std::string_view> address;
  std::optional<std::string_view> local_address;
  std::optional<ClientType> type;
  bool skips_caller = true;

  [[nodiscard]] bool matches(const Session& session) const {
    if (address && session.address != *address) return false;
    if (local_address && session.local_address != *local_address) return false;
    if (type && client_type(session) != *type) return false;
    return !number || static_cast<std::int64_t>(session.client_number) == *number;
  }
};

/// One option and its value; false where it is none, with a reply.
bool read_kill_option(Call& call, std::string_view option, std::string_view value,
                      KillFilter& filter) {
  if (equals_ignoring_case(option, "id")) {
    filter.number = parse_integer(value);
    if (filter.number && *filter.number > 0) return true;
    call.reply().error("ERR client-id should be greater than 0");
    return false;
  }
  if (equals_ignoring_case(option, "type")) {
    filter.type = read_type(call, value);
    return filter.type.has_value();
  }
  if (equals_ignoring_case(option, "addr")) {
    filter.address = value;
  } else if (equals_ignoring_case(option, "laddr")) {
    filter.local_address = value;
  } else if (equals_ignoring_case(option, "user")) {
    if (value == "default") return true;
    reply_quoting(call, "ERR No such user '", value);
    return false;
  } else if (equals_ignoring_case(option, "skipme") && equals_ignoring_case(value, "yes")) {
    filter.skips_caller = true;
  } else if (equals_ignoring_case(option, "skipme") && equals_ignoring_case(value, "no")) {
    filter.skips_caller = false;
  } else {
    call.reply_syntax_error();
    return false;
  }
  return true;
}

/// How many it was; the caller itself ends last.
std::int64_t kill_clients(Call& call, const KillFilter& filter) {
  std::int64_t killed = 0;
  bool ends_caller = false;
  for (Session* session : call.server().sessions().clients()) {
    if (!filter.matches(*session)) continue;
    const bool is_caller = session == &call.session();
    if (is_caller && filter.skips_caller) continue;
    if (is_caller) {
      ends_caller = true;
    } else {
      call.server().end_session(*session);
    }
    ++killed;
  }
  if (ends_caller) call.server().end_session(call.session());
  return killed;
}

}  // namespace

void client_kill(Call& call) {
  KillFilter filter;
  if (call.size() == 2) return call.reply_syntax_error();
  if (call.size() == 3) {  // the old form may end the caller
    filter.address = call[2];
    filter.skips_caller = false;
    if (kill_clients(call, filter) == 0) return call.reply().error("ERR No such client");
    return call.reply().status("OK");
  }
  for (std::size_t i = 2; i < call.size(); i += 2) {
    if (i + 1 == call.size()) return call.reply_syntax_error();
    if (!read_kill_option(call, call[i], call[i + 1], filter)) return;
  }
  call.reply().integer(kill_clients(call, filter));
}

void client_no_evict(Call& call) {
  const bool is_on = equals_ignoring_case(call[2], "on");
  if (!is_on && !equals_ignoring_case(call[2], "off")) return call.reply_syntax_error();
  call.session().is_no_evict = is_on;
  call.reply().status("OK");
}

void client_getredir(Call& call) { call.reply().integer(-1); }

// Of Redis 7.2: libraries say who they are and must not fail for it.
void client_setinfo(Call& call) {
  const bool is_name = equals_ignoring_case(call[2], "lib-name");
  if (!is_name && !equals_ignoring_case(call[2], "lib-ver")) {
    return reply_quoting(call, "ERR Unrecognized option '", call[2]);
  }
  if (is_plain(call[3])) return call.reply().status("OK");
  std::string text = is_name ? "ERR lib-name" : "ERR lib-ver";
  text += " cannot contain spaces, newlines or special characters.";
  call.reply().error(text);
}

void refuse_subcommand(Call& call) { call.reply_wrong_subcommand_arity(); }

void client_help(Call& call) {
  static constexpr std::array<std::string_view, 34> lines{
      "GETREDIR",
      "    Return the client ID we are redirecting to when tracking is enabled.",
      "GETNAME",
      "    Return the name of the current connection.",
      "ID",
      "    Return the ID of the current connection.",
      "INFO",
      "    Return information about the current client connection.",
      "KILL <ip:port>",
      "    Kill connection made from <ip:port>.",
      "KILL <option> <value> [<option> <value> [...]]",
      "    Kill connections. Options are:",
      "    * ADDR (<ip:port>|<unixsocket>:0)",
      "      Kill connections made from the specified address",
      "    * LADDR (<ip:port>|<unixsocket>:0)",
      "      Kill connections made to specified local address",
      "    * TYPE (NORMAL|MASTER|REPLICA|PUBSUB)",
      "      Kill connections by type.",
      "    * USER <username>",
      "      Kill connections authenticated by <username>.",
      "    * SKIPME (YES|NO)",
      "      Skip killing current connection (default: yes).",
      "LIST [options ...]",
      "    Return information about client connections. Options:",
      "    * TYPE (NORMAL|MASTER|REPLICA|PUBSUB)",
      "      Return clients of specified type.",
      "REPLY (ON|OFF|SKIP)",
      "    Control the replies sent to the current connection.",
      "SETNAME <name>",
      "    Assign the name <name> to the current connection.",
      "UNBLOCK <clientid> [TIMEOUT|ERROR]",
      "    Unblock the specified blocked client.",
      "NO-EVICT (ON|OFF)",
      "    Protect current client connection from eviction."};
  call.reply_help(lines);
}

}  // namespace lockstep::redis::commands
