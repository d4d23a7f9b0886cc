// Sets: what adds, removes, moves and looks up members. (SET is in collections/set.cpp.)
#include <optional>

#include "redis/commands/commands.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

using Set = Call::Typed<SetValue>;

bool add(Call& call, SetValue& set, std::string_view member) {
  return set.add(member, call.server().config().set_max_intset_entries);
}

}  // namespace

void sadd(Call& call) {
  const Set found = call.lookup_as<SetValue>(call[1]);
  if (found.wrong_type) return;
  SetValue& set = found.value != nullptr ? *found.value : call.create<SetValue>(call[1]);
  std::uint64_t added = 0;
  for (const std::string_view member : call.words().subspan(2)) {
    if (add(call, set, member)) ++added;
  }
  if (added > 0) call.changed(call[1], added);
  call.reply().integer(static_cast<std::int64_t>(added));
}

void srem(Call& call) {
  const Keyspace::Position position = call.find(call[1]);
  if (position == call.keys().end()) return call.reply().integer(0);
  auto* const set = std::get_if<SetValue>(&position->second.value);
  if (set == nullptr) return call.reply_wrong_type();
  std::uint64_t deleted = 0;
  for (const std::string_view member : call.words().subspan(2)) {
    if (set->erase(member)) ++deleted;
  }
  if (set->size() == 0) call.keys().erase(position);
  if (deleted > 0) call.changed(call[1], deleted);
  call.reply().integer(static_cast<std::int64_t>(deleted));
}

void smove(Call& call) {
  const std::string_view member = call[3];
  const Keyspace::Position source = call.find(call[1]);
  const Keyspace::Position target = call.find(call[2]);
  const bool has_target = target != call.keys().end();
  if (source == call.keys().end()) return call.reply().integer(0);
  auto* const from = std::get_if<SetValue>(&source->second.value);
  auto* const to = has_target ? std::get_if<SetValue>(&target->second.value) : nullptr;
  if (from == nullptr || (has_target && to == nullptr)) return call.reply_wrong_type();
  if (from == to) return call.reply().integer(from->contains(member) ? 1 : 0);
  if (!from->erase(member)) return call.reply().integer(0);
  if (from->size() == 0) call.keys().erase(source);
  call.changed(call[1]);
  if (add(call, has_target ? *to : call.create<SetValue>(call[2]), member)) call.changed(call[2]);
  call.reply().integer(1);
}

void sismember(Call& call) {
  const Set found = call.lookup_as<SetValue>(call[1]);
  if (found.wrong_type) return;
  call.reply().integer(found.value != nullptr && found.value->contains(call[2]) ? 1 : 0);
}

void smismember(Call& call) {
  const Set found = call.lookup_as<SetValue>(call[1]);
  if (found.wrong_type) return;
  call.reply().array(call.size() - 2);
  for (const std::string_view member : call.words().subspan(2)) {
    call.reply().integer(found.value != nullptr && found.value->contains(member) ? 1 : 0);
  }
}

void scard(Call& call) {
  const Set found = call.lookup_as<SetValue>(call[1]);
  if (found.wrong_type) return;
  call.reply().integer(found.value == nullptr ? 0 : static_cast<std::int64_t>(found.value->size()));
}

}  // namespace lockstep::redis::commands
