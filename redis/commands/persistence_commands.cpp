// SAVE and its like. What Redis does in a child process is done at once here, so no two of them are
// ever under way.
#include "redis/commands/commands.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/core.h"

namespace lockstep::redis::commands {

void save(Call& call) {
  call.core().save();
  call.reply().status("OK");
}

void bgsave(Call& call) {
  const bool is_plain =
      call.size() == 1 || (call.size() == 2 && equals_ignoring_case(call[1], "schedule"));
  if (!is_plain) return call.reply_syntax_error();
  call.core().save();
  call.reply().status("Background saving started");
}

void lastsave(Call& call) { call.reply().integer(call.core().persistence().last_save_s()); }

void bgrewriteaof(Call& call) {
  call.core().rewrite_append_only();
  call.reply().status("Background append only file rewriting started");
}

}  // namespace lockstep::redis::commands
