#include <optional>
#include <string>

#include "redis/commands/commands.h"
#include "redis/commands/set_options.h"

namespace lockstep::redis::commands {
namespace {

using Text = Call::Typed<std::string>;

bool any_exists(Call& call) {
  for (std::size_t i = 1; i < call.size(); i += 2) {
    if (call.lookup(call[i]) != nullptr) return true;
  }
  return false;
}

void set_pairs(Call& call) {
  for (std::size_t i = 1; i < call.size(); i += 2) {
    overwrite(call, call[i], call[i + 1]).expire_at_ms.reset();
    call.changed(call[i]);
  }
}

}  // namespace

void get(Call& call) {
  const Text found = call.lookup_as<std::string>(call[1]);
  if (!found.wrong_type) call.reply_bulk_or_null(found.value);
}

void getdel(Call& call) {
  const Keyspace::Position position = call.find(call[1]);
  if (position == call.keys().end()) return call.reply().null_bulk();
  const auto* const text = std::get_if<std::string>(&position->second.value);
  if (text == nullptr) return call.reply_wrong_type();
  call.reply().bulk(*text);
  call.keys().erase(position);
  call.changed_as(call[1], {"DEL", call[1]});
}

void getset(Call& call) {
  const Text found = call.lookup_as<std::string>(call[1]);
  if (found.wrong_type) return;
  call.reply_bulk_or_null(found.value);
  overwrite(call, call[1], call[2]).expire_at_ms.reset();
  if (call.server().version().replicates_getset) return call.changed(call[1]);
  call.changed_as(call[1], {"SET", call[1], call[2]});
}

void mget(Call& call) {
  call.reply().array(call.size() - 1);
  for (const std::string_view key : call.words().subspan(1)) {
    const Entry* const entry = call.lookup(key);
    call.reply_bulk_or_null(entry == nullptr ? nullptr : std::get_if<std::string>(&entry->value));
  }
}

void mset(Call& call) {
  if (call.size() % 2 == 0) return call.reply_wrong_arity();
  set_pairs(call);
  call.reply().status("OK");
}

void msetnx(Call& call) {
  if (call.size() % 2 == 0) return call.reply_wrong_arity();
  if (any_exists(call)) return call.reply().integer(0);
  set_pairs(call);
  call.reply().integer(1);
}

void append(Call& call) {
  constexpr std::size_t bytes_max = std::size_t{512} * 1024 * 1024;
  const Text found = call.lookup_as<std::string>(call[1]);
  if (found.wrong_type) return;
  if (found.value != nullptr && found.value->size() + call[2].size() > bytes_max) {
    return call.reply().error("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
  }
  Entry& entry = found.entry != nullptr ? *found.entry : call.keys().create<std::string>(call[1]);
  if (found.entry != nullptr) entry.form = StringEncoding::raw;
  auto& text = std::get<std::string>(entry.value);
  text.append(call[2]);
  call.changed(call[1]);
  call.reply().integer(static_cast<std::int64_t>(text.size()));
}

void strlen(Call& call) {
  const Text found = call.lookup_as<std::string>(call[1]);
  if (found.wrong_type) return;
  call.reply().integer(found.value == nullptr ? 0 : static_cast<std::int64_t>(found.value->size()));
}

}  // namespace lockstep::redis::commands
