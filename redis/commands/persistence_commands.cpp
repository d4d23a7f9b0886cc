// SAVE and its like. What Redis does in a child process is done at once here, so no two of them are
// ever under way.
#include "redis/commands/commands.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {

void save(Call& call) {
  call.server().save();
  call.reply().status("OK");
}

void bgsave(Call& call) {
  const bool is_plain =
      call.size() == 1 || (call.size() == 2 && equals_ignoring_case(call[1], "schedule"));
  if (!is_plain) return call.reply_syntax_error();
  call.server().save();
  call.reply().status("Background saving started");
}

void lastsave(Call& call) { call.reply().integer(call.server().persistence().last_save_s()); }

void bgrewriteaof(Call& call) {
  call.server().rewrite_append_only();
  call.reply().status("Background append only file rewriting started");
}

}  // namespace lockstep::redis::commands
