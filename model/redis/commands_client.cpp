// CLIENT: what a connection is called, and what it hears.
#include <algorithm>
#include <optional>
#include <string>

#include "model/redis/commands.h"
#include "model/redis/core.h"
#include "model/redis/integers.h"
#include "model/redis/letter_case.h"

namespace lockstep::redis::commands {
namespace {

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char letter) { return letter >= '!' && letter <= '~'; });
}

}  // namespace

void client_id(Call& call) {
  call.reply().integer(static_cast<std::int64_t>(call.session().client_number));
}

bool set_client_name(Call& call, std::string_view name) {
  if (!is_plain(name)) {
    call.reply().error("ERR Client names cannot contain spaces, newlines or special characters.");
    return false;
  }
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
  Replies& replies = call.session().replies;
  if (equals_ignoring_case(call[2], "on")) {
    replies = Replies::on;
    call.reply().status("OK");
  } else if (equals_ignoring_case(call[2], "off")) {
    replies = Replies::off;
  } else if (equals_ignoring_case(call[2], "skip")) {
    if (replies != Replies::off) replies = Replies::skip_next;
  } else {
    call.reply_syntax_error();
  }
}

}  // namespace lockstep::redis::commands
